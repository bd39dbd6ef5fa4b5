import FoundationEssentials
import HTTPTypes
import Testing

@testable import IdentityEmulator

/// Drives, and the files and folders in them.
struct GraphDriveTests {
  private func withGraph(
    _ body: (Emulator, GraphSession) async throws -> Void
  ) async throws {
    try await withEmulator { emulator, client in
      try await body(
        emulator,
        try await GraphSession(emulator, client, scopes: "User.Read.All Files.ReadWrite"))
    }
  }

  // MARK: Places

  @Test func `A file is added to the folders that exist`() async throws {
    try await withGraph { emulator, graph in
      try await emulator.addFile("Documents/Plan.txt", Data("1".utf8))
      #expect(await emulator.file("Documents/Plan.txt") == Data("1".utf8))
      try await emulator.addFile("documents/PLAN.txt", Data("2".utf8))
      #expect(await emulator.file("Documents/Plan.txt") == Data("2".utf8))
      let children = try await graph(.get, "/me/drive/root/children").items
      #expect(children.count { $0["name"]?.string == "Documents" } == 1)
    }
  }

  @Test func `Two uploads into a new folder make one`() async throws {
    try await withGraph { _, graph in
      let first = try await graph.session("/me/drive/root:/new/a")
      let second = try await graph.session("/me/drive/root:/new/b")
      let again = try await graph.session("/me/drive/root:/new/a")
      #expect(try await graph.upload(to: first).status == 201)
      #expect(try await graph.upload(to: second).status == 201)
      #expect(try await graph.upload(to: again).status == 200)
      let names = try await graph(.get, "/me/drive/root:/new:/children").items
        .map { $0["name"]?.string }
      #expect(names == ["a", "b"])
    }
  }

  @Test func `A file is no folder`() async throws {
    try await withGraph { _, graph in
      let below = "/me/drive/root:/Read%20me.txt/x:/content"
      #expect(try await graph(.put, below, "x").code == "itemNotFound")
      let session = try await graph.session("/me/drive/root:/Read%20me.txt/x")
      #expect(try await graph.upload(to: session).code == "itemNotFound")
    }
  }

  // MARK: Content

  @Test(arguments: [true, false])
  func `A part of a file that is made is that of the whole`(isText: Bool) {
    let content = GraphContent.generated(seed: 7, count: 1001, isText: isText)
    let whole = content.bytes
    #expect(whole.count == 1001)
    for range in [0..<0, 0..<1001, 31..<33, 5..<1001, 64..<96, 992..<1000, 1001..<1001] {
      #expect(content.bytes(in: range) == Array(whole[range]))
    }
  }

  @Test func `Of a large file, only the part that is read is made`() {
    let content = GraphContent.generated(seed: 7, count: 1 << 50, isText: false)
    let end = (1 << 50) - 10
    #expect(content.bytes(in: end..<end + 10).count == 10)
  }

  // MARK: Moves

