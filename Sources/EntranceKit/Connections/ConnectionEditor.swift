import AuthCore
public import Connections
import CurlHTTP
import Localization

/// What the form of one connection shows and does: takes what is typed, checks it, and writes it down.
@MainActor
public final class ConnectionEditor {
  /// All that the form shows, but for what is typed.
  public struct State: Sendable, Equatable {
    /// What does not fit; nil while nothing is known of it.
    public var problem: Problem?
    /// The answer of the sign-in service; nil when it was not asked.
    public var finding: Finding?
    /// Whether the sign-in service is being asked.
    public var isChecking = false
    /// The name that the connection was written down with; nil before.
    public var savedName: String?
    /// Whether the connection is written down.
    public var isDone: Bool { savedName != nil }
  }

  /// What does not fit, and where.
  public struct Problem: Sendable, Equatable {
    /// The field of `apps.json`, such as `clientID`; nil when it is none of them.
    public var field: String?
    /// A sentence for the person.
    public var text: String
    /// Whether it is what an import says, and no mistake of the person.
    public var isRemark = false
  }

  /// What the sign-in service says.
  public struct Finding: Sendable, Equatable {
    /// Whether it confirms client ID and redirect URI.
    public var isGood: Bool
    /// A sentence for the person.
    public var text: String
    /// The field of `apps.json` that does not fit, such as `clientID`; nil when none is known.
    public var field: String?
    /// What does not fit, if it is in a field.
    public var problem: Problem? { field.map { Problem(field: $0, text: text) } }
  }

  /// Whether the connection is new.
  public let isNew: Bool
  /// Why the form can only be read, in a sentence; nil when it can be changed.
  public let lockReason: String?
  /// Whether the form can only be read.
  public var isLocked: Bool { lockReason != nil }
  /// The form as it is filled in at first.
  public let form: ConnectionForm
  /// What the form shows now.
  public private(set) var state = State() {
    didSet { if state != oldValue { changes.notify(state) } }
  }
  /// Those who are told of each new state.
  public let changes = Observers<State>()

  private let list: ConnectionList
  private let name: String?
  private let fault: FaultyConnection?
  private let check: @Sendable (Connection) async throws(AuthenticationError) -> RegistrationCheck
  private let work = OneAtATime()

  /// Makes the model.
  ///
  /// - Parameters:
  ///   - name: The connection that is to be changed; nil for another one.
  ///   - fault: The entry that is to be changed, which has no name of its own; nil for a new one.
  ///   - list: Where it is written down.
  ///   - check: Asks the sign-in service of a connection.
  init(
    _ draft: ConnectionDraft, name: String?, correcting fault: FaultyConnection? = nil,
    list: ConnectionList,
    check: @escaping @Sendable (Connection) async throws(AuthenticationError) -> RegistrationCheck
  ) {
    form = ConnectionForm(draft, storage: fault.map(\.storage) ?? list.storage)
    if let name {
      lockReason = list.lockReason(of: name)
    } else {
      lockReason = list.state.lockReason
    }
    self.name = name
    self.fault = fault
    isNew = name == nil && fault == nil
    self.list = list
    self.check = check
    state = State(remarkOn: draft)
    if let fault { state = State(problem: Problem(fault.error, in: form)) }
  }

  /// Says that something else is typed: what the sign-in service said of it before is of no use any
  /// more, nor is a problem of one of these fields.
  ///
  /// - Parameter fields: the fields of `apps.json` that may fit now; nil for any of them.
  public func edited(_ fields: Set<String>? = nil) {
    work.cancel()
    var next = State()
    if let field = state.problem?.field, fields?.contains(field) == false {
      next.problem = state.problem
    }
    state = next
  }

  /// Fills a form with what `text` describes; what it does not say stays.
  ///
  /// - Parameter show: shows the form, which may call ``edited(_:)``.
  /// - Throws: when no client ID is found in the text; nothing is shown then.
  public func paste(
    _ text: String, into form: ConnectionForm, show: (ConnectionForm) -> Void
  ) throws(ConnectionFileError) {
    let draft = try ConnectionImport.firstDraft(from: text)
    var pasted = draft
    pasted.add(form.filled)
    show(ConnectionForm(pasted, storage: form.storage))
    state = State(remarkOn: draft)
  }

  /// Fills a form with what was pasted in place of the client ID, if it says more than that, such as
  /// the tenant.
  ///
  /// - Parameter show: shows the form, which may call ``edited(_:)``; it is not called otherwise.
  public func fillFromClientID(of form: ConnectionForm, show: (ConnectionForm) -> Void) {
    let text = form.draft.clientID
    // The client ID of another service can be any text.
    guard form.accounts != .other, !GUID.isValid(text.trimmed),
      let draft = try? ConnectionImport.firstDraft(from: text), draft.saysMoreThanClientID
    else { return }
    try? paste(text, into: form, show: show)
  }

