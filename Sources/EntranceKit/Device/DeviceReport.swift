public import AuthCore
public import Connections
public import MicrosoftGraph
import Localization

/// The result of *Get device info*, as a list of facts.
public struct DeviceReport: Sendable, Equatable {
  /// One fact.
  public struct Fact: Sendable, Equatable {
    /// The name for programs.
    public var name: String
    /// The label for the user.
    public var label: String
    /// The value for the user.
    public var text: String
    /// The value for programs; null when it is unknown.
    public var value: JSON
  }

  /// Who uses the device.
  public var mode: DeviceInformation.Mode
  /// All facts, including unknown ones.
  public var facts: [Fact]
}

extension DeviceReport {
  /// Queries the system, the identity broker and, if no interaction is needed, the directory.
  ///
  /// - Parameter account: the account whose directory is queried; nil for the current one.
  public init(
    _ application: PublicClientApplication, _ graph: GraphClient, _ connection: Connection,
    account: Account? = nil
  ) async {
    let device = await application.deviceInformation()
    let compliance = await Compliance(of: device, application, graph, connection, account)
    self.init(device, compliance)
  }

  private init(_ device: DeviceInformation, _ compliance: Compliance) {
    mode = device.mode
    facts = [
      Fact(device.mode),
      Fact(device.operatingSystem, "operatingSystem", tr("Operating system")),
      Fact(device.operatingSystemID, "operatingSystemID", tr("System ID")),
      Fact(device.operatingSystemVersion, "operatingSystemVersion", tr("System version")),
      Fact(device.kernelVersion, "kernelVersion", tr("Kernel")),
      Fact(device.architecture, "architecture", tr("Architecture")),
      Fact(device.systemEncryption, "systemEncryption", tr("Encryption of the system disk")),
      Fact(device.homeEncryption, "homeEncryption", tr("Encryption of the home directory")),
      Fact(device.isSecureBootOn, "isSecureBootOn", tr("Secure boot"), (tr("on"), tr("off"))),
      Fact(device.broker),
      Fact(
        device.deviceID, "deviceID", tr("Device ID"),
        unknown: tr("no token from an identity broker contains it")),
    ]
    switch compliance {
    case .known(let isCompliant):
      facts.append(
        Fact(isCompliant, "isCompliant", tr("Compliance"), (tr("compliant"), tr("not compliant"))))
    case .unknown(let reason):
      facts.append(Fact(nil, "isCompliant", tr("Compliance"), unknown: reason))
    }
  }
}

extension DeviceReport.Fact {
  fileprivate init(_ text: String?, _ name: String, _ label: String, unknown reason: String? = nil)
  {
    let unknown = reason.map { tr("not known: {reason}", ["reason": $0]) } ?? tr("not known")
    self.init(
      name: name, label: label, text: text ?? unknown, value: text.map { .string($0) } ?? .null)
  }

  fileprivate init(
    _ value: Bool?, _ name: String, _ label: String, _ words: (yes: String, no: String)
  ) {
    self.init(value.map { $0 ? words.yes : words.no }, name, label)
    self.value = value.map { .bool($0) } ?? .null
  }

  fileprivate init(_ mode: DeviceInformation.Mode) {
    let text =
      switch mode {
      case .private: tr("private")
      case .shared: tr("shared")
      }
    self.init(text, "mode", tr("Mode"))
    value = .string(mode.rawValue)
  }

  fileprivate init(_ encryption: DiskEncryption?, _ name: String, _ label: String) {
    let text =
      switch encryption {
      case .encrypted: tr("encrypted")
      case .notFound: tr("none found")
      case nil: nil as String?
      }
    self.init(text, name, label)
    value = encryption.map { .string($0.rawValue) } ?? .null
  }

  fileprivate init(_ broker: DeviceInformation.Broker?) {
    let (name, label) = ("brokerVersion", tr("Identity broker"))
    switch broker {
    case .present(let version): self.init(version, name, label)
    case .failed(let error): self.init(nil, name, label, unknown: tr(error.sentence))
    case .absent:
      self.init(tr("none"), name, label)
      value = .null
    case nil: self.init(nil as String?, name, label)
    }
  }
}

/// Whether the organization considers the device compliant.
private enum Compliance {
  case known(Bool)
  case unknown(reason: String)

  /// Queries Microsoft Graph, with a token that needs no interaction.
  init(
    of device: DeviceInformation, _ application: PublicClientApplication, _ graph: GraphClient,
    _ connection: Connection, _ selected: Account?
  ) async {
    guard let id = device.deviceID else {
      self = .unknown(reason: tr("the device ID is not known"))
      return
    }
    guard connection.isMicrosoftGraph else {
      self = .unknown(reason: tr("the app does not use Microsoft Graph"))
      return
    }
    var account = selected
    if account == nil { account = await application.currentAccount().current }
    guard let account else {
      self = .unknown(reason: tr("no account is signed in"))
      return
    }
    let authorization: Secret<String>
    do throws(AuthenticationError) {
      authorization = try await application.acquireTokenSilent(
        SilentTokenParameters(scopes: connection.scopes, account: account)
      ).authorizationHeader
    } catch {
      self = .unknown(reason: tr(error.sentence))
      return
    }
    do throws(GraphError) {
      let found = try await graph.authorized(by: authorization, of: account, in: application)
        .device(id: id)
      self =
        found.isCompliant.map { .known($0) }
        ?? .unknown(reason: tr("the directory does not report it"))
    } catch {
      self = .unknown(reason: tr(error.sentence))
    }
  }
}

extension Connection {
  /// Whether the API is Microsoft Graph, recognized by its version path.
  var isMicrosoftGraph: Bool {
    let segments = api.split(separator: "/")
    return segments.count > 2 && ["v1.0", "beta"].contains(segments[2])
  }
}
