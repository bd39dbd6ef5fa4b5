import AuthCore
public import FoundationEssentials
import Localization

/// *Access by Programs*: the programs that got tokens, and what the person decided about each.
@MainActor
public final class ProgramsModel {
  /// What the list shows.
  public struct State: Sendable, Equatable {
    /// The programs, the one that was used last first.
    public var rows: [ProgramRow] = []
    /// Whether the list has been read.
    public var isRead = false
    /// Why it is not known what was decided; nil when it is.
    public var problem: Problem?
    /// Whether the last change could not be kept.
    public var hasFailed = false
  }

  /// Why it is not known what was decided.
  public struct Problem: Sendable, Equatable {
    /// What is wrong, and what the person can do about it.
    public var text: String
    /// The path of the file that it is about.
    public var path: String
  }

  /// The current state.
  public private(set) var state = State() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// The observers of the state.
  public let changes = Observers<State>()
  /// The observers of removed programs; the closure restores one.
  public let removals = Observers<(ProgramRow, @MainActor () -> Void)>()

  private let list: ProgramList
  private let preferences: Preferences
  private let now: () -> Date
  private var observer: Observer?
  private var isReading = false
  private var isOutdated = false

  /// Creates the model of the programs in `list`.
  ///
  /// - Parameter preferences: decide whether personal details are hidden.
  public init(
    _ list: ProgramList, preferences: Preferences, now: @escaping () -> Date = { Date() }
  ) {
    self.list = list
    self.preferences = preferences
    self.now = now
    observer = preferences.changes.add { [weak self] key in
      if key == .hidesPersonalDetails { self?.reload() }
    }
  }

  /// Reads the list, after it changed.
  @discardableResult
  public func reload() -> Task<Void, Never>? {
    isOutdated = true
    guard !isReading else { return nil }
    isReading = true
    return Task {
      // The list changed while it was read.
      while isOutdated {
        isOutdated = false
        let records = await list.all()
        let problem = problem(await list.faults())
        let date = now()
        var next = state
        next.rows = records.map { ProgramRow($0, at: date, shown: preferences.shown) }
        (next.problem, next.isRead) = (problem, true)
        state = next
      }
      isReading = false
    }
  }

  private func problem(_ faults: [ProgramList.Fault]) -> Problem? {
    guard let last = faults.last else { return nil }
    let texts = faults.map { join([tr($0.sentence), tr($0.advice)]) }
    return Problem(text: preferences.shown(texts.joined(separator: "\n")), path: last.path)
  }

  /// Allows or denies a program; nil to treat it like a new one.
  @discardableResult
  public func decide(
    _ decision: ProgramRecord.Decision?, about program: CallingProgram
  ) -> Task<Void, Never>? {
    guard let row = state.rows.first(where: { $0.program == program }), row.canDecide,
      row.decision != decision
    else { return nil }
    return change { await $0.decide(decision, about: program) }
  }

  /// *Remove From List*: forgets a program with what was decided, which can be undone.
  @discardableResult
  public func forget(_ program: CallingProgram) -> Task<Void, Never>? {
    Task {
      let record = await list.all().first { $0.program == program }
      await change { await $0.forget(program) }?.value
      // A program that is no longer in the list was removed before.
      guard !state.hasFailed, let record else { return }
      let bringBack: @MainActor () -> Void = { [weak self] in
        _ = self?.change { await $0.restore(record) }
      }
      removals.notify((ProgramRow(record, at: now(), shown: preferences.shown), bringBack))
    }
  }

  private func change(
    _ body: @escaping @Sendable (ProgramList) async -> Bool
  ) -> Task<Void, Never>? {
    Task {
      let hasFailed = await !body(list)
      // Announces the same problem again.
      if hasFailed { state.hasFailed = false }
      state.hasFailed = hasFailed
      await reload()?.value
    }
  }
}

/// A program in the list.
public struct ProgramRow: Sendable, Equatable, Identifiable {
  /// What it got of an account.
  public struct Grant: Sendable, Equatable {
    /// The account and the app.
    public var title: String
    /// The scopes, and when it got them.
    public var details: String
  }

  /// The program.
  public var id: CallingProgram { program }
  /// The program.
  public var program: CallingProgram
  /// What people call it.
  public var title: String
  /// The accounts, and when it was used.
  public var details: String
  /// Where it is: the path of its file, or the ID of its sandbox; nil for the person.
  public var place: String?
  /// What the person decided.
  public var decision: ProgramRecord.Decision?
  /// Whether the person can decide about it.
  public var canDecide: Bool { program != .person }
  /// What it got of each account.
  public var grants: [Grant]

  init(_ record: ProgramRecord, at now: Date, shown: (String) -> String) {
    program = record.program
    title = program == .person ? tr("You, at a Terminal") : program.name.plain
    place = program == .person ? nil : program.identifier.plain
    decision = record.decision
    func account(_ grant: ProgramRecord.Grant) -> String {
      grant.isExport ? tr("All accounts") : shown(grant.username.shownName)
    }
    let names = Set(record.grants.map { account($0) })
    let accounts = names.sorted().joined(separator: ", ")
    let use = Self.use(record.last, record.count, now)
    let state: String =
      switch record.decision {
      case .allow: tr("{use} · Allowed", ["use": use])
      case .deny: tr("{use} · Denied", ["use": use])
      case nil: use
      }
    details = [accounts, state].filter { !$0.isEmpty }.joined(separator: "\n")
    grants = record.grants.map { grant in
      func text(_ scopes: [String]) -> String {
        grant.isExport && !scopes.isEmpty
          ? tr("All tokens (cache export)") : scopes.joined(separator: " ").plain
      }
      var lines = [text(grant.scopes)]
      if !grant.refused.isEmpty {
        lines.append(tr("Refused: {scopes}", ["scopes": text(grant.refused)]))
      }
      lines.append(Self.use(grant.last, grant.count, now))
      return Grant(
        title: tr(
          "{account} of {app}", ["account": account(grant), "app": grant.app.plain]),
        details: lines.filter { !$0.isEmpty }.joined(separator: "\n"))
    }
  }

  /// Such as "5 minutes ago · 12 times".
  private static func use(_ last: Date?, _ count: Int, _ now: Date) -> String {
    guard let last else { return tr("Got no token") }
    return tr(
      "{time} · {times}",
      [
        "time": tr(TimeInWords.ago(last, at: now)),
        "times": tr(.plural("{count} time", "{count} times", count: count)),
      ])
  }
}
