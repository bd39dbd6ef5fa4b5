import AuthCore
import Clients
import Connections
import EntranceKit
import Gio
import Gtk
import MicrosoftGraph

/// The desktop's search for accounts and connections, `org.gnome.Shell.SearchProvider2`: shows a
/// ``SearchModel`` to the desktop, which calls it after each letter.
@MainActor
final class SearchService {
  private let model: SearchModel
  private let open: @MainActor (SearchResultID?, UInt32) -> Void
  private var object: BusObject?

  /// - Parameter open: opens the window at what was found, or with nil just the window, for an
  ///   action of the user at this time.
  init(preferences: Preferences, open: @escaping @MainActor (SearchResultID?, UInt32) -> Void) {
    self.open = open
    model = SearchModel(
      preferences: preferences,
      connections: { (try? ConnectionFiles.standard.load()) ?? [] },
      reader: Self.reader, photos: { KeptData.kept(of: $0)?.photos })
  }

  private nonisolated static func reader(
    of connection: Connection
  ) async -> PublicClientApplication? {
    await Client.reader(of: connection)
  }

  /// Makes it available to the desktop; before the application has its name on the bus, because it
  /// is called as soon as it has.
  func export(by application: Application) {
    object = BusObject(
      "\(Program.path)/SearchProvider",
      interface: "\(Program.path)/org.gnome.Shell.SearchProvider2.xml", of: application
    ) { [unowned self] call in .results(await answer(call)) }
  }

  private func answer(_ call: BusObject.Call) async -> [Variant] {
    let (first, second) = (Self.texts(call.arguments[0]), Self.texts(call.arguments[1]))
    switch call.method {
    case "GetInitialResultSet":
      return [Self.variant(await visible(to: call, await model.find(first)))]
    case "GetSubsearchResultSet":
      let ids = first.compactMap(SearchResultID.init)
      return [Self.variant(await visible(to: call, await model.find(second, among: ids)))]
    case "GetResultMetas":
      let ids = first.compactMap(SearchResultID.init)
      return [Variant(await model.results(await visible(to: call, ids)).map(Self.row))]
    case "ActivateResult":
      let time = call.arguments[2]?.value(as: UInt32.self) ?? 0
      open(first.first.flatMap(SearchResultID.init), time)
      return []
    default:
      open(nil, call.arguments[1]?.value(as: UInt32.self) ?? 0)
      return []
    }
  }

  /// What the caller may know: a program in a sandbox is not told who has signed in.
  private func visible(to call: BusObject.Call, _ ids: [SearchResultID]) async -> [SearchResultID] {
    guard await call.caller()?.isConfined != false else { return ids }
    return ids.filter { $0.account == nil }
  }

  private static func variant(_ ids: [SearchResultID]) -> Variant {
    Variant(texts: ids.map(\.identifier))
  }

  private static func row(_ result: SearchModel.Result) -> SearchResult {
    SearchResult(
      identifier: result.id.identifier, name: result.title, details: result.details,
      picture: result.picture.map { [UInt8]($0.data) }, icon: Program.id)
  }

  /// The longest text that is looked at, in bytes, and the most texts: any program of the user can call
  /// this, and no search has more.
  private static let limit = (bytes: 4096, texts: 1000)

  /// A list of texts, or a text as a list; empty for another argument.
  private static func texts(_ argument: Variant?) -> [String] {
    guard let argument else { return [] }
    if let text = argument.text() { return [start(of: text)] }
    var texts: [String] = []
    while texts.count < limit.texts, let text = argument[texts.count]?.text() {
      texts.append(start(of: text))
    }
    return texts
  }

  private static func start(of text: String) -> String {
    String(decoding: text.utf8.prefix(limit.bytes), as: UTF8.self)
  }
}
