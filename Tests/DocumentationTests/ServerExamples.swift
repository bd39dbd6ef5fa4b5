import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("The examples of 'Serving many users'")
struct ServerExamples {
  @Test func applicationOfEach() async throws {
    let configuration = try TestApplication.configuration()
    let temporary = try TemporaryDirectory()
    let directory = temporary.path
    let key = Secret(Data(repeating: 1, count: EncryptedFileTokenCacheStore.keySize))

    let runtime = Runtime(transport: CurlClient())

    func application(for user: UUID) -> PublicClientApplication {
      let store = EncryptedFileTokenCacheStore(
        directory: "\(directory)/\(user.uuidString)", key: key)
      return PublicClientApplication(configuration: configuration, store: store, runtime: runtime)
    }

    for _ in 1...2 {
      let app = application(for: UUID())
      #expect(await app.accounts().isEmpty)
      #expect(await app.storageFailure == nil)
    }
  }
}
