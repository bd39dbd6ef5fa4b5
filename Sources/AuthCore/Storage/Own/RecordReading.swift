import FoundationEssentials
import Sentences

/// What is known of the two slots of a record.
struct RecordSlots: Sendable, Equatable {
  private var generations: [Slot.Side: Int] = [:]
  /// Whether the record is there, too, as it was before there were slots.
  var hasOldForm = false
  /// Whether something is there that is no record.
  var isDamaged = false
  /// Why the record must be left as it is; nil when it may be written.
  var untouchable: Sentence?

  /// The generation in a slot; nil when it holds none that is whole.
  subscript(side: Slot.Side) -> Int? {
    get { generations[side] }
    set { generations[side] = newValue }
  }

  /// Whether neither holds anything.
  var isEmpty: Bool { generations.isEmpty && !hasOldForm }

  /// The generation that the next write brings.
  var next: Int { (generations.values.max() ?? 0) + 1 }

  /// Where the next write goes: over the older one, so that the newer one stays whatever happens.
  var target: Slot.Side { (self[.a] ?? 0) <= (self[.b] ?? 0) ? .a : .b }
}

/// A record as it was found.
struct RecordReading: Sendable {
  var slots = RecordSlots()
  /// The newest of what is whole; nil when nothing is.
  var payload: Secret<Data>?
  /// What can be no record.
  var damaged: [(name: Slot.Name, bytes: Secret<Data>)] = []
  /// What has no contents: a keyring makes an item before it fills it, and leaves it so when the process
  /// that writes is killed.
  var unfinished: [Slot.Name] = []
  var names: [Slot.Name] = []

  /// Makes sense of all slots of one record.
  init(_ found: [Slot] = []) {
    var newest = -1
    for slot in found {
      let name = slot.name
      names.append(name)
      switch slot.contents {
      case .untouchable(let reason): slots.untouchable = reason
      case .damaged(let bytes) where bytes.exposed.isEmpty: unfinished.append(name)
      case .damaged(let bytes): damaged.append((name, bytes))
      case .data(let data):
        guard let side = name.side else {
          slots.hasOldForm = true
          if newest < 0 { (newest, payload) = (0, data) }
          continue
        }
        do throws(Envelope.Defect) {
          let envelope = try Envelope(data)
          guard envelope.id == name.id else { throw .damaged }
          slots[side] = envelope.generation
          if envelope.generation > newest {
            (newest, payload) = (envelope.generation, envelope.payload)
          }
        } catch .newer {
          slots.untouchable = Sentence("a newer version of this program wrote it")
        } catch {
          damaged.append((name, data))
        }
      }
    }
    slots.isDamaged = !damaged.isEmpty
  }

  /// Whether there is nothing to be set aside, thrown away or left alone.
  var isWhole: Bool {
    payload != nil && damaged.isEmpty && unfinished.isEmpty && slots.untouchable == nil
  }

  /// Whether there is nothing of it but what a write has left that never came to its end.
  var isUnfinished: Bool { unfinished.count == names.count }

  /// Whether nothing of it is left once what is damaged has been set aside.
  var isLost: Bool { payload == nil && slots.untouchable == nil && !isUnfinished }
}
