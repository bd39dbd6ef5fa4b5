import CurlHTTP
import Foundation
import HTTPTypes
import Sentences
import Testing

@Suite("A connection's own authorities")
struct TrustTests {
  let server: MisbehavingServer
  let folder: URL

  init() throws {
    server = try MisbehavingServer.shared.get()
    folder = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test("A pipe, a device, a directory, a huge file and one without certificates are rejected")
  func badFiles() async throws {
    let pipe = folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let huge = folder.appending(path: "huge").path
    #expect(FileManager.default.createFile(atPath: huge, contents: nil))
    #expect(truncate(huge, 1 << 40) == 0)
    let faults = [
      (pipe, "not a regular file"), ("/dev/zero", "not a regular file"),
      (folder.path, "it is a directory"), (huge, "larger than 1 MB"),
      (server.files.notACA, "contains no certificate"),
      (folder.appending(path: "missing").path, "No such file or directory"),
    ]
    for (path, words) in faults {
      let trust = Trust.file(path)
      #expect(
        trust.problem?.description.contains(words) == true,
        "\(path): \(trust.problem?.description ?? "none")")
      #expect(trust.problem?.description.contains(path) == true)
      let error = await CurlClient(.init(trust: trust)).failure(server.request("/"))
      #expect(error?.code == .invalidConfiguration)
      #expect(error?.message == trust.problem?.description)
    }
  }

  @Test("Until something is refused, the file is read once, when the trust is created")
  func readOnce() async throws {
    let file = folder.appending(path: "ca.pem")
    try FileManager.default.copyItem(atPath: server.files.ca, toPath: file.path)
    let client = CurlClient(.init(caFile: file.path))
    try FileManager.default.removeItem(at: file)
    #expect(try await client.echo(server.request("/")).path == "/")
  }

  @Test(
    "After a certificate was refused, or the file, the file is read again",
    arguments: [true, false])
  func readAgain(isReadable: Bool) async throws {
    let file = folder.appending(path: "ca.pem")
    let other = isReadable ? server.files.serverCertificate : server.files.notACA
    try FileManager.default.copyItem(atPath: other, toPath: file.path)
    let client = CurlClient(.init(caFile: file.path))
    let error = await client.failure(server.request("/"))
    #expect(error?.code == (isReadable ? .tlsFailure : .invalidConfiguration))
    try FileManager.default.removeItem(at: file)
    try FileManager.default.copyItem(atPath: server.files.ca, toPath: file.path)
    #expect(try await client.echo(server.request("/")).path == "/")
  }

  @Test("A file in UTF-16 with a byte order mark is that text")
  func wide() async throws {
    let text = try String(contentsOfFile: server.files.ca, encoding: .utf8)
    let file = folder.appending(path: "wide.pem")
    let wide = "\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try Data(wide).write(to: file)
    let client = CurlClient(.init(caFile: file.path))
    #expect(try await client.echo(server.request("/")).path == "/")
  }

  @Test("Lines of a certificate with something else between them are none")
  func damaged() throws {
    for content in ["", "hello", "aGVsbG8="] {
      let file = folder.appending(path: "damaged.pem")
      let text = "-----BEGIN CERTIFICATE-----\n\(content)\n-----END CERTIFICATE-----\n"
      try Data(text.utf8).write(to: file)
      #expect(Trust.file(file.path).problem?.description.contains("no certificate") == true)
    }
  }

  @Test("The authorities replace the system's")
  func instead() async throws {
    #expect(Trust.system.problem == nil)
    #expect(Trust.file(server.files.ca) != .system)
    let error = await server.client().failure(server.request("/", port: server.ports.stranger))
    #expect(error?.code == .tlsFailure)
  }
}