  @Test func `A folder is not moved into itself, nor to what is no folder`() async throws {
    try await withGraph { _, graph in
      let folder = try await graph.id("/me/drive/root:/Documents")
      let below = try await graph.id("/me/drive/root:/Documents/Reports")
      let file = try await graph.id("/me/drive/root:/Read%20me.txt")
      for (id, status) in [(folder, 400), (below, 400), (file, 404), ("nowhere", 404)] {
        let reply = try await graph(
          .patch, "/me/drive/items/\(folder)", #"{"parentReference": {"id": "\#(id)"}}"#)
        #expect(reply.status == status)
      }
      #expect(try await graph(.delete, "/me/drive/items/\(folder)").status == 204)
      #expect(try await graph(.get, "/me/drive/items/\(below)").status == 404)
    }
  }

  @Test(arguments: ["/drive/root:/Documents", "/drives/DRIVE/root:/Documents"])
  func `An item is moved to a path`(path: String) async throws {
    try await withGraph { _, graph in
      let drive = try await graph.id("/me/drive")
      let path = path.replacing("DRIVE", with: drive)
      let file = try await graph.id("/me/drive/root:/Read%20me.txt")
      let moved = try await graph(
        .patch, "/me/drive/items/\(file)", #"{"parentReference": {"path": "\#(path)"}}"#)
      #expect(moved.status == 200)
      #expect(try await graph.id("/me/drive/root:/Documents/Read%20me.txt") == file)

      let root = try await graph(
        .patch, "/me/drive/items/\(file)",
        #"{"name": "Notes.txt", "parentReference": {"path": "/drive/root"}}"#)
      #expect(root.status == 200)
      #expect(try await graph.id("/me/drive/root:/Notes.txt") == file)
    }
  }

  // MARK: Conflicts

  @Test func `A file that exists is replaced, or as the query says`() async throws {
    try await withGraph { emulator, graph in
      let content = "/me/drive/root:/a.txt:/content"
      #expect(try await graph(.put, content, "1").status == 201)
      for name in ["@microsoft.graph.conflictBehavior", "@name.conflictBehavior"] {
        #expect(try await graph(.put, "\(content)?\(name)=fail", "2").code == "nameAlreadyExists")
      }
      let renamed = try await graph(
        .put, "\(content)?@microsoft.graph.conflictBehavior=rename", "3")
      #expect(renamed.status == 201 && renamed.json["name"]?.string == "a 1.txt")
      #expect(await emulator.file("a.txt") == Data("1".utf8))
      #expect(await emulator.file("a 1.txt") == Data("3".utf8))
      #expect(try await graph(.put, content, "4").status == 200)
      #expect(await emulator.file("a.txt") == Data("4".utf8))
      let unknown = "\(content)?@microsoft.graph.conflictBehavior=merge"
      #expect(try await graph(.put, unknown, "5").status == 400)
    }
  }

  @Test func `An upload does what its session says`() async throws {
    try await withGraph { emulator, graph in
      try await emulator.addFile("a.txt", Data("1".utf8))
      func session(_ behavior: String) -> String {
        #"{"item": {"@microsoft.graph.conflictBehavior": "\#(behavior)"}}"#
      }
      let renaming = try await graph.session("/me/drive/root:/a.txt", session("rename"))
      let renamed = try await graph.upload(to: renaming)
      #expect(renamed.status == 201 && renamed.json["name"]?.string == "a 1.txt")
      let refused = try await graph(
        .post, "/me/drive/root:/a.txt:/createUploadSession", session("fail"))
      #expect(refused.code == "nameAlreadyExists")
      // There is a file with the name only when the upload ends.
      let failing = try await graph.session("/me/drive/root:/b.txt", session("fail"))
      try await emulator.addFile("b.txt", Data("2".utf8))
      #expect(try await graph.upload(to: failing).code == "nameAlreadyExists")
      #expect(await emulator.file("b.txt") == Data("2".utf8))
    }
  }

  @Test func `A copy fails, replaces or gets another name`() async throws {
    try await withGraph { emulator, graph in
      try await emulator.addFile("a.txt", Data("1".utf8))
      try await emulator.addFile("b.txt", Data("2".utf8))
      let file = try await graph.id("/me/drive/root:/a.txt")
      let copy = "/me/drive/items/\(file)/copy"
      let name = #"{"Name": "b.txt"}"#
      #expect(try await graph(.post, copy, name).code == "nameAlreadyExists")
      for behavior in ["rename", "replace"] {
        let query = "?@microsoft.graph.conflictBehavior=\(behavior)"
        #expect(try await graph(.post, copy + query, name).status == 202)
      }
      #expect(await emulator.file("b 1.txt") == Data("1".utf8))
      #expect(await emulator.file("b.txt") == Data("1".utf8))
      let elsewhere = #"{"name": "c.txt", "parentReference": {"driveId": "nonsense"}}"#
      #expect(try await graph(.post, copy, elsewhere).code == "itemNotFound")
    }
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, "/me/drive/root:/Read%20me.txt:/content?format=pdf"),
    (.put, "/me/drive/root:/a.txt:/content?overwrite=no"), (.patch, "/me?$select=id"),
  ])
  func `An option that is not known is refused`(
    method: HTTPRequest.Method, path: String
  ) async throws {
    try await withEmulator { emulator, client in
      let graph = try await GraphSession(
        emulator, client, scopes: "User.ReadWrite Files.ReadWrite")
      #expect(try await graph(method, path, method == .get ? "" : "{}").status == 501)
    }
  }

  // MARK: Drives

  @Test(arguments: [
    ("/drives/nonsense", 404, "itemNotFound"), ("/drives/b!bm9ib2R5", 404, "itemNotFound"),
    ("/users/bram@contoso.example/drive", 403, "accessDenied"),
    ("/users/bram@contoso.example/drives", 403, "accessDenied"),
    ("/users/bram@contoso.example/drive/root", 403, "accessDenied"),
  ])
  func `Only drives that exist and are the caller's are told`(
    path: String, status: Int, code: String
  ) async throws {
    try await withGraph { _, graph in
      let reply = try await graph(.get, path)
      #expect(reply.status == status && reply.code == code)
    }
  }

  @Test func `The options of a drive are honored`() async throws {
    try await withGraph { _, graph in
      let root = try await graph.id("/me/drive/root")
      let drive = try await graph(
        .get, "/me/drive?$select=driveType&$expand=root($select=name)"
      ).json
      let names = drive.fields?.map { name, _ in name }
      #expect(names == ["@odata.context", "driveType", "id", "root"])
      #expect(drive["root"]?["id"]?.string == root)
      #expect(drive["root"]?["size"]?.text == nil)
      let drives = try await graph(.get, "/me/drives?$select=id").items
      #expect(drives.map { $0.fields?.count } == [1])
    }
  }
}
