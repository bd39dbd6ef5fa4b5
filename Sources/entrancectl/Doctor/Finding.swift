import AuthCore
import Sentences

/// What one check came to.
struct Finding {
  /// How it is.
  enum State: String {
    case ok, warning, problem, absent

    /// The mark before the line.
    var mark: String {
      switch self {
      case .ok: "✓"
      case .warning: "!"
      case .problem: "✗"
      case .absent: "–"
      }
    }
  }

  /// What was looked at, for programs.
  var name: String
  /// How it is.
  var state: State
  /// A sentence about it.
  var message: Sentence
  /// What to do about a problem, or a warning.
  var advice: Sentence?

  static func ok(_ name: String, _ message: Sentence) -> Finding {
    Finding(name: name, state: .ok, message: message)
  }

  static func warning(_ name: String, _ message: Sentence, _ advice: Sentence) -> Finding {
    Finding(name: name, state: .warning, message: message, advice: advice)
  }

  static func problem(_ name: String, _ message: Sentence, _ advice: Sentence) -> Finding {
    Finding(name: name, state: .problem, message: message, advice: advice)
  }

  static func absent(_ name: String, _ message: Sentence) -> Finding {
    Finding(name: name, state: .absent, message: message)
  }

  /// The lines for people.
  var lines: [Line] {
    [Line(message, behind: "\(state.mark) ")] + (advice.map { [Line($0, behind: "  → ")] } ?? [])
  }

  /// The check, for programs.
  var json: JSON {
    [
      "name": JSON(name), "state": JSON(state.rawValue), "mark": JSON(state.mark),
      "message": JSON(message), "advice": JSON(advice),
    ]
  }
}
