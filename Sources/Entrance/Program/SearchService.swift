import AuthCore
import Clients
import Connections
import EntranceKit
import Gtk
import MicrosoftGraph

/// The desktop's search for accounts and connections: shows a ``SearchModel`` to the desktop.
@MainActor
final class SearchService: SearchSource {
  /// Where the desktop looks for it.
  private static let path =
    "/\(EntranceIdentity.applicationID.replacing(".", with: "/"))/SearchProvider"

  private let model: SearchModel
  private let open: @MainActor (SearchFind?, UInt32) -> Void
  private var provider: SearchProvider?

  /// - Parameter open: opens the window at what was found, or with nil just the window, for an
  ///   action of the user at this time.
  init(preferences: Preferences, open: @escaping @MainActor (SearchFind?, UInt32) -> Void) {
    self.open = open
    model = SearchModel(
      preferences: preferences,
      connections: { (try? ConnectionFiles.standard.load()) ?? [] },
      reader: Self.reader, photos: { KeptData.photos(of: $0) })
  }

  private nonisolated static func reader(
    of connection: Connection
  ) async -> PublicClientApplication? {
    await Client.reader(of: connection)
  }

  /// Makes it available to the desktop; before the application has its name on the bus, because it
  /// is called as soon as it has.
  func export(by application: Application) {
    provider = SearchProvider(self, at: Self.path, of: application)
  }

  // MARK: - What the desktop asks

  func identifiers(_ terms: [String]) async -> [String] {
    await model.find(terms).map(\.identifier)
  }

  func identifiers(_ terms: [String], among identifiers: [String]) async -> [String] {
    await model.find(terms, among: identifiers.compactMap(SearchFind.init)).map(\.identifier)
  }

  func results(_ identifiers: [String]) async -> [SearchResult] {
    await model.results(identifiers.compactMap(SearchFind.init)).map { result in
      SearchResult(
        identifier: result.find.identifier, name: result.title, details: result.details,
        picture: result.picture.map { [UInt8]($0.data) }, icon: Program.id)
    }
  }

  func activate(_ identifier: String, at time: UInt32) { open(SearchFind(identifier), time) }

  func launch(at time: UInt32) { open(nil, time) }
}
