import AuthCore
import Clients
import Connections
import CurlHTTP
import FoundationEssentials
import MicrosoftGraph
import SecretStore
import Sentences

/// A client of the connection that a command works with, and the person at the terminal.
struct CommandContext {
  let client: Client
  /// Asks the person at the terminal.
  let prompt: PassphrasePrompt
  /// What records the requests; nil when nothing does.
  let cassette: Cassette?
  /// The command that signs someone in to the app.
  let signIn: SuggestedSignIn
  /// What was said about the store: once is enough, however often it is checked.
  let reported = LockedValue<Set<String>>([])

  var connection: Connection { client.connection }
  var application: PublicClientApplication { client.application }

  /// Opens the connection that the options name, or the first one.
  ///
  /// - Parameters:
  ///   - asksPerson: whether someone may be asked anything.
  ///   - recording: the file that the requests are recorded in.
  init(
    _ options: CommonOptions, asksPerson: Bool = true, recording: String? = nil
  ) throws(CommandError) {
    try self.init(
      Self.find(options.connection), options, asksPerson: asksPerson, recording: recording)
  }

  /// Opens `connection`.
  init(
    _ connection: Connection, _ options: CommonOptions, asksPerson: Bool,
    recording: String? = nil
  ) throws(CommandError) {
    var connection = connection
    let files = ConnectionFiles.standard
    for exposure in ([files.own] + files.system).compactMap(ConnectionFile.exposure) {
      Output.warn(exposure)
    }
    connection.application.isSharedDevice = Administration.isSharedDevice
    signIn = try .to(connection.name)
    prompt = PassphrasePrompt(file: options.passphraseFile, asksPerson: asksPerson)
    let redirectURI: RedirectURI
    do throws(AuthenticationError) {
      redirectURI = try connection.loopbackRedirectURI()
    } catch {
      throw CommandError(error, signIn: signIn)
    }
    var cassette: Cassette?
    var failure: GraphError?
    client = Client(
      connection, asksPerson: asksPerson, redirectURI: redirectURI
    ) { transport in
      guard let recording else { return transport }
      do throws(GraphError) {
        let recorder = try Cassette(recordingTo: recording, over: transport)
        cassette = recorder
        return recorder
      } catch {
        failure = error
        return transport
      }
    }
    self.cassette = cassette
    if let failure {
      var error = CommandError(failure)
      error.nextStep = Sentence("Choose another file.")
      throw error
    }
  }

  /// The connection called `name`, or the first one.
  ///
  /// - Parameter option: the option that names it; nil for an argument.
  static func find(
    _ name: String?, of option: String? = "--app"
  ) throws(CommandError) -> Connection {
    let connections = try all()
    guard let first = connections.first else {
      throw CommandError(
        "noApp", Sentence("There is no app to sign in with."),
        nextStep: Sentence(
          "Add one: 'entrancectl app add --client-id ID' or 'entrancectl app add FILE'. To register"
            + " one, run the command that 'entrancectl app create' prints; 'man entrancectl' shows"
            + " more. It is then in {path}.", ["path": ConnectionFiles.standard.own]))
    }
    guard let name else { return first }
    guard let connection = connections.first(where: { $0.name == name }) else {
      throw CommandError(
        option: option,
        Sentence("There is no app called “{name}”.", ["name": name]),
        nextStep: Sentence(
          "Choose one of these: {names}.",
          ["names": connections.map(\.name).joined(separator: ", ")]))
    }
    return connection
  }

  /// All connections.
  static func all() throws(CommandError) -> [Connection] {
    let files = ConnectionFiles.standard
    do throws(ConnectionFileError) {
      return try files.load()
    } catch {
      throw CommandError(error, path: files.own)
    }
  }

  /// All that is in the connection's token cache.
  ///
  /// - Parameter isExport: whether it can take the place of an earlier export, which an empty one must
  ///   not: accounts can be in a keyring that is not found from here.
  func contents(isExport: Bool = false) async throws(CommandError) -> UnifiedCache {
    try await open()
    if !isExport, await hasNoStoreYet { return UnifiedCache() }
    return try await storing { () async throws(AuthenticationError) in
      try await UnifiedCache(of: client.store)
    }
  }

