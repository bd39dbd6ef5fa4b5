import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport

@testable import AuthCore
@testable import MicrosoftGraph

#if DESKTOP
  @testable import IdentityBroker
#endif

extension FuzzTarget {
  /// An error of Microsoft Graph; the first byte is the length of its challenge.
  func readGraphError(_ bytes: [UInt8]) throws {
    guard let length = bytes.first else { return }
    let challenge = bytes.dropFirst().prefix(Int(length))
    var reply = reply(bytes.dropFirst(1 + challenge.count), status: 401)
    if HTTPField.isValidValue(challenge) {
      reply.response.headerFields[.wwwAuthenticate] = String(decoding: challenge, as: UTF8.self)
    }
    let error = GraphError(
      reply, of: "Microsoft Graph", clientRequestID: "1",
      sent: SentSecrets([Secret("access-token-that-was-sent")]))
    try expect(error.code == .unauthorized, "the status determines the code")
    _ = error.details
  }

  /// The path of a request whose permissions are asked for.
  func readGraphPermissions(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let path = PermissionPath(text) else { return }
    try expect(path.segments.count <= PermissionPath.maximumCount, "a path has an end")
    try expect(PermissionPath(text + "?a=b/c") == path, "query options change nothing")
    let permissions = GraphPermissions.least(for: .get, GraphPath(url: text))
    try expect(permissions?.least.isEmpty != true, "a request that is known has a permission")
    try expect(
      permissions?.missing(from: permissions?.least.map(\.permission) ?? []).isEmpty != false
        || permissions?.least.contains { !$0.alsoRequires.isEmpty } == true,
      "the least permissions are enough")
  }

  /// What is recorded, and a recording that is replayed.
  func readCassette(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    var redaction = Redaction()
    for isOfBatch in [false, true] {
      _ = redaction.body(
        Data(bytes), of: "application/json", isOfSignIn: false, isOfBatch: isOfBatch)
    }
    _ = redaction.parameters(text, isForm: true)
    _ = redaction.value(of: .wwwAuthenticate, text)
    _ = redaction.leaf(text, "id_token")
    _ = redaction.url(text)
    let secret = redaction.standIn("a-secret", .secret)
    try expect(
      redaction.scrub("say a-secret") == "say " + secret, "a known secret is replaced anywhere")
    guard let json = try? JSON(parsing: bytes), let entries = CassetteEntry.entries(of: json)
    else { return }
    var replay = CassetteReplay(entries)
    for entry in entries {
      try expect(replay.reply(to: entry) != nil, "a recorded request is answered")
    }
  }

  /// The header of a profile photo.
  func readProfilePhoto(_ bytes: [UInt8]) throws {
    guard let photo = ProfilePhoto(Data(bytes)) else { return }
    try expect(photo.data == Data(bytes), "the image is unchanged")
  }

  /// A reply of an identity broker.
  func readBrokerReply(_ bytes: [UInt8]) throws {
    #if DESKTOP
      guard let json = try? BrokerReplies.read(String(decoding: bytes, as: UTF8.self)) else {
        return
      }
      _ = try? BrokerReplies.version(json)
      _ = try? BrokerReplies.accounts(json)
      _ = try? BrokerReplies.cookies(json, of: nil, host: "login.microsoftonline.com")
      guard let token = try? BrokerReplies.token(json),
        let grant = try? TokenGrant(
          checking: token, of: nil, receivedAt: Self.now,
          against: TokenGrant.BrokerExpectation(
            scopes: ["User.Read"], clientID: TestApplication.clientID, authority: .common,
            reason: .signIn))
      else { return }
      var record = AccountRecord(
        id: "1", clientID: TestApplication.clientID, homeAccountID: grant.homeAccountID,
        environment: "login.microsoftonline.com", signedInAt: Self.now)
      record.merge(grant)
      let again = StoredRecord(id: "1", contents: record.text).account
      try expect(again != nil, "the written value can be parsed")
    #endif
  }
}
