import FoundationEssentials
import Sentences

/// The state of the two slots of a record.
struct RecordSlots: Sendable, Equatable {
  private var generations: [Slot.Side: Int] = [:]
  /// Whether the record also exists in the old format without slots.
  var hasOldForm = false
  /// Whether a slot contains no valid record.
  var isDamaged = false
  /// Why the record must not be written; nil when it may be.
  var untouchable: Sentence?

  /// The generation in a slot; nil when it contains no valid record.
  subscript(side: Slot.Side) -> Int? {
    get { generations[side] }
    set { generations[side] = newValue }
  }

  /// Whether both are empty.
  var isEmpty: Bool { generations.isEmpty && !hasOldForm }

  /// The generation of the next write.
  var next: Int { (generations.values.max() ?? 0) + 1 }

  /// The slot for the next write: the older one, so that the newer one remains if the write fails.
  var target: Slot.Side { (self[.a] ?? 0) <= (self[.b] ?? 0) ? .a : .b }
}

/// The result of reading a record.
struct SlotReading: Sendable {
  var slots = RecordSlots()
  /// The newest valid payload; nil when there is none.
  var payload: Secret<Data>?
  /// Slots that contain no valid record.
  var damaged: [(name: Slot.Name, bytes: Secret<Data>)] = []
  /// Slots without contents: a keyring creates an item before it fills it, and leaves it empty when
  /// the writing process is killed.
  var unfinished: [Slot.Name] = []
  var names: [Slot.Name] = []

  /// Interprets all slots of one record.
  init(_ found: [Slot] = []) {
    var newest = -1
    for slot in found {
      let name = slot.name
      names.append(name)
      switch slot.contents {
      case .damaged(let bytes) where bytes.exposed.isEmpty: unfinished.append(name)
      case .damaged(let bytes): damaged.append((name, bytes))
      case .data(let data):
        guard let side = name.side else {
          slots.hasOldForm = true
          if newest < 0 { (newest, payload) = (0, data) }
          continue
        }
        do throws(SlotEnvelope.Defect) {
          let envelope = try SlotEnvelope(data)
          guard envelope.id == name.id else { throw .damaged }
          slots[side] = envelope.generation
          if envelope.generation > newest {
            (newest, payload) = (envelope.generation, envelope.payload)
          }
        } catch .newer {
          slots.untouchable = SlotEnvelope.newer
        } catch {
          damaged.append((name, data))
        }
      }
    }
    slots.isDamaged = !damaged.isEmpty
  }

  /// Whether no slot has to be set aside, deleted or left alone.
  var isWhole: Bool {
    payload != nil && damaged.isEmpty && unfinished.isEmpty && slots.untouchable == nil
  }

  /// Whether it has only slots that an interrupted write left behind.
  var isUnfinished: Bool { unfinished.count == names.count }

  /// Whether nothing remains of it after damaged slots are set aside.
  var isLost: Bool { payload == nil && slots.untouchable == nil && !isUnfinished }
}
