public import AuthCore
import HTTPTypes
import Sentences

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
  /// - Parameters:
  ///   - id: the device's ID, a GUID; see `DeviceInformation.deviceID`.
  ///   - authorization: the value of the `Authorization` header field.
  /// - Throws: ``GraphError``; with code ``GraphError/Code/forbidden`` without the permission.
  public func device(
    id: String, authorization: Secret<String>
  ) async throws(GraphError) -> DirectoryDevice {
    // A quotation mark in a key is doubled (OData 4.01, URL Conventions, section 5.1.1.6.1).
    let key = FormEncoding.percentEncoded(id.replacing("'", with: "''"))
    let url = "https://\(host)/v1.0/devices(deviceId='\(key)')?$select=isCompliant,displayName"
    let response = try await get(url, authorization: authorization)
    guard let json = try? response.json(), json.object != nil else {
      throw GraphError(
        .refused, Sentence("{service} sent an invalid response.", ["service": service]))
    }
    return DirectoryDevice(
      displayName: json["displayName"]?.string, isCompliant: json["isCompliant"]?.bool)
  }
}
