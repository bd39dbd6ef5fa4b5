import AuthCore
public import FoundationEssentials
public import Sentences

/// Records which tokens each program got, in a file that only this user can read.
///
/// It contains names of programs, accounts and scopes, and no token. A failed write is ignored: no
/// program waits for its token because of that. A damaged file counts as empty; a copy of it is
/// kept, and ``faults()`` say so. It can have denied any program, so each one asks until the person
/// has removed the copy (``policy(_:)``).
public actor ProgramList {
  /// Why it is not known what the person decided.
  public struct Fault: Sendable {
    /// What is wrong, with the path of the file.
    public let sentence: Sentence
    /// What the person can do about it.
    public let advice: Sentence
    /// The path of the file that it is about.
    public let path: String
  }

  /// The path of the file.
  public nonisolated let path: String
  private let file: PrivateFile

  /// The most programs that are kept.
  static let limit = 200

  /// The list in the file at `path`.
  public init(path: String) {
    self.path = path
    file = PrivateFile(path: path, limit: 16 << 20)
  }

  /// All programs, the one that was used last first.
  public func all() -> [ProgramRecord] { read().records }

  /// What the list has about a program.
  public func record(of program: CallingProgram) -> ProgramRecord {
    all().first { $0.program == program } ?? ProgramRecord(program)
  }

  /// The policy that holds when the preference is `preference`: what the person denied is not known
  /// while there are ``faults()``, so that each program asks.
  public func policy(_ preference: ProgramPolicy) -> ProgramPolicy {
    preference == .allow && !faults().isEmpty ? .ask : preference
  }

  /// Why it is not known what the person decided: the list cannot be used, or could not be before.
  ///
  /// That it cannot be used comes last.
  public func faults() -> [Fault] {
    let copies = file.copies.sorted().map { path in
      Fault(
        sentence: Sentence(
          "The list of programs was damaged. What was decided before is in “{path}”.",
          ["path": path]),
        advice: Sentence(
          "Until you delete this file, every program needs your approval again. If you denied"
            + " programs, deny them again before you delete it."),
        path: path)
    }
    return copies + (fault().map { [$0] } ?? [])
  }

  /// Why the list cannot be used; nil when it can.
  public func fault() -> Fault? {
    unusable.map { reason in
      Fault(
        sentence: Sentence(
          "Every program needs your approval again, because the list of programs cannot be used:"
            + " {path}: {reason}.",
          ["path": path, "reason": reason]),
        advice: Sentence("Correct the file, or remove it."),
        path: path)
    }
  }

  /// Why the list cannot be used, behind the name of its file; nil when it can.
  private var unusable: Sentence? {
    do throws(StorageFailure) {
      let found = try file.read()
      guard let found, Self.records(found.bytes) == nil else { return nil }
      return Sentence("it is damaged")
    } catch {
      return error.reason
    }
  }

  /// Notes that a program got a token.
  ///
  /// It returns before that is on the disk: a power failure may undo it.
  public func note(_ request: ProgramRequest, at date: Date) async {
    await change(request.program, isDurable: false) { $0.note(request, at: date) }
  }

  /// Notes that a program asked for what it may not have, so that the person can allow it.
  ///
  /// - Returns: whether that is kept.
  @discardableResult
  public func noteRefusal(of request: ProgramRequest) async -> Bool {
    await change(request.program) { $0.noteRefusal(of: request) }
  }

  /// Allows a program what `request` asks for, from now on.
  ///
  /// - Returns: whether that is kept.
  @discardableResult
  public func allow(_ request: ProgramRequest) async -> Bool {
    await change(request.program) { $0.allow(request) }
  }

  /// Keeps what the person decided about all that a program has asked for so far; nil to ask again.
  ///
  /// - Returns: whether that is kept.
  @discardableResult
  public func decide(
    _ decision: ProgramRecord.Decision?, about program: CallingProgram
  ) async -> Bool {
    await change(program) { $0.decide(decision) }
  }

  /// Forgets a program, or all of them; also what was decided.
  ///
  /// - Returns: whether that is kept.
  @discardableResult
  public func forget(_ program: CallingProgram? = nil) async -> Bool {
    await changeAll { records in
      records = program.map { program in records.filter { $0.program != program } } ?? []
    }
  }

  /// Brings back a program that was forgotten, with what was decided, unless something else was
  /// decided since.
  ///
  /// - Returns: whether that is kept.
  @discardableResult
  public func restore(_ record: ProgramRecord) async -> Bool {
    await changeAll { records in
      if records.contains(where: { $0.program == record.program && $0.decision != nil }) { return }
      records.removeAll { $0.program == record.program }
      let last = record.last ?? .distantPast
      let next = records.firstIndex { ($0.last ?? .distantPast) < last }
      records.insert(record, at: next ?? records.endIndex)
    }
  }

  /// Finds what programs were given of `app` by the app's new name.
  public func rename(_ app: String, to name: String) async {
    guard app != name else { return }
    _ = await changeAll { records in
      for index in records.indices { records[index].rename(app, to: name) }
    }
  }

  @discardableResult
  private func change(
    _ program: CallingProgram, isDurable: Bool = true, _ change: (inout ProgramRecord) -> Void
  ) async -> Bool {
    await changeAll(isDurable: isDurable) { records in
      var record = records.first { $0.program == program } ?? ProgramRecord(program)
      change(&record)
      records.removeAll { $0.program == program }
      records.insert(record, at: 0)
    }
  }

  private func changeAll(
    isDurable: Bool = true, _ change: (inout [ProgramRecord]) -> Void
  ) async -> Bool {
    // Without the lock, what another process notes at this moment may be lost, and no more.
    let lock = try? await FileLock.take(
      "programs", in: "\(FileLock.directory)/programs.lock", timeout: .seconds(1))
    defer { withExtendedLifetime(lock) {} }
    let (before, damaged, isReadable) = read()
    guard isReadable else { return false }
    var records = before
    change(&records)
    guard records != before || damaged != nil else { return true }
    if let damaged { try? file.keepCopy(of: damaged) }
    guard (try? file.makeDirectory()) != nil else { return false }
    let bytes = Self.bytes(Self.shortened(records))
    return (try? file.write(bytes, replacing: true, isDurable: isDurable)) != nil
  }

  /// The records; and the bytes of a file that has none, and whether the file can be replaced.
  private func read() -> (records: [ProgramRecord], damaged: [UInt8]?, isReadable: Bool) {
    do throws(StorageFailure) {
      guard let found = try file.read() else { return ([], nil, true) }
      guard let records = Self.records(found.bytes) else { return ([], found.bytes, true) }
      return (records, nil, true)
    } catch {
      return ([], nil, false)
    }
  }

  /// The records in the bytes of a file; nil when it is damaged.
  static func records(_ bytes: [UInt8]) -> [ProgramRecord]? {
    guard let json = try? JSON(parsing: bytes), let programs = json["programs"]?.array else {
      return nil
    }
    return programs.compactMap(ProgramRecord.init)
  }

  /// The bytes of a file with these records.
  static func bytes(_ records: [ProgramRecord]) -> [UInt8] {
    let json = JSON.object([
      .init("version", .number("1")), .init("programs", .array(records.map(\.json))),
    ])
    return Array(json.compactText.utf8)
  }

  /// At most so many as are kept: a decision outlives what was merely noted.
  private static func shortened(_ records: [ProgramRecord]) -> [ProgramRecord] {
    guard records.count > limit else { return records }
    let decided = records.filter { $0.decision != nil }.prefix(limit)
    let others = records.filter { $0.decision == nil }.prefix(limit - decided.count)
    let kept = Set((decided + others).map(\.program))
    return records.filter { kept.contains($0.program) }
  }
}
