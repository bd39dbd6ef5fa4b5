import AuthCore
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import Testing

@testable import EntranceKit

@Suite("Answers of the demo to the samples of the Explorer page")
struct ExplorerSampleAnswerTests {
  /// Someone who has a manager, a photo and a license.
  private static let username = "dara@contoso.example"

  @Test("Each sample is answered, with its least permissions alone")
  func answers() async throws {
    let samples = await ExplorerSample.described()
    let all = Array(Set(samples.flatMap(\.permissions)))
    // Consent is to an app: there is one for each set of permissions, and one to find IDs with.
    var apps = [all: UUID().uuidString.lowercased()]
    for sample in samples { apps[sample.permissions] = UUID().uuidString.lowercased() }
    var configuration = EmulatorConfiguration()
    configuration.colleagueCount = 20
    configuration.clients += apps.values.map {
      ClientRegistration(
        clientID: $0, displayName: "Samples", redirectURIs: ["http://localhost"])
    }
    let emulator = Emulator(configuration: configuration)
    let running = try await emulator.start()
    do {
      var clients: [[String]: GraphClient] = [:]
      for (permissions, clientID) in apps {
        clients[permissions] = try await client(clientID, permissions, emulator, running)
      }
      let reader = try #require(clients[all])
      for sample in samples {
        let graph = try #require(clients[sample.permissions])
        var request = sample.request
        request.address = try await address(request.address, filledBy: reader)
        let (status, parts) = await outcome(of: request, graph)
        // The content of a file is at another address.
        #expect((200...299).contains(status) || status == 302, "\(sample.title): \(status)")
        #expect(parts.allSatisfy { $0 == 200 }, "\(sample.title)")
        #expect(parts.isEmpty == !request.address.hasSuffix("/$batch"), "\(sample.title)")
      }
    } catch {
      await emulator.stop()
      throw error
    }
    await emulator.stop()
  }

  /// A client whose token has these permissions only.
  private func client(
    _ clientID: String, _ permissions: [String], _ emulator: Emulator, _ running: Emulator.Running
  ) async throws -> GraphClient {
    let authority = try Authority(running.authority)
    let app = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: clientID, redirectURI: RedirectURI("http://localhost"), authority: authority,
        knownAuthorities: [authority], caFile: running.caFile))
    let account = try await app.acquireToken(
      InteractiveTokenParameters(
        scopes: permissions, session: EmulatorPages(emulator: emulator, username: Self.username))
    ).account
    let host = String(running.baseURL.dropFirst("https://".count))
    return GraphClient(
      app: app, account: account, scopes: permissions, cloud: GraphCloud(host: host))
  }

  /// Where the IDs are that are not in the list of their kind.
  private static let lists = [
    "/v1.0/me/drive/items": "/v1.0/me/drive/root/search(q='.txt')",
    "/v1.0/teams": "/v1.0/me/joinedTeams",
  ]

  /// The address with IDs of what there is in place of its placeholders.
  private func address(_ text: String, filledBy graph: GraphClient) async throws -> String {
    var text = text
    while let start = text.firstIndex(of: "{"), let end = text.firstIndex(of: "}") {
      let above = String(text[..<start].dropLast())
      let list = Self.lists[above] ?? above
      let items = try await graph.get(GraphPath(list)).json()["value"]?.array
      let id = try #require(items?.first?["id"]?.string, "\(list)")
      text.replaceSubrange(start...end, with: id)
    }
    return text
  }

  /// The status, and those of the requests in a batch; 0 without one.
  private func outcome(
    of request: ExplorerRequest, _ graph: GraphClient
  ) async -> (status: Int, parts: [Int]) {
    do throws(GraphError) {
      let answer = try await graph.send(request.graphRequest())
      let parts = (try? answer.json())?["responses"]?.array ?? []
      return (answer.status, parts.map { $0["status"]?.integer ?? 0 })
    } catch {
      return (error.status ?? 0, [])
    }
  }
}