  /// All accounts, the one used for the latest sign-in first.
  ///
  /// - Throws: when the store cannot be read, or none is found and they can be in a keyring that is not
  ///   found from here: what is kept there is not known then.
  func accounts() async throws(CommandError) -> [Account] {
    let accounts = try await found()
    if accounts.isEmpty { try await checkKeyring() }
    await warnOfMissingKeyring()
    return accounts
  }

  /// Sees whether accounts of which none is found cannot be in a keyring that is not found from here.
  func checkKeyring() async throws(CommandError) {
    guard let absence = await keyringAbsence else { return }
    throw CommandError(
      AuthenticationError(.accountNotFound, Self.notFound(because: absence)), signIn: signIn)
  }

  /// All accounts that can be found from here.
  private func found() async throws(CommandError) -> [Account] {
    try await open()
    let accounts = try await reading { await $0.accounts() }
    try await checkStorage()
    if let failure = await application.brokerFailure {
      // Who it knows is not known then, which is not the same as nobody.
      guard !accounts.isEmpty else { throw CommandError(failure, signIn: signIn) }
      Output.warn(failure.sentence)
    }
    return accounts
  }

  /// What `read` finds of the accounts: the one way in which commands read them.
  ///
  /// - Throws: when the command was canceled, because then `read` may have found none of those that
  ///   are there.
  func reading<Value>(
    _ read: (PublicClientApplication) async -> Value
  ) async throws(CommandError) -> Value {
    let found = await read(application)
    guard !Task.isCancelled else { throw Self.canceled }
    return found
  }

  /// The command was canceled before it had the accounts.
  static var canceled: CommandError {
    CommandError(
      AuthenticationError(
        .userCanceled, Sentence("Access to the accounts was canceled."), step: .storage))
  }

  /// Sees whether accounts could be read and kept; what is merely amiss is said.
  ///
  /// - Throws: when the store cannot be read or written.
  func checkStorage() async throws(CommandError) {
    guard let failure = await application.storageFailure else { return }
    // The keyring was not too slow: the person no longer waits for it.
    guard !Task.isCancelled else { throw Self.canceled }
    guard await !hasNoStoreYet else { return }
    guard failure.code == .storageIncomplete else { throw await storageError(failure) }
    guard reported.withLock({ $0.insert("\(failure.sentence)").inserted }) else { return }
    Output.warn(failure.sentence)
    for case let id? in await application.lostAccounts().map(\.id) {
      Output.warn(
        Sentence(
          "To remove what is left of it, run '{command}'.",
          ["command": signIn.other("sign-out", [(name: "--account", value: id)])]))
    }
  }

  /// Removes what is left of the accounts that the store has lost: the one with the ID `name`, or
  /// all.
  ///
  /// - Returns: how many there were.
  func removeLostAccounts(_ name: String?) async throws(CommandError) -> Int {
    let lost = try await reading { await $0.lostAccounts() }.filter {
      name == nil || $0.id == name
    }
    try await storing { () async throws(AuthenticationError) -> Void in
      for account in lost { try await application.forget(account) }
    }
    return lost.count
  }

  /// Sees whether an account could be kept.
  func checkWriting() async throws(CommandError) {
    try await storing { () async throws(AuthenticationError) in
      try await application.checkStorage()
    }
  }

  /// Whether nothing has been kept on this computer yet, where that takes a passphrase: nobody is
  /// signed in, which is no failure.
  private var hasNoStoreYet: Bool {
    get async { await client.ownStore?.choice.passphrase == .new }
  }

  /// Does `work` with the store.
  func storing<Value>(
    _ work: () async throws(AuthenticationError) -> Value
  ) async throws(CommandError) -> Value {
    do throws(AuthenticationError) {
      return try await work()
    } catch {
      guard !Task.isCancelled else { throw Self.canceled }
      throw await storageError(error)
    }
  }

