/// A program that asks for tokens, as the system knows it.
///
/// Only a sandbox's ID is vouched for: a program outside of one runs as the user, and could start
/// another one to ask in its place.
public struct CallingProgram: Sendable, Hashable {
  /// How the system knows it.
  ///
  /// An enum, because each case is asked about in another way.
  public enum Kind: String, Sendable, CaseIterable {
    /// By the ID of its Flatpak sandbox.
    case flatpak
    /// By the name of its snap.
    case snap
    /// By the path of its file.
    case file
    /// By no more than the name that it gave itself, because the system shows no more.
    case name
    /// It is the person, at a terminal.
    case person
  }

  /// How the system knows it.
  public let kind: Kind
  /// The ID of the sandbox, the path of the file, or the name.
  public let identifier: String

  /// A program that is known by `identifier`.
  public init(_ kind: Kind, _ identifier: String) {
    self.kind = kind
    self.identifier = identifier
  }

  /// The person, who types commands at a terminal.
  public static let person = CallingProgram(.person, "terminal")

  /// What people call it: the name of the file, or the ID.
  public var name: String {
    kind == .file ? String(identifier.split(separator: "/").last ?? "/") : identifier
  }

  /// Whether the person is asked although other programs are not: it is in a sandbox, from which it
  /// could not get a token by itself, or it hides whether it is.
  public var isConfined: Bool { [.flatpak, .snap, .name].contains(kind) }

  /// Whether a person means this program by `name`.
  public func matches(_ name: String) -> Bool { identifier == name || self.name == name }
}
