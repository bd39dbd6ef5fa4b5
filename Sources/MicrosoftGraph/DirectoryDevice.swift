import AuthCore
import HTTPTypes

/// A device in an organization's directory.
public struct DirectoryDevice: Sendable, Equatable {
  /// The device's name in the directory.
  public var displayName: String?
  /// Whether the device is compliant; nil when the directory does not say.
  public var isCompliant: Bool?
}

extension GraphClient {
  /// Looks up a device in the directory of the token's tenant.
  ///
  /// This needs a permission that an administrator grants, such as `Device.Read.All`.
  /// - Parameter id: the device's ID, a GUID; see `DeviceInformation.deviceID`.
  /// - Throws: ``GraphError``; with code ``GraphError/Code/forbidden`` without the permission.
  public func device(id: String) async throws(GraphError) -> DirectoryDevice {
    var client = self
    client.version = .v1
    let response = try await client.get(
      "/devices(deviceId='\(id)')?$select=isCompliant,displayName")
    guard let json = try? response.json(), json.object != nil else {
      throw GraphError.invalid(.refused)
    }
    return DirectoryDevice(
      displayName: json["displayName"]?.string, isCompliant: json["isCompliant"]?.bool)
  }
}
