public import AuthCore
import HTTPTypes
import Sentences

/// What an organization's directory says of a device.
public struct DirectoryDevice: Sendable, Equatable {
  /// What the device is called there.
  public var displayName: String?
  /// Whether it keeps to the organization's rules; nil when the directory does not tell.
  public var isCompliant: Bool?
}

extension GraphClient {
  /// Looks a device up in the directory of the token's tenant.
  ///
  /// It needs a permission that an administrator grants, such as `Device.Read.All`.
  /// - Parameters:
  ///   - id: the device's ID, a GUID; see `DeviceInformation.deviceID`.
  ///   - authorization: the value of the `Authorization` header field.
  /// - Throws: ``GraphError``; with code ``GraphError/Code/forbidden`` without the permission.
  public func device(
    id: String, authorization: Secret<String>
  ) async throws(GraphError) -> DirectoryDevice {
    // A quote within a key is written twice (OData 4.01, URL Conventions, section 5.1.1.6.1).
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
