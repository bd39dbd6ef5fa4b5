import IdentityEmulator

/// The command-line options.
struct Options {
  var configuration = EmulatorConfiguration()
  var endsWithStandardInput = false
  var showsHelp = false
  var listsFaults = false

  /// An error in the command line.
  struct UsageError: Error {
    let message: String
  }

  static let help = """
    Usage: identity-emulator [OPTION…]

    A stand-in for the Microsoft identity platform and Microsoft Graph on loopback.
    Its first line of output is JSON: where it is found, which CA to trust, who can sign in.
    After that, it writes a line for each request to standard error.

    In your program, set the authority, the address of Graph and the file with the CA, and
    switch instance discovery off, because Microsoft does not know this authority:
      MSAL Python:    PublicClientApplication(ID, authority=URL, instance_discovery=False,
                      verify=CA)
      MSAL.NET:       .WithAuthority(URL, false).WithInstanceDiscovery(false), SSL_CERT_FILE=CA
      azure-identity: authority=URL, disable_instance_discovery=True
      Graph SDKs:     base URL https://localhost:PORT/v1.0

    Each path is another service: Entra ID (/common), External ID (/customers.example), B2C
    (/shop.example/b2c_1_signin), AD FS (/adfs), and any OpenID Connect provider
    (/realms/Contoso).

      --port N                 listen on this port instead of a free one
      --token-lifetime SECONDS lifetime of access tokens (default: 3600)
      --redirect-via WAY       302, script, form, form-csp, meta or iframe (default: 302)
      --client-id GUID         register another application
      --redirect-uri URI       a redirect URI of the application last named; may be repeated
      --configuration FILE     add applications, APIs, tenants and users from a JSON file
      --colleagues N           how many made-up users Contoso has (default: 1000)
      --host NAME              a name of the server besides localhost; may be repeated
      --fault NAME             misbehave in this way; may be repeated
      --faults                 list the ways to misbehave
      --until-stdin-closes     end when standard input is closed
      --control                serve /control, for tests
      --help                   show this text

    """

  /// A line for each fault.
  static let faults: String = {
    let width = Fault.all.map(\.name.count).max() ?? 0
    return Fault.all.map { fault in
      let blanks = String(repeating: " ", count: width - fault.name.count)
      return "\(fault.name)\(blanks)  \(fault.meaning)\n"
    }.joined()
  }()

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var arguments = Array(arguments)[...]
    while let option = arguments.popFirst() {
      switch option {
      case "--port":
        configuration.port = try Self.number(option, &arguments, in: 0...65535)
      case "--token-lifetime":
        configuration.tokenLifetime = try Self.number(option, &arguments, in: 0...86400)
      case "--redirect-via":
        let name = try Self.value(option, &arguments)
        guard let delivery = RedirectDelivery(rawValue: name) else {
          let names = RedirectDelivery.allCases.map(\.rawValue).joined(separator: ", ")
          throw UsageError(message: "\(option) is one of \(names), not '\(name)'")
        }
        configuration.redirectDelivery = delivery
      case "--client-id":
        let clientID = try Self.value(option, &arguments).lowercased()
        configuration.clients.append(
          ClientRegistration(
            clientID: clientID, displayName: "Application \(clientID.prefix(8))",
            redirectURIs: ClientRegistration.demo.redirectURIs))
      case "--redirect-uri":
        let uri = try Self.value(option, &arguments)
        configuration.clients[configuration.clients.count - 1].redirectURIs.append(uri)
      case "--configuration":
        do {
          try configuration.add(contentsOf: try Self.value(option, &arguments))
        } catch let error as EmulatorConfiguration.FileError {
          throw UsageError(message: error.message)
        } catch {
          throw UsageError(message: "\(option) needs a value")
        }
      case "--colleagues":
        configuration.colleagueCount = try Self.number(option, &arguments, in: 0...100_000)
      case "--host": configuration.hostNames.append(try Self.value(option, &arguments))
      case "--fault":
        let name = try Self.value(option, &arguments)
        guard let fault = Fault(named: name) else {
          let names = Fault.names(like: name).joined(separator: ", ")
          throw UsageError(
            message: "there is no fault '\(name)'. Did you mean one of \(names)?"
              + " '--faults' lists them all")
        }
        configuration.faults.insert(fault)
      case "--faults": listsFaults = true
      case "--until-stdin-closes": endsWithStandardInput = true
      case "--control": configuration.isControlEnabled = true
      case "--help", "-h": showsHelp = true
      default: throw UsageError(message: "unknown option '\(option)'")
      }
    }
  }

  private static func value(_ option: String, _ arguments: inout ArraySlice<String>)
    throws(UsageError) -> String
  {
    guard let value = arguments.popFirst() else {
      throw UsageError(message: "\(option) needs a value")
    }
    return value
  }

  private static func number(
    _ option: String, _ arguments: inout ArraySlice<String>, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    let text = try value(option, &arguments)
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        message: "\(option) needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
