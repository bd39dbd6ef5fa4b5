import AuthCore
import FoundationEssentials
import Localization
import MicrosoftGraph

/// An answer that is kept, and what differs between it and the ones that follow.
@MainActor
public final class ExplorerComparison {
  /// A place that differs.
  public struct Row: Sendable, Equatable {
    /// How it differs, in words.
    public let kind: String
    /// The place, as a JSONPath.
    public let path: String
    /// The value of the answer that is kept; nil when it has none.
    public let before: String?
    /// The value of the answer that is shown; nil when it has none.
    public let after: String?

    /// Before and after, one in each line.
    public var lines: [String] {
      [
        before.map { tr("Before: {value}", ["value": $0]) },
        after.map { tr("Now: {value}", ["value": $0]) },
      ].compactMap(\.self)
    }
  }

  /// What is compared.
  public struct State: Sendable, Equatable {
    /// The answer that is kept, in words; nil for none.
    public var kept: String?
    /// What is known of the differences, in words; nil while there is nothing to say.
    public var text: String?
    /// The differences.
    public var rows: [Row] = []
    /// Whether they are being looked for.
    public var isSearching = false

    /// Creates the state without an answer that is kept.
    public init() {}
  }

  /// The current state.
  public private(set) var state = State() { didSet { changes.notify(state) } }
  /// The observers of the state.
  public let changes = Observers<State>()
  /// The observers of differences that are to be shown as soon as they are found, because the person
  /// has asked for them.
  public let requests = Observers<Void>()

  private weak var model: ExplorerModel?
  private var kept: ExplorerAnswer?
  /// The answer that is kept as soon as there is another one to compare it with.
  private var pending: ExplorerAnswer?
  private var search: Task<Void, Never>?
  private var observers: [Observer] = []

  /// Creates a comparison of the answers of `model`, of which none is kept at first.
  public init(_ model: ExplorerModel) {
    self.model = model
    observers = [
      model.answers.add { [weak self] in
        // An answer that is removed, or was made with other details hidden, leaves nothing behind.
        if $0 == nil { self?.stop() } else { self?.follow() }
      },
      // The kept answer can be that of any account.
      model.window.status.accounts.removals.add { [weak self] in self?.stop() },
    ]
  }

  /// *Keep for Comparison*: compares the answers that follow with the one that is shown.
  public func keep() {
    guard let answer = model?.answer else { return }
    keep(answer, saying: tr("Send the next request to see what differs."))
  }

  private func keep(_ answer: ExplorerAnswer, saying text: String?) {
    guard answer.pretty != nil else { return }
    kept = answer
    search?.cancel()
    search = nil
    var next = State()
    next.kept = [
      "\(answer.request.method.rawValue) \(shown(answer.request.address))", answer.statusText,
      answer.account,
    ].joined(separator: " · ")
    next.text = text
    state = next
  }

  /// Whether an answer is on its way.
  public var isWorking: Bool { model?.state.work != nil }

  // MARK: - The same request otherwise

  /// Whether the request of the answer can be sent again another way: it changes nothing.
  public var canSendAgain: Bool {
    guard let model, let answer = model.answer, model.state.work == nil,
      !model.state.isWindowBusy
    else { return false }
    return answer.request.method == .get && answer.pretty != nil && answer.duration != nil
      && answer.isFirstPage && model.answerSender != nil
  }

  /// Whether there is another version to compare with.
  public var canChangeVersion: Bool { canSendAgain && model?.state.version != nil }

  /// The accounts to compare with: all but that of the answer.
  public var others: [AccountRow] {
    model?.state.accounts.filter { $0.id != model?.answerSender } ?? []
  }

  /// *Compare With* → an account: sends the request of the answer for it, and compares.
  ///
  /// - Returns: the task; nil when that is not possible, or the account is not there any more, which
  ///   is said.
  @discardableResult
  public func compare(with other: AccountRow) -> Task<Void, Never>? {
    guard model?.canSend(for: other.id) == true else { return nil }
    return sendAgain { [weak model] in
      ($0, other.id == model?.window.status.accounts.selectedID ? nil : other)
    }
  }

