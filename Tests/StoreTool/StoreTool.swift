// Writes accounts to a store until it is killed, and prints the results; or reads them. Used by
// Tests/store, which kills it.
//
// usage: store-tool write BACKEND PLACE TAG   adds, renews and removes records whose IDs begin with TAG
//        store-tool read BACKEND PLACE        for each line of input: prints all records
//        store-tool talk BACKEND PLACE        runs each line of input, as one run of a program:
//                                             load, save ID GENERATION, remove ID, texts,
//                                             presence, create
//
// BACKEND is one of these, with its PLACE:
//
// file        a directory of encrypted files
// keyring     an application ID in the Secret Service
// truncating  one file, which each write first truncates: it loses accounts, and proves that the
//             test would notice

import AuthCore
import FoundationEssentials
import Glibc
import SecretStore

@main
enum StoreTool {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let makeStore = { Self.makeStore(arguments[1], arguments[2]) }
    switch arguments[0] {
    case "write": await Writer(store: makeStore(), tag: arguments[3]).run()
    case "talk":
      let store = makeStore()
      while let line = readLine() { await perform(line.split(separator: " "), store) }
    default:
      while readLine() != nil { await read(makeStore()) }
    }
  }

  private static func makeStore(_ backend: String, _ place: String) -> any TokenCacheStore {
    switch backend {
    case "file":
      let key = Data(repeating: 7, count: EncryptedFileTokenCacheStore.keySize)
      return EncryptedFileTokenCacheStore(directory: place, key: Secret(key))
    case "keyring": return SecretServiceStore(application: place, label: "Kill test")
    default: return TruncatingStore(path: place)
    }
  }

  private static func perform(_ words: [Substring], _ store: any TokenCacheStore) async {
    do throws(AuthenticationError) {
      switch words.first {
      case "save":
        try await store.save(Sample(id: "\(words[1])", generation: Int(words[2]) ?? 0).record)
      case "texts":
        for record in try await store.load() {
          say("\(record.id) \(String(decoding: record.contents.exposed, as: UTF8.self))")
        }
      case "create": try await (store as? SecretServiceStore)?.createKeyring()
      case "remove": try await store.delete(id: "\(words[1])")
      case "presence":
        guard let keyring = store as? any KeyringStore else { return say(".error no keyring") }
        return say(".\(await keyring.presence())")
      default: return await read(store)
      }
      say(".")
    } catch {
      say(".error \(error.message)")
    }
  }

  /// Prints `ID GENERATION` for each record, then the result, on a line that starts with a dot.
  private static func read(_ store: any TokenCacheStore) async {
    do throws(AuthenticationError) {
      for record in try await store.load() {
        guard let sample = Sample(record) else {
          say("broken \(record.id)")
          continue
        }
        say("\(sample.id) \(sample.generation)")
      }
      say(".\(store.warning.map { "warning \($0.message)" } ?? "")")
    } catch {
      say(".error \(error.message)")
    }
  }
}

/// Prints a line, and flushes it.
func say(_ text: String) {
  let line = text + "\n"
  _ = write(STDOUT_FILENO, line, line.utf8.count)
}

/// A record whose contents are determined by its ID and generation, so that mixtures are detected.
struct Sample {
  var id: String
  var generation: Int

  init(id: String, generation: Int) {
    (self.id, self.generation) = (id, generation)
  }

  init?(_ record: StoredRecord) {
    let text = String(decoding: record.contents.exposed, as: UTF8.self)
    guard let number = text.prefix(while: { $0 != " " }).split(separator: "#").last,
      let generation = Int(number)
    else { return nil }
    self.init(id: record.id, generation: generation)
    guard self.text == text else { return nil }
  }

  var record: StoredRecord { StoredRecord(id: id, contents: Secret(Data(text.utf8))) }

  /// Some hundred characters, of varying length.
  private var text: String {
    var state = id.utf8.reduce(UInt64(generation) &* 0x9e37_79b9_7f4a_7c15) {
      $0 &* 31 &+ UInt64($1)
    }
    var text = "\(id)#\(generation) "
    let length = 200 + Int(state % 1000)
    while text.utf8.count < length {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += String(state, radix: 36)
    }
    return text
  }
}

/// Uses a store like an app, without pauses.
struct Writer {
  let store: any TokenCacheStore
  let tag: String

  /// With more, a keyring is slow, because it writes all items each time.
  private static let most = 5

  func run() async {
    var samples: [Sample] = []
    do throws(AuthenticationError) {
      samples = try await store.load().filter { $0.id.hasPrefix(tag) }.compactMap { Sample($0) }
    } catch {
      say("unread \(error.message)")
    }
    say("ready")
    while true {
      let choice = Int.random(in: 0..<10)
      switch choice {
      case 0 where !samples.isEmpty, 1 where samples.count >= Self.most:
        await remove(&samples)
      case 0, 1,
        2 where samples.count < Self.most:
        let sample = Sample(id: "\(tag)-\(UInt32.random(in: 0...UInt32.max))", generation: 1)
        if await save(sample) { samples.append(sample) }
      default:
        guard let index = samples.indices.randomElement() else { continue }
        // Each attempt has a new number, even after a failed one.
        samples[index].generation += 1
        _ = await save(samples[index])
      }
    }
  }

  private func save(_ sample: Sample) async -> Bool {
    say("saving \(sample.id) \(sample.generation)")
    do throws(AuthenticationError) {
      try await store.save(sample.record)
      say("saved \(sample.id) \(sample.generation)")
      return true
    } catch {
      say("failed \(error.message)")
      usleep(1000)
      return false
    }
  }

  private func remove(_ samples: inout [Sample]) async {
    let sample = samples.remove(at: Int.random(in: samples.indices))
    say("removing \(sample.id)")
    do throws(AuthenticationError) {
      try await store.delete(id: sample.id)
      say("removed \(sample.id)")
    } catch {
      say("failed \(error.message)")
    }
  }
}

/// An example of an unsafe store: the file is empty, then half complete, then complete.
actor TruncatingStore: TokenCacheStore {
  private let path: String

  init(path: String) { self.path = path }

  func load() -> [StoredRecord] {
    let text = FileManager.default.contents(atPath: path) ?? Data()
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap {
      let id = $0.prefix { $0 != "#" }
      return StoredRecord(id: String(id), contents: Secret(Data($0.utf8)))
    }
  }

  func save(_ record: StoredRecord) {
    write(load().filter { $0.id != record.id } + [record])
  }

  func delete(id: String) {
    write(load().filter { $0.id != id })
  }

  private func write(_ records: [StoredRecord]) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    for record in records {
      let line = Array(record.contents.exposed) + [UInt8(ascii: "\n")]
      Glibc.write(file, line, line.count)
    }
    fsync(file)
  }
}
