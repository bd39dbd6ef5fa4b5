import AuthCore
public import FoundationEssentials
import Localization

/// The model of the dialog that decodes any token, while it is typed or pasted.
///
/// The token is decoded here and kept nowhere.
@MainActor
public final class TokenDecoderModel {
  /// What the dialog shows.
  public struct State: Sendable, Equatable {
    /// What was read; nil without a text.
    public var reading: TokenReading?
    /// The differences from the current token; nil unless they are asked for and there is one.
    public var comparison: TokenComparison?
    /// Whether the differences are asked for.
    public var compares = false
    /// Whether there is a current token to compare it with.
    public var canCompare = false
    /// Whether the pasted token is hidden, with personal details.
    public var hidesText = false
    /// Whether the dialog is to be closed: it would go on showing what must not be seen any more.
    public var isOver = false

    /// Creates the state of an empty dialog.
    public init() {}
  }

  /// What the dialog shows.
  public private(set) var state = State() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<State>()

  private let current: [DecodedToken]
  private let now: () -> Date
  private let details: PersonalDetails?
  /// What was read, with all details.
  private var reading: TokenReading?
  private var work: Task<Void, Never>?
  private var observers: [Observer] = []

  /// Creates the model of an empty dialog.
  ///
  /// - Parameters:
  ///   - cards: the current tokens, with one of which the pasted one can be compared.
  ///   - now: the computer's clock.
  ///   - details: personal details to hide; nil to show all.
  public init(
    comparingWith cards: [TokenCard] = [], now: @escaping () -> Date = { Date() },
    hiding details: PersonalDetails? = nil
  ) {
    current = cards.compactMap(\.reading.token)
    self.now = now
    self.details = details
    state.hidesText = details != nil
  }

  /// When the token that was read expires or has expired, in words; nil when it does not say.
  public var expiryText: String? {
    guard let token = state.reading?.token, let time = token["exp"]?.words else { return nil }
    let hasExpired = token.expiresOn.map { $0 <= now() } ?? false
    return hasExpired
      ? tr("Expired: {time}", ["time": time]) : tr("Expires: {time}", ["time": time])
  }

  /// Decodes `text`, in place of the one before.
  @discardableResult
  public func read(_ text: String) -> Task<Void, Never> {
    work?.cancel()
    let task = Task { [weak self, date = now()] in
      let isEmpty = text.allSatisfy(\.isWhitespace)
      let reading = isEmpty ? nil : await TokenReading.make(of: text, at: date)
      guard !Task.isCancelled else { return }
      self?.show(reading)
    }
    work = task
    return task
  }

  /// *Compare*: shows only what differs from the current token.
  public func compare(_ compares: Bool) {
    var next = state
    next.compares = compares
    next.comparison = comparison(compares)
    state = next
  }

  /// Forgets the token, because the dialog is closed.
  public func close() {
    changes.removeAll()
    forget()
  }

  /// Forgets the token, and has the dialog closed, at the first of these `changes`.
  func end(at changes: [Observers<Void>]) {
    observers = changes.map { change in
      change.add { [weak self] in
        self?.forget()
        self?.state.isOver = true
      }
    }
  }

  private func forget() {
    work?.cancel()
    reading = nil
    state = State()
  }

  private func show(_ reading: TokenReading?) {
    self.reading = reading
    var next = state
    next.reading = reading?.hidden(by: details)
    next.canCompare = counterpart(of: reading?.token) != nil
    next.comparison = comparison(next.compares)
    state = next
  }

  private func comparison(_ compares: Bool) -> TokenComparison? {
    guard compares, let token = reading?.token, let other = counterpart(of: token) else {
      return nil
    }
    return TokenComparison(other, token).hidden(by: details)
  }

  /// The current token of the same kind, or else any.
  private func counterpart(of token: DecodedToken?) -> DecodedToken? {
    guard let token else { return nil }
    return current.first { $0.purpose == token.purpose } ?? current.first
  }
}
