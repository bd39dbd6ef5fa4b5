import Localization

/// What was changed and is not saved yet, as the question says before it is lost.
struct UnsavedChanges {
  /// What it is, in a sentence.
  var text: String
  /// Saves it, and then calls what it gets, unless it could not be saved, which is told; nil when the
  /// question cannot offer that.
  var save: (@MainActor (_ proceed: @escaping @MainActor () -> Void) -> Void)?

  /// Those of a form, which has a button of its own that saves them.
  static var form: Self { Self(text: tr("Your changes are not saved yet.")) }
}
