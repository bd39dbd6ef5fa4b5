public import AuthCore
import CurlHTTP
public import FoundationEssentials
import HTTPTypes

extension GraphClient {
  /// The profile photo of the signed-in user, 96 pixels wide and high, as an encoded image.
  ///
  /// This needs the permission `User.Read`.
  /// - Parameter authorization: the value of the `Authorization` header field.
  /// - Returns: at most 1 MB; nil when the user has no photo, or the token does not allow to read
  ///   it.
  /// - Throws: ``GraphError``.
  public func profilePhoto(authorization: Secret<String>) async throws(GraphError) -> Data? {
    do throws(GraphError) {
      return try await send(
        .get, "https://\(host)/v1.0/me/photos/96x96/$value", headers: [.accept: "image/*"],
        authorization: authorization, limits: Self.photoLimits
      ).body
    } catch {
      switch error.code {
      case .notFound, .forbidden: return nil
      default: throw error
      }
    }
  }

  private static let photoLimits = HTTPLimits(total: .seconds(30), bodySize: 1_000_000)
}
