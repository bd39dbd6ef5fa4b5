import EntranceKit
import FoundationEssentials
import Gtk
import Localization

/// The texts of the Explorer's answer.
///
/// Only the one in sight is put into its view, because GTK takes a while for a large one.
@MainActor
final class AnswerTexts {
  /// The answer's JSON.
  let pretty: LongTextView
  private let views: [String: LongTextView]
  private var texts: [String: Text] = [:]
  /// The numbers of the texts that are in the views.
  private var shown: [String: Int] = [:]
  private var selections = 0

  private struct Text {
    /// Tells it from other texts: comparing two large ones takes a while.
    var number: Int
    var folded: FoldedText
  }

  /// Creates empty views, in the places with their names.
  init(preferences: Preferences, in places: [String: Box]) {
    pretty = LongTextView(preferences: preferences, label: tr("Response"), isLog: false)
    views = [
      "pretty": pretty,
      "headers": LongTextView(preferences: preferences, label: tr("Header fields"), isLog: false),
      "raw": LongTextView(preferences: preferences, label: tr("Raw response"), isLog: false),
    ]
    for (name, view) in views {
      // In a low window, what is above and below them must have its place, too.
      view.keepRoom(forHeight: 72)
      places[name]?.append(view.widget)
    }
  }

  /// The view with a name; nil for what is no text.
  func view(_ name: String) -> LongTextView? { views[name] }

  /// The text with a name; nil when there is none.
  func text(_ name: String) -> String? { texts[name]?.folded.whole }

  /// Shows the texts of `answer` from now on, and the one called `name` at once.
  ///
  /// - Parameter selected: takes the place of its JSON.
  func show(_ answer: ExplorerAnswer?, selected: FoldedText?, inSight name: String) {
    texts = [:]
    if let answer {
      texts["pretty"] = answer.pretty.map { Text(number: answer.id, folded: $0) }
      texts["headers"] = Text(number: answer.id, folded: answer.headers)
      texts["raw"] = answer.raw.map { Text(number: answer.id, folded: $0) }
    }
    if let selected {
      selections += 1
      texts["pretty"] = Text(number: -selections, folded: selected)
    }
    for (name, view) in views where shown[name] != nil && shown[name] != texts[name]?.number {
      // Nothing is left of an answer that is gone.
      view.show(.replaced([]))
      shown[name] = nil
    }
    fill(name)
  }

  /// Puts the text called `name` into its view, unless it is there: its place is kept.
  func fill(_ name: String) {
    guard let view = views[name], let text = texts[name], shown[name] != text.number else { return }
    shown[name] = text.number
    view.show(
      .replaced([
        ActivityEvent(id: 0, date: Date(), kind: .response, title: "", folded: text.folded)
      ]))
  }
}
