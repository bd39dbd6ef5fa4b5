import Localization

/// What was changed and is not saved yet, as the question says before it is lost.
struct UnsavedChanges {
  /// The question.
  var title = tr("Discard Changes?")
  /// What it is, in a sentence.
  var text: String
  /// The answer that loses it, with an underscore before the mnemonic.
  var answer = tr("_Discard")
  /// Saves it, and then calls what it gets, unless it could not be saved, which is told; nil when the
  /// question cannot offer that.
  var save: (@MainActor (_ proceed: @escaping @MainActor () -> Void) -> Void)?

  /// A download that would end before it is complete, which `text` tells.
  static func download(_ text: String) -> Self {
    Self(title: tr("Stop the Download?"), text: text, answer: tr("_Stop Download"))
  }

  /// Those of a form, which has a button of its own that saves them.
  static var form: Self { Self(text: tr("Your changes are not saved yet.")) }
}
