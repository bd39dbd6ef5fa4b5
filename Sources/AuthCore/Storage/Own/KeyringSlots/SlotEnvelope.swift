import Crypto
import FoundationEssentials
import Sentences

/// The format of a slot, which shows whether a record is complete, and which of two is the newer.
///
/// It is JSON: `{"v":1,"gen":7,"id":"…","payload":"…","sha256":"…"}`, with the payload in
/// base64url. The digest covers `v`, `gen`, `id` and `payload`, as they are in the text, each
/// followed by a line break.
struct SlotEnvelope: Sendable, Equatable {
  /// Counts the writes of the record.
  ///
  /// Unlike a time, it cannot go back.
  var generation: Int
  var id: String
  var payload: Secret<Data>

  /// The version that this program writes.
  static let version = 1
  /// More than there can ever be writes, and far from an integer overflow.
  private static let generations = 1...(1 << 53)

  /// Why data in a newer format is left alone.
  static let newer = Sentence("a newer version of this program wrote it")

  /// Why an envelope cannot be used.
  enum Defect: Error {
    case damaged
    /// A newer format, from a later version of the program.
    case newer
  }

  init(generation: Int, id: String, payload: Secret<Data>) {
    self.generation = generation
    self.id = id
    self.payload = payload
  }

  init(_ text: Secret<Data>) throws(Defect) {
    guard let json = try? JSON(parsing: text.exposed), let version = json["v"]?.integer else {
      throw .damaged
    }
    guard version <= Self.version else { throw .newer }
    guard version == Self.version, let generation = json["gen"]?.integer,
      Self.generations.contains(generation), let id = json["id"]?.string,
      let encoded = json["payload"]?.string,
      json["sha256"]?.string == Self.digest(generation, id, encoded),
      // Empty text is not valid base64url, but a payload may be empty.
      let payload = encoded.isEmpty ? Data() : Base64URL.decode(encoded)
    else { throw .damaged }
    self.init(generation: generation, id: id, payload: Secret(payload))
  }

  var text: Secret<Data> {
    let encoded = Base64URL.encode(payload.exposed)
    let json: JSON = [
      "v": .number("\(Self.version)"), "gen": .number("\(generation)"), "id": .string(id),
      "payload": .string(encoded), "sha256": .string(Self.digest(generation, id, encoded)),
    ]
    return Secret(Data(json.compactText.utf8))
  }

  private static func digest(_ generation: Int, _ id: String, _ payload: String) -> String {
    var hash = SHA256()
    for part in ["\(version)", "\(generation)", id, payload] {
      hash.update(data: Data("\(part)\n".utf8))
    }
    return Base64URL.encode(hash.finalize())
  }
}