  /// Why a command that needs the store fails, and what to do about it: the same for all commands.
  func storageError(_ failure: AuthenticationError) async -> CommandError {
    if !prompt.asksPerson, await client.ownStore?.isKeyringLocked == true {
      return .inputRequired(
        Sentence("The keyring is locked."),
        nextStep: Sentence("Unlock it, or run the command without --no-input."))
    }
    var error = CommandError(failure, signIn: signIn)
    if let advice = await keyringAdvice() { error.nextStep = advice }
    return error
  }

  /// What to do about the keyring that has the accounts; nil when nothing is known to help.
  private func keyringAdvice() async -> Sentence? {
    guard await client.ownStore?.choice.kind == .secretService else { return nil }
    let keyring = Client.keyring
    return await keyring.presence().advice(keyring.provider())
  }

  /// Why accounts that are in a keyring cannot be seen from here, such as with SSH; nil when none is
  /// hidden.
  var keyringAbsence: Sentence? {
    get async {
      guard connection.storage == nil, await hasNoStoreYet else { return nil }
      return await Client.keyring.presence().absence
    }
  }

  /// Says, once, that accounts can be in a keyring which is not to be found from here.
  private func warnOfMissingKeyring() async {
    guard let absence = await keyringAbsence,
      reported.withLock({ $0.insert("\(absence)").inserted })
    else { return }
    Output.warn(Self.notFound(because: absence))
  }

  private static func notFound(because absence: Sentence) -> Sentence {
    Sentence("Accounts in a keyring are not found, because {reason}.", ["reason": absence])
  }

  /// The account called `name`, or the one used for the latest sign-in.
  ///
  /// The identity broker is asked only when it is none of those that are kept here.
  ///
  /// - Parameter choice: what a token of the account is for.
  func account(
    _ name: String?, for choice: ScopeChoice? = nil
  ) async throws(CommandError) -> Account {
    try await open()
    await warnOfMissingKeyring()
    if let name, !name.contains("@") {
      // By its ID an account is found without reading all others.
      let named = try await reading { await $0.ownAccounts(AccountFilter(identifier: name)) }
      try await checkStorage()
      if let account = try choose(name, among: named) { return account }
    }
    let own = try await reading { await $0.ownAccounts() }
    try await checkStorage()
    if let account = try choose(name, among: own) { return account }
    let all = try await found()
    if let account = try choose(name, among: all) { return account }
    guard let name, !all.isEmpty else {
      throw CommandError(
        AuthenticationError(.accountNotFound, Sentence("No account is signed in.")),
        signIn: signIn(with: choice))
    }
    var error = CommandError(
      AuthenticationError(
        .accountNotFound, Sentence("The account “{name}” is not signed in.", ["name": name])))
    error.nextStep = Sentence(
      "To list the signed-in accounts, run '{command}'.", ["command": signIn.other("accounts")])
    throw error
  }

  /// The one of `accounts` that is called `name`, or the first; those that sign in where the connection does
  /// come before others.
  private func choose(
    _ name: String?, among accounts: [Account]
  ) throws(CommandError) -> Account? {
    let called = name.map { name in accounts.filter { $0.matches(name) } } ?? accounts
    let here = called.filter(application.isAccount)
    let matches = here.isEmpty ? called : here
    guard let name, matches.count > 1 else { return matches.first }
    throw CommandError(
      "ambiguousAccount", Sentence("Several accounts have the name “{name}”.", ["name": name]),
      nextStep: Sentence(
        "Specify one by its ID: {ids}.", ["ids": matches.map(\.id).joined(separator: ", ")]))
  }

  /// The command that signs someone in to the app with the permissions of `choice`.
  func signIn(with choice: ScopeChoice?) -> SuggestedSignIn {
    let scopes = choice?.scopes ?? []
    return SuggestedSignIn(app: signIn.app, scopes: scopes == connection.scopes ? [] : scopes)
  }
}

extension Account {
  /// Whether a person means this account by `name`.
  func matches(_ name: String) -> Bool {
    id == name || username.lowercased() == name.lowercased()
  }
}
