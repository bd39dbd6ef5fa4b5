import AuthCore
import IdentityEmulator
import Testing

/// A sign-in service of the emulator, with its characteristics.
struct Service: Sendable, CustomTestStringConvertible {
  /// The path of the authority.
  var path: String
  var kind: Authority.Kind
  /// A scope of its API.
  var scope: String
  /// The URL of that API.
  var api = "/api/me"
  /// The pages of a first sign-in after user name and password.
  var pages: [String] = []

  var testDescription: String { "\(kind): \(path)" }

  static let entra = Service(
    path: "/common", kind: .entra, scope: "User.Read", api: "/v1.0/me",
    pages: ["consent", "stay-signed-in"])
  static let tenant = Service(
    path: "/contoso.example", kind: .entra, scope: "User.Read", api: "/v1.0/me",
    pages: ["consent", "stay-signed-in"])
  static let externalID = Service(
    path: "/customers.example", kind: .externalID, scope: "User.Read", api: "/v1.0/me",
    pages: ["stay-signed-in"])
  static let b2c = Service(
    path: "/shop.example/B2C_1_signin", kind: .b2c, scope: "https://shop.example/api/demo.read")
  static let b2cWithPrefix = Service(
    path: "/tfp/shop.example/B2C_1_signin", kind: .b2c, scope: "https://shop.example/api/demo.read")
  static let adfs = Service(
    path: "/adfs", kind: .adfs, scope: "https://api.contoso.example/demo.read")
  static let oidc = Service(
    path: "/realms/Contoso", kind: .oidc, scope: "demo.read", pages: ["consent"])

  static let all = [entra, externalID, b2c, b2cWithPrefix, adfs, oidc]

  func authority(_ running: Emulator.Running) throws -> Authority {
    try Authority(running.baseURL + path, kind: kind)
  }
}