  /// *Compare With* → *Other Version*: sends the request of the answer to the other one of v1.0 and
  /// beta, and compares.
  ///
  /// - Returns: the task; nil when that is not possible, or the answer's account is not there any more,
  ///   which is said.
  @discardableResult
  public func compareWithOtherVersion() -> Task<Void, Never>? {
    guard canChangeVersion, let model, model.canSend(for: model.answerSender) else { return nil }
    return sendAgain { [weak model] request in
      var request = request
      request.version = request.version == .beta ? .v1 : .beta
      return (request, model?.otherSender)
    }
  }

  private func sendAgain(
    _ change: (ExplorerRequest) -> (ExplorerRequest, AccountRow?)
  ) -> Task<Void, Never>? {
    guard canSendAgain, let model, let answer = model.answer else { return nil }
    let (request, other) = change(answer.request)
    return model.start { [weak self] in await self?.send(request, by: $0, $1, as: other) }
  }

  private func send(
    _ request: ExplorerRequest, by model: ExplorerModel, _ number: Int, as other: AccountRow?
  ) async {
    pending = model.answer
    await model.perform(request, number, as: other, isAgain: true)
    // Without another answer, everything stays as it was.
    pending = nil
  }

  /// Compares a new answer.
  private func follow() {
    guard let pending = self.pending.take() else { return compare() }
    keep(pending, saying: nil)
    compare()
    if state.isSearching { requests.notify(()) }
  }

  /// *Stop Comparing*: forgets the answer that is kept.
  public func stop() {
    search?.cancel()
    (search, kept, pending) = (nil, nil, nil)
    if state != State() { state = State() }
  }

  /// Returns when nothing is compared.
  public func finish() async { await search?.value }

  private func shown(_ text: String) -> String {
    model?.window.workspace.privacy.shown(address: text.plain) ?? text.plain
  }

  private func compare() {
    search?.cancel()
    guard let kept, let answer = model?.answer, answer.id != kept.id else { return }
    var next = state
    (next.rows, next.text, next.isSearching) = ([], tr("Comparing…"), true)
    state = next
    search = Task { [weak self] in
      let found = await Self.differences(kept, answer)
      var text = Self.text(found)
      if found?.isEmpty == true, await Self.hidesDifferences(kept, answer) {
        text = tr("Only hidden personal details differ.")
      }
      guard let self, !Task.isCancelled else { return }
      var next = state
      (next.rows, next.isSearching) = (found ?? [], false)
      // What it is compared with says the rest.
      var parts = [text]
      if answer.request.address != kept.request.address {
        parts.append(shown(answer.request.address))
      }
      if answer.account != kept.account { parts.append(answer.account) }
      next.text = parts.joined(separator: " · ")
      state = next
    }
  }

  private static func text(_ rows: [Row]?) -> String {
    guard let rows else { return tr("This response is not JSON, so it cannot be compared.") }
    guard !rows.isEmpty else { return tr("There is no difference.") }
    return rows.count < most
      ? tr("Differences: {count}", ["count": rows.count])
      : tr("The first {count} differences are shown.", ["count": rows.count])
  }

  /// How many differences are shown.
  private nonisolated static let most = 5000
  /// How many characters are shown of a value.
  private nonisolated static let shownOfValue = 300

  @concurrent
  private static func differences(
    _ before: ExplorerAnswer, _ after: ExplorerAnswer
  ) async -> [Row]? {
    guard let old = try? JSON(parsing: before.body), let new = try? JSON(parsing: after.body)
    else { return nil }
    return JSONDifference.differences(old, new, upTo: most)?.map {
      Row(
        kind: text($0.kind), path: $0.path, before: $0.before.map(text), after: $0.after.map(text))
    }
  }

  /// Whether the answers differ as they came, although they do not as they are shown.
  @concurrent
  private static func hidesDifferences(
    _ before: ExplorerAnswer, _ after: ExplorerAnswer
  ) async -> Bool {
    guard before.body != before.original || after.body != after.original,
      let old = try? JSON(parsing: before.original), let new = try? JSON(parsing: after.original)
    else { return false }
    return JSONDifference.differences(old, new, upTo: 1)?.isEmpty == false
  }

  private nonisolated static func text(_ kind: JSONDifference.Kind) -> String {
    switch kind {
    case .added: tr("Added")
    case .removed: tr("Removed")
    case .changed: tr("Changed")
    case .reordered: tr("Reordered")
    }
  }

  private nonisolated static func text(_ value: JSON) -> String {
    let text = value.compactText
    return text.utf8.count > shownOfValue ? text.prefix(shownOfValue) + "…" : text
  }
}
