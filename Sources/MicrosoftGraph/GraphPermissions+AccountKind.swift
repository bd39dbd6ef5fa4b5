package import Sentences

extension GraphPermissions {
  /// Why a request cannot be made with the account that is signed in.
  ///
  /// - Parameter kinds: who can make it, of which the account is none.
  package static func refusal(of kinds: [AccountKind]) -> Sentence {
    if kinds == [.application] {
      return Sentence(
        "This request needs an application permission; no signed-in user can make it.")
    }
    return kinds.contains(.work)
      ? Sentence("Personal accounts cannot make this request.")
      : Sentence("Work and school accounts cannot make this request.")
  }
}
