import AuthCore
import Clients
import Connections
import FoundationEssentials
import Glibc
import IdentityBroker
import Sentences

/// Checks of what the desktop provides.
struct DesktopChecks {
  /// Looks for the session bus.
  func sessionBus(isNeeded: Bool) async -> Finding {
    guard await SessionBus.presence(of: "org.freedesktop.DBus") != .noBus else {
      guard isNeeded else {
        return .absent(
          "sessionBus", Sentence("There is no D-Bus session bus, and none is needed"))
      }
      return .problem(
        "sessionBus",
        Sentence("There is no D-Bus session bus, so the keyring cannot be reached."),
        Sentence("Start the program from a desktop session, or under 'dbus-run-session'."))
    }
    return .ok("sessionBus", Sentence("The D-Bus session bus responds"))
  }

  /// Looks for an identity broker, and asks it who may use `connection`.
  func broker(_ connection: Connection?) async -> Finding {
    guard await SessionBus.presence(of: LinuxIdentityBroker.name) == .present else {
      return .absent(
        "broker",
        Sentence("There is no identity broker on the session bus; only managed devices have one"))
    }
    guard let connection else {
      return .ok("broker", Sentence("There is an identity broker on the session bus"))
    }
    let application = connection.application
    do throws(AuthenticationError) {
      let accounts = try await Client.broker(for: connection).accounts(
        clientID: application.clientID, correlationID: UUID().uuidString.lowercased())
      guard let accounts else {
        return .absent("broker", Sentence("The identity broker has left the session bus"))
      }
      return .ok(
        "broker",
        Sentence(
          "An identity broker responds; accounts: {number}", ["number": accounts.count]))
    } catch let error where error.needsPages {
      return .absent(
        "broker",
        Sentence(
          "The identity broker cannot be used ({error}); sign-ins use the sign-in pages",
          ["error": error.sentence.withoutFullStop]))
    } catch {
      let message =
        error.serverDescription.map {
          Sentence(
            "{error} ({words}).", ["error": error.sentence.withoutFullStop, "words": $0])
        } ?? error.sentence
      let advice = Sentence(
        "Restart it or the computer, or contact your organization’s support.")
      return application.isBrokerRedirectURIRegistered
        ? .problem("broker", message, advice) : .warning("broker", message, advice)
    }
  }

  /// Looks whether the library of Entrance's sign-in window can be loaded.
  func webKit() -> Finding {
    let library = "libwebkitgtk-6.0.so.4"
    // It stays: WebKit's threads do not live through being unloaded.
    guard dlopen(library, RTLD_LAZY | RTLD_LOCAL | Int32(RTLD_NODELETE)) != nil else {
      return problemOfWindow(
        "webKit",
        Sentence(
          "Entrance’s sign-in window needs WebKitGTK, but {library} cannot be loaded.",
          ["library": library]),
        Sentence("Install the package libwebkitgtk-6.0-4. This command does not need it."))
    }
    return .ok("webKit", Sentence("WebKitGTK can be loaded ({library})", ["library": library]))
  }

  /// Looks how web pages are isolated.
  func sandbox() async -> Finding {
    let sandbox = PageSandbox.current
    for program in sandbox.programs where ProcessEnvironment.program(program.name) == nil {
      return problemOfWindow(
        "sandbox",
        Sentence(
          "WebKitGTK’s sandbox needs the program “{program}”, which is missing.",
          ["program": program.name]),
        Sentence("Install the package {package}.", ["package": program.package]))
    }
    guard let trial = sandbox.trial else {
      return .warning(
        "sandbox",
        Sentence("In a Snap package, web pages are not isolated from Entrance’s own files."),
        Sentence("If that matters, install Entrance as a Debian package or with Flatpak."))
    }
    if await ChildProcess.run(trial) {
      return .ok(
        "sandbox", Sentence("Web pages can run in a sandbox ({program})", ["program": trial[0]]))
    }
    return problemOfWindow(
      "sandbox", Sentence("This system does not let WebKitGTK run web pages in a sandbox."),
      advice(sandbox))
  }

  /// A problem of Entrance's window; none where only this command is installed, as on a server.
  private func problemOfWindow(
    _ name: String, _ message: Sentence, _ advice: Sentence
  ) -> Finding {
    let isBeside = access("\(DataDirectories.executableDirectory)/entrance", X_OK) == 0
    guard !isBeside, ProcessEnvironment.program("entrance") == nil else {
      return .problem(name, message, advice)
    }
    return .absent(
      name,
      Sentence(
        "{problem}; only Entrance’s window needs this, and it is not installed",
        ["problem": message.withoutFullStop]))
  }

  private func advice(_ sandbox: PageSandbox) -> Sentence {
    if sandbox == .flatpak { return Sentence("Update Flatpak.") }
    switch PageSandbox.obstacle {
    case .appArmor:
      return Sentence("Give Entrance an AppArmor profile with the permission 'userns'.")
    case .setting(let name):
      return Sentence("Set the kernel setting '{name}' to a number above 0.", ["name": name])
    case nil:
      return Sentence("Allow unprivileged user namespaces.")
    }
  }

  /// Looks whether a page can be opened in the browser.
  ///
  /// - Parameter signIn: the command that signs someone in to the app.
  func browser(_ signIn: SuggestedSignIn) -> Finding {
    if !ProcessEnvironment.hasDisplay {
      return .absent(
        "browser",
        Sentence(
          "There is no display for a browser; '{command}' works without one",
          ["command": signIn.using(deviceCode: true).text]))
    }
    if let command = ProcessEnvironment.variable("BROWSER") {
      return .ok(
        "browser",
        Sentence("The browser is opened with '{command}' (BROWSER)", ["command": command]))
    }
    guard ProcessEnvironment.program("xdg-open") != nil else {
      return .problem(
        "browser", Sentence("No browser can be opened: 'xdg-open' is missing."),
        Sentence(
          "Install the package xdg-utils, or set a browser in the environment variable BROWSER."))
    }
    return .ok("browser", Sentence("The browser is opened with 'xdg-open'"))
  }
}
