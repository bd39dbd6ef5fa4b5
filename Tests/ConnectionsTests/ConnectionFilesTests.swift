import AuthCore
import Connections
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Apps for everyone of a computer")
struct ConnectionFilesTests {
  private static let id = "11111111-2222-3333-4444-555555555555"
  private static let otherID = "22222222-2222-3333-4444-555555555555"

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ file: String, _ apps: KeyValuePairs<String, String>) throws -> String {
    let list = apps.map { #"{"name": "\#($0.key)", "clientID": "\#($0.value)"}"# }
    return try write(file, #"{"version": 1, "apps": [\#(list.joined(separator: ", "))]}"#)
  }

  private func write(_ file: String, _ text: String) throws -> String {
    let path = "\(folder.path)/\(file)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("They come after the user's own, in the order of the directories, each name once")
  func order() throws {
    let files = ConnectionFiles(
      own: try write("own", ["Mine": Self.otherID]),
      system: [
        try write("first", ["Company": Self.id, "Mine": Self.id]), folder.path + "/missing",
        try write("second", ["Company": Self.otherID, "Other": Self.id]),
      ])
    let apps = try files.load()
    #expect(apps.map(\.name) == ["Mine", "Company", "Other"])
    #expect(apps.map(\.application.clientID) == [Self.otherID, Self.id, Self.id])
  }

  @Test("A new name is none of an app for everyone; an app that has it already keeps it")
  func newNames() throws {
    let files = ConnectionFiles(
      own: try write("own", ["Mine": Self.otherID]),
      system: [try write("system", ["Company": Self.id, "Company 2": Self.id])])
    #expect(throws: Never.self) {
      try files.check(newName: "New")
      try files.check(newName: "Company", of: "Company")
    }
    for old in [nil, "Mine"] {
      let error = #expect(throws: ConnectionFileError.self) {
        try files.check(newName: "Company", of: old)
      }
      #expect(error?.fieldName == "name")
    }
    let document = try ConnectionFile.document(files.own)
    #expect(document.freeName(like: "Company", besides: files.systemNames) == "Company 3")
    #expect(document.freeName(like: "Mine", besides: files.systemNames) == "Mine 2")
  }

  @Test("A file for everyone that cannot be used is left out and told; one's own is an error")
  func faults() throws {
    let broken = try write("broken", "{")
    let files = ConnectionFiles(
      own: try write("own", ["Mine": Self.id]),
      system: [broken, folder.path, try write("good", ["Company": Self.id])])
    #expect(try files.load().map(\.name) == ["Mine", "Company"])
    #expect(files.systemFaults().map(\.path) == [broken, folder.path])
    #expect(throws: ConnectionFileError.self) {
      try ConnectionFiles(own: broken, system: files.system).load()
    }
  }

  @Test("Without any file there are no apps")
  func none() throws {
    let files = ConnectionFiles(own: folder.path + "/no", system: [folder.path + "/none"])
    #expect(!files.exist)
    #expect(try files.load().isEmpty)
    #expect(
      ConnectionFiles(own: folder.path + "/no", system: [try write("a", ["A": Self.id])]).exist)
  }
}
