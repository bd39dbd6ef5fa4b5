import AuthCore
import CurlHTTP
import FoundationEssentials
import Localization

/// What a JSONPath (RFC 9535) selects of the Explorer's answer.
@MainActor
public final class AnswerFilter {
  /// What is selected.
  public enum State: Sendable, Equatable {
    /// No path is given: the answer is shown as it is.
    case off
    /// The answer is searched.
    case working
    /// Nothing can be selected, for this reason.
    case problem(String)
    /// The value, or a list of the values when there are several or none.
    case values(FoldedText, count: Int)

    /// The state in words; nil when there is nothing to say.
    public var text: String? {
      switch self {
      case .off: nil
      case .working: tr("Searching…")
      case .problem(let reason): reason
      case .values(_, let count): tr("Values: {count}", ["count": count])
      }
    }
  }

  /// The current state.
  public private(set) var state = State.off { didSet { changes.notify(state) } }
  /// The observers of the state.
  public let changes = Observers<State>()
  /// The path; empty for none.
  public var path = "" { didSet { if path != oldValue { apply() } } }

  private weak var model: ExplorerModel?
  private var observer: Observer?
  /// The answer as values, which is kept while a path is typed.
  private var document: Task<JSON?, Never>?
  private var search: Task<Void, Never>?

  /// Creates a filter of the answers of `model`, which selects nothing at first.
  public init(_ model: ExplorerModel) {
    self.model = model
    observer = model.answers.add { [weak self] _ in
      self?.document = nil
      self?.apply()
    }
  }

  /// Returns when nothing is searched.
  public func finish() async { await search?.value }

  private func apply() {
    search?.cancel()
    let text = String(path.trimmed)
    guard !text.isEmpty, let answer = model?.answer, answer.pretty != nil else {
      (search, document) = (nil, nil)
      return state = .off
    }
    let document =
      self.document ?? Task.detached { [body = answer.body] in try? JSON(parsing: body) }
    self.document = document
    state = .working
    search = Task { [weak self] in
      let found = await Self.select(text, document)
      guard let self, !Task.isCancelled else { return }
      state = found
    }
  }

  /// How many values may be looked at: enough for any query of a large answer that is meant.
  private nonisolated static let steps = 4_000_000
  /// The longest result, in bytes.
  private nonisolated static let longest = 32 << 20

  @concurrent
  private static func select(_ text: String, _ document: Task<JSON?, Never>) async -> State {
    let path: JSONPath
    do throws(JSONPath.Failure) {
      path = try JSONPath(text)
    } catch {
      return .problem(
        tr(
          "Not a JSONPath, character {column}: {reason}",
          ["column": error.column, "reason": tr(error.reason)]))
    }
    guard let json = await document.value else {
      return .problem(tr("The response is not valid JSON, so it cannot be filtered."))
    }
    var size = 0
    guard let values = path.select(json, steps: steps),
      values.allSatisfy({
        size += $0.compactText.utf8.count
        return size <= longest && !Task.isCancelled
      })
    else { return .problem(tr("This selects too much to show.")) }
    let shown = values.count == 1 ? values[0] : JSON.array(values)
    return .values(FoldedText(shown.prettyText), count: values.count)
  }
}
