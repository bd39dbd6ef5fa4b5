import FoundationEssentials
import Sentences

/// What is in the directory of an ``EncryptedFileBackend``: files of accounts, and the slots of
/// earlier versions, which kept two of each account and of an index.
struct EncryptedFileScan: Sendable {
  /// The files of an account.
  struct Account: Sendable {
    /// The account; nil when no file can be used.
    var file: RecordFile?
    /// The generation of the slot that it comes from; the largest number for a file of this form.
    var generation = -1
    /// Its ID; nil when there is only a file of this form, which was not read.
    var id: String?
    var names: [String] = []
    /// Those that contain no valid record.
    var damaged: [String] = []
    /// Those that were not read, and why the last of them was not.
    var refused: [String] = []
    var refusal: Sentence?
    /// Why the account must not be changed.
    var untouchable: Sentence?

    /// Whether nothing remains of it after damaged files are set aside.
    var isLost: Bool { file == nil && refusal == nil && untouchable == nil }
    /// Whether it has to be taken over.
    var isInSlots: Bool { file != nil && generation < .max }
  }

  /// By the first part of the name of the account's file.
  var accounts: [String: Account] = [:]
  /// The slots of the index, and the newest index in them.
  private(set) var indexSlots: [String] = []
  private var index: (contents: RecordIndex, generation: Int)?
  /// Slots that remained of accounts that an earlier version had removed.
  private(set) var removed: [String] = []
  private(set) var quarantine: [Slot.Name] = []
  private(set) var hasMarker = false
  /// Whether a file has another key, and whether one has this key.
  private(set) var hasOtherKey = false
  private(set) var hasKey = false
  /// The first part of the name of an account's file.
  private let accountName: @Sendable (_ id: String) -> String

  /// Adds what `open` reads of each of the files called `names`.
  init(
    _ names: [String], accountName: @escaping @Sendable (_ id: String) -> String,
    open: (_ name: String) throws(StorageFailure) -> EncryptedFile.Contents?
  ) throws(StorageFailure) {
    self.accountName = accountName
    for name in names {
      let slot = Slot.Name(file: name)
      if let slot, slot.kind == .quarantine {
        // Only the names of what was set aside matter.
        quarantine.append(slot)
      } else if slot != nil || EncryptedFileBackend.isRecord(name), let contents = try open(name) {
        add(contents, in: name, slot)
      }
    }
    for removal in index?.contents.removed ?? [] {
      removed += accounts.removeValue(forKey: accountName(removal.id))?.names ?? []
    }
  }

  private mutating func add(
    _ contents: EncryptedFile.Contents, in name: String, _ slot: Slot.Name?
  ) {
    switch contents {
    case .opened: hasKey = true
    case .otherKey: hasOtherKey = true
    case .marker where name == EncryptedFileBackend.markerName:
      (hasKey, hasMarker) = (true, true)
      return
    default: break
    }
    if slot?.kind == .index { return addIndex(contents, in: name) }
    let key = slot.map { accountName($0.id) } ?? EncryptedFileBackend.firstPart(of: name)
    var account = accounts[key] ?? Account()
    account.names.append(name)
    account.id = account.id ?? slot?.id
    switch contents {
    case .damaged, .marker: account.damaged.append(name)
    case .otherKey: account.untouchable = EncryptedFileBackend.otherKey
    case .newer: account.untouchable = SlotEnvelope.newer
    case .refused(let reason):
      account.refused.append(name)
      account.refusal = reason
    case .opened(let data):
      do throws(SlotEnvelope.Defect) {
        let (file, generation) = try Self.record(in: data, slot)
        guard generation > account.generation else { break }
        (account.file, account.generation, account.id) = (file, generation, file.id)
      } catch .newer {
        account.untouchable = SlotEnvelope.newer
      } catch {
        account.damaged.append(name)
      }
    }
    accounts[key] = account
  }

  private static func record(
    in data: Data, _ slot: Slot.Name?
  ) throws(SlotEnvelope.Defect) -> (RecordFile, generation: Int) {
    guard let slot else {
      guard let file = RecordFile(data) else { throw .damaged }
      return (file, .max)
    }
    guard slot.side != nil else {
      return (RecordFile(StoredRecord(id: slot.id, contents: Secret(data))), 0)
    }
    let envelope = try SlotEnvelope(Secret(data))
    guard envelope.id == slot.id else { throw .damaged }
    let record = StoredRecord(id: envelope.id, contents: envelope.payload)
    return (RecordFile(record), envelope.generation)
  }

  private mutating func addIndex(_ contents: EncryptedFile.Contents, in name: String) {
    indexSlots.append(name)
    guard case .opened(let data) = contents, let envelope = try? SlotEnvelope(Secret(data)),
      envelope.generation > index?.generation ?? 0,
      let newer = RecordIndex(envelope.payload)
    else { return }
    index = (newer, envelope.generation)
  }

  // MARK: - Results

  var files: [RecordFile] { accounts.values.compactMap(\.file) }
  var damaged: [String] { accounts.values.flatMap(\.damaged) }
  var outdated: [String] { Quarantine.outdated(quarantine).map(\.file) }
  var isWrongKey: Bool { hasOtherKey && !hasKey }

  /// Whether the directory has no slots of earlier versions, and its marker.
  var isMarked: Bool {
    let isOwn: (String) -> Bool = { Slot.Name(file: $0) == nil }
    return hasMarker && indexSlots.isEmpty && removed.allSatisfy(isOwn)
      && accounts.values.allSatisfy { $0.names.allSatisfy(isOwn) }
  }

  /// Records in the index of an earlier version that are not there.
  private var missing: Set<String> {
    (index?.contents.ids ?? []).filter { accounts[accountName($0)] == nil }
  }

  var problems: RecordProblems {
    RecordProblems(
      lost: accounts.values.count(where: \.isLost), damaged: damaged.count, missing: missing,
      refusals: accounts.values.compactMap(\.refusal),
      untouchable: accounts.values.compactMap(\.untouchable))
  }

  /// Without an ID, a file is known by its name.
  var lost: [LostAccount] {
    let unread = accounts.values.filter { $0.file == nil && !$0.isLost }
    return (missing + unread.compactMap { $0.id ?? $0.names.first }).map {
      LostAccount(record: $0, entry: index?.contents.entries[$0])
    }
  }
}
