import Crypto
import FoundationEssentials

/// What a record is wrapped in, so that a whole one can be told from a damaged one, and the newest from
/// the one before.
///
/// It is JSON: `{"v":1,"gen":7,"id":"…","payload":"…","sha256":"…"}`, with the payload in base64url. The
/// digest is that of `v`, `gen`, `id` and `payload`, as they are in the text, with a line break behind each.
struct Envelope: Sendable, Equatable {
  /// Counts the writes of the record.
  ///
  /// A clock can be set back; this cannot.
  var generation: Int
  var id: String
  var payload: Secret<Data>

  /// The form that this program writes.
  static let version = 1
  /// Far more than there can be writes, and far from where counting ends.
  private static let generations = 1...(1 << 53)

  /// Why there is nothing to be had from an envelope.
  enum Defect: Error {
    case damaged
    /// A later form, of a later version of the program.
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
      // Empty text is no base64url, but a payload may be empty.
      let payload = encoded.isEmpty ? Data() : Base64URL.decode(encoded)
    else { throw .damaged }
    self.init(generation: generation, id: id, payload: Secret(payload))
  }

  var text: Secret<Data> {
    let encoded = Base64URL.encode(payload.exposed)
    let json = JSON.object([
      .init("v", .number("\(Self.version)")), .init("gen", .number("\(generation)")),
      .init("id", .string(id)), .init("payload", .string(encoded)),
      .init("sha256", .string(Self.digest(generation, id, encoded))),
    ])
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