  /// *Check*: asks the sign-in service whether it knows what is typed.
  ///
  /// - Returns: the work, for whoever wants to wait for it; nil when none was begun.
  @discardableResult
  public func check(_ form: ConnectionForm) -> Task<Void, Never>? {
    guard let connection = connection(of: form) else { return nil }
    return work.start { [self] in
      state = State(isChecking: true)
      let finding = await finding(connection, form)
      guard !Task.isCancelled else { return }
      state = State(finding: finding)
    }
  }

  /// *Save*: writes down what is typed.
  public func save(_ form: ConnectionForm) {
    guard !isLocked else { return }
    work.cancel()
    guard connection(of: form) != nil else { return }
    do throws(ConnectionFileError) {
      let filled = form.filled
      if let name {
        guard try list.replace(name, with: filled, storage: form.storage) else {
          return state = State(problem: Problem(text: ConnectionList.absence(of: name)))
        }
      } else if let fault {
        try list.correct(fault, by: filled, storage: form.storage)
      } else {
        try list.add(filled, storage: form.storage)
      }
      state = State(savedName: filled.name)
    } catch {
      state = State(problem: Problem(error))
    }
  }

  /// The accounts that an app can be created with, without this form.
  public func accountsForCreation() async -> [CreatingAccount] { await list.accountsForCreation() }

  /// Stops asking: the form is closed.
  public func close() { work.cancel() }

  /// The connection that a form describes; nil when something does not fit, which the state tells.
  private func connection(of form: ConnectionForm) -> Connection? {
    if form.hasDirectory, form.directory.firstRange(of: "://") != nil {
      state = State(
        problem: Problem(
          field: "authority",
          text: tr("This is the address of a service. Choose “Other service” to enter it.")))
      return nil
    }
    var complete = form
    // Other fields are told first: they are above it.
    if form.lacksDirectory { complete.directory = "organizations" }
    do throws(ConnectionFileError) {
      let connection = try complete.filled.connection()
      guard form.lacksDirectory else { return connection }
      let text =
        form.accounts == .customers
        ? ConnectionEditor.Problem.noExternalTenant
        : tr("Enter the directory (tenant) ID or a domain of the organization.")
      state = State(problem: Problem(field: "authority", text: text))
    } catch {
      state = State(problem: Problem(error, in: form))
    }
    return nil
  }

  private func finding(_ connection: Connection, _ form: ConnectionForm) async -> Finding {
    do throws(AuthenticationError) {
      return Finding(isGood: true, text: tr(try await check(connection).sentence))
    } catch {
      let advice = Notice.advice(for: error.failureKind, at: connection)
      let authority = connection.application.authority
      let place =
        error.isAboutAddress
        ? tr(
          "The configuration of the service is expected at {url}.",
          ["url": OpenIDConfiguration.url(for: authority)])
        : nil
      let text = join([tr(error.noticeReason), place, advice].compactMap(\.self))
      // One of Microsoft's hosts, which is not typed, may not be reached; what is typed can be right.
      let isMissing = [.noConnection, .notReachable, .noResponse].contains(error.failureKind)
      let isOfHost = isMissing || error.isAboutAddress
      return Finding(
        isGood: false, text: text, field: isOfHost && !form.hasTypedHost ? nil : error.field)
    }
  }
}

extension ConnectionEditor.State {
  /// Begins with what an import says of a draft.
  fileprivate init(remarkOn draft: ConnectionDraft) {
    let field = draft.remarks.lazy.compactMap(\.field).first
    problem = draft.remark.map {
      ConnectionEditor.Problem(field: field, text: tr($0), isRemark: true)
    }
  }
}

extension ConnectionEditor.Problem {
  fileprivate static var noExternalTenant: String {
    tr("Enter the name of the external tenant, or its domain.")
  }

  /// What does not fit in `form`, in terms of what was typed in it.
  fileprivate init(_ error: ConnectionFileError, in form: ConnectionForm) {
    self.init(error)
    guard error.isAboutAuthority else { return }
    if form.hasAddressOfAnotherKind {
      let advice = tr("If it is another kind of service, choose it under “Kind of Service”.")
      text = join([text, advice])
    } else if form.hasTenant {
      text =
        form.accounts == .customers
        ? Self.noExternalTenant
        : tr(
          "A tenant is a domain such as {domain}, or an ID such as {id}.",
          ["domain": "contoso.com", "id": "11111111-2222-3333-4444-555555555555"])
    }
  }

  init(_ error: ConnectionFileError) {
    field = error.fieldName
    text = (error.field == nil ? tr(error.sentence) : tr(error.reason)).asSentence
  }
}

extension String {
  /// A reason, which begins small and has no full stop, as a sentence of its own.
  fileprivate var asSentence: String {
    prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
  }
}
