import AuthCore
import Connections
import EntranceKit
import Gtk
import Localization

/// The widgets of a ``ConnectionForm``.
@MainActor
final class ConnectionFormView {
  private var original: ConnectionForm
  /// The fields with the same text as in the file.
  private let rows: [(field: ConnectionField<String>, row: EntryRow)]
  private let accounts: ComboRow
  private let cloud: ComboRow
  private let directory: EntryRow
  private let address: EntryRow
  private let kind: ComboRow
  private let permissions: EntryRow
  private let advanced: ExpanderRow
  private let broker: Switch
  private let storage: ComboRow
  private let cache: ComboRow
  private let cachePath: EntryRow
  private let cacheSchema: EntryRow
  private let cacheTenant: EntryRow
  private let cacheEncoding: ComboRow
  /// What is wrong with a field, below its row.
  private let messageRow: Widget
  private let messageLabel: Label
  /// The row of the field with the mistake; nil while none is known.
  private var wrongRow: Widget?

  /// Fills the fields in with `form`.
  init(_ builder: Builder, _ form: ConnectionForm) {
    original = form
    rows = ConnectionFields.rows.map { ($0, builder.object("\($0.name)_row")) }
    accounts = builder.object("accounts_row")
    cloud = builder.object("cloud_row")
    directory = builder.object("directory_row")
    address = builder.object("address_row")
    kind = builder.object("kind_row")
    permissions = builder.object("permissions_row")
    advanced = builder.object("advanced_row")
    broker = builder.object("broker_switch")
    storage = builder.object("storage_row")
    cache = builder.object("cache_row")
    cachePath = builder.object("cache_path_row")
    cacheSchema = builder.object("cache_schema_row")
    cacheTenant = builder.object("cache_tenant_row")
    cacheEncoding = builder.object("cache_encoding_row")
    messageRow = builder.object("message_row")
    messageLabel = builder.object("message_label")
    let scroller: ScrolledWindow = builder.object("form_scroller")
    scroller.keepFocusInSight(with: messageRow)
    accounts.setChoices(ConnectionForm.Accounts.allCases.map(\.label))
    cloud.setChoices(ConnectionForm.Cloud.allCases.map(\.label))
    kind.setChoices(Self.kinds.map { $0?.label ?? tr("Automatic") })
    storage.setChoices(Self.storages.map { $0?.label ?? tr("Automatic") })
    cache.setChoices(CacheForm.Kind.allCases.map(\.label))
    cacheEncoding.setChoices(SharedKeyringItem.Encoding.allCases.map(\.label))
    fill(form)
    for row in combos { row.onChange { [weak self] in self?.showNeeded() } }
    showNeeded()
  }

  /// The form with the current input.
  var content: ConnectionForm {
    var form = original
    for (field, row) in rows { form.draft[field] = row.text }
    form.accounts = ConnectionForm.Accounts.allCases[accounts.selected]
    form.cloud = ConnectionForm.Cloud.allCases[cloud.selected]
    form.directory = directory.text
    form.address = address.text
    form.permissions = permissions.text
    form.draft.authorityKind = Self.kinds[kind.selected]
    form.draft.isBrokerRedirectURIRegistered = broker.isOn
    form.storage = Self.storages[storage.selected]
    form.cache.kind = CacheForm.Kind.allCases[cache.selected]
    form.cache.path = cachePath.text
    form.cache.schema = cacheSchema.text
    form.cache.tenant = cacheTenant.text
    form.cache.encoding = SharedKeyringItem.Encoding.allCases[cacheEncoding.selected]
    return form
  }

  /// Replaces the current input with `form`.
  func show(_ form: ConnectionForm) {
    original = form
    fill(form)
    showNeeded()
  }

  /// Enters the path of a file that was chosen.
  func setCAFile(_ path: String) { row(of: "caFile")?.text = path }

  /// Runs `handler` when the input changes, with the fields of `apps.json` that may fit now; nil for
  /// any of them.
  func onChange(_ handler: @escaping @MainActor (_ fields: Set<String>?) -> Void) {
    // What an API gets must fit what is asked for.
    let fieldsOfAPI: Set = ["api", "scopes"]
    let fieldsOfAuthority: Set = ["authority", "knownAuthorities", "authorityKind"]
    let fieldsOfCache: Set = [
      "cache", "preset", "path", "signalFile", "schema", "tenant", "encoding", "attributes",
      "label", "collection", "ignoresSchema", "storage",
    ]
    for (field, row) in rows {
      let name = field.name
      row.onChange { handler(fieldsOfAPI.contains(name) ? fieldsOfAPI : [name]) }
    }
    permissions.onChange { handler(fieldsOfAPI) }
    for row in [directory, address] { row.onChange { handler(fieldsOfAuthority) } }
    cloud.onChange { handler(fieldsOfAuthority) }
    // They decide what the other fields may be.
    for row in [accounts, kind] { row.onChange { handler(nil) } }
    for row in [cachePath, cacheSchema, cacheTenant] { row.onChange { handler(fieldsOfCache) } }
    for row in [storage, cache, cacheEncoding] { row.onChange { handler(fieldsOfCache) } }
    broker.onChange { handler(["isBrokerRedirectURIRegistered", "redirectURI"]) }
  }

  /// Runs `handler` when Enter is pressed in a field.
  func onEnter(_ handler: @escaping @MainActor () -> Void) {
    for row in entries { row.onEnter(handler) }
  }

  /// Expands the row that contains a field of `apps.json`.
  func unfold(_ field: String) {
    guard let widget = widget(of: field), advancedWidgets.contains(widget) else { return }
    advanced.isExpanded = true
  }

  /// Gives the keyboard focus to a field of `apps.json`, or else to the first field that is needed
  /// and empty.
  func focus(_ field: String) {
    if let widget = widget(of: field), widget.grabFocus() { return }
    let needed = [row(of: "name"), row(of: "clientID")].compactMap(\.self)
    (needed.first { $0.text.isEmpty } ?? needed.last)?.grabFocus()
  }

  /// Whether it says what is wrong with a field.
  var showsMistake: Bool { wrongRow != nil }

  /// Marks the field of a problem, says below it what is wrong, and gives it the keyboard focus.
  ///
  /// - Parameter isAnswer: whether the person has tried to save it: what is typed or pasted next then
  ///   replaces what was refused, also while the field has the focus. What a check finds comes later,
  ///   perhaps while something is typed.
  func mark(_ problem: ConnectionEditor.Problem?, isAnswer: Bool) {
    let field = (problem?.field).flatMap { widget(of: $0) }.flatMap { $0.isVisible ? $0 : nil }
    let row = field?.listRow
    if let wrongRow, wrongRow != row {
      wrongRow.color(as: nil)
      wrongRow.cast(to: EntryRow.self)?.setAccessibleDescription("")
    }
    wrongRow = row
    let text = row == nil ? "" : problem?.text ?? ""
    messageLabel.text = text
    messageLabel.color(as: problem)
    messageRow.setAccessibleLabel(text)
    messageRow.move(below: row)
    // Screen readers say an alert that appears in the window.
    messageLabel.isVisible = row != nil
    guard let problem, let field, let row else { return }
    row.color(as: problem)
    // That of a choice is what is chosen.
    row.cast(to: EntryRow.self)?.setAccessibleDescription(problem.text)
    if advancedWidgets.contains(field) { advanced.isExpanded = true }
    // Of a window with a focus before it is on the screen, GTK 4.8 does not say that it is one. The
    // row may be on the screen only once it is unfolded.
    guard advanced.isMapped else { return }
    if isAnswer { field.grabFocusSelecting() } else { field.grabFocus() }
  }

  private static let kinds: [Authority.Kind?] = [nil] + Authority.Kind.allCases

  private var entries: [EntryRow] {
    entries(.basic) + [directory, address, permissions] + advancedEntries
  }

  private var advancedEntries: [EntryRow] {
    entries(.advanced) + [cachePath, cacheSchema, cacheTenant]
  }

  private var advancedWidgets: [Widget] {
    let others: [Widget] = [storage, cache, cacheEncoding, broker]
    return others + (advancedEntries as [Widget])
  }

  private func entries(_ place: ConnectionField<String>.Row) -> [EntryRow] {
    rows.filter { $0.field.row == place }.map(\.row)
  }

  private var combos: [ComboRow] { [accounts, cloud, kind, storage, cache, cacheEncoding] }

  private static let storages: [StorageKind?] = [nil] + StorageKind.allCases

  /// Makes the form read-only.
  func lock() {
    for row in entries { row.makeReadOnly() }
    for row in combos { row.isSensitive = false }
    broker.isSensitive = false
    advanced.isExpanded = true
  }

  /// The widget of a field of `apps.json`, or of its `cache`; nil when the form does not show it.
  private func widget(of field: String) -> Widget? {
    switch field {
    case "authority", "knownAuthorities":
      let typed: Widget? = [directory, address].first { $0.isVisible }
      return typed ?? accounts
    case "authorityKind": return kind.isVisible ? kind : accounts
    case "isBrokerRedirectURIRegistered": return broker
    case "storage": return storage
    case "cache", "preset": return cache
    case "encoding": return cacheEncoding
    default: return row(of: field)
    }
  }

  /// The row of a field of `apps.json`.
  private func row(of field: String?) -> EntryRow? {
    switch field {
    case "authority", "knownAuthorities": directory.isVisible ? directory : address
    case "scopes": permissions
    case "path", "signalFile": cachePath
    case "schema": cacheSchema
    case "tenant": cacheTenant
    default: rows.first { $0.field.name == field }?.row
    }
  }

  private func fill(_ form: ConnectionForm) {
    for (field, row) in rows { row.text = form.draft[field] }
    accounts.selected = ConnectionForm.Accounts.allCases.firstIndex(of: form.accounts) ?? 0
    cloud.selected = ConnectionForm.Cloud.allCases.firstIndex(of: form.cloud) ?? 0
    directory.text = form.directory
    address.text = form.address
    kind.selected = Self.kinds.firstIndex(of: form.draft.authorityKind) ?? 0
    permissions.text = form.permissions
    broker.isOn = form.draft.isBrokerRedirectURIRegistered
    storage.selected = Self.storages.firstIndex(of: form.storage) ?? 0
    cache.selected = CacheForm.Kind.allCases.firstIndex(of: form.cache.kind) ?? 0
    cachePath.text = form.cache.path
    cacheSchema.text = form.cache.schema
    cacheTenant.text = form.cache.tenant
    cacheEncoding.selected =
      SharedKeyringItem.Encoding.allCases.firstIndex(of: form.cache.encoding) ?? 0
  }

  /// Shows only the fields that the current choices need.
  private func showNeeded() {
    let form = content
    accounts.setSubtitle(form.accounts.portalLabel)
    cloud.isVisible = form.hasCloud
    directory.isVisible = form.hasDirectory
    directory.title =
      form.accounts == .customers
      ? tr("External Tenant or Domain") : tr("Directory (tenant) ID or Domain")
    address.isVisible = form.accounts == .other
    kind.isVisible = form.accounts == .other
    // Another service has no default API.
    permissions.title =
      form.accounts == .other
      ? tr("Permissions (Optional)") : tr("Permissions (Default: User.Read)")
    row(of: "api")?.title =
      form.accounts == .other ? tr("API Address") : tr("API Address (Optional)")
    // The other programs decide where a shared cache is stored.
    storage.isVisible = form.cache.kind == .own
    cachePath.isVisible = form.cache.hasPath
    cachePath.title =
      form.cache.kind == .keyringItem ? tr("Path of the Signal File") : tr("Path of the Cache")
    cacheSchema.isVisible = form.cache.hasSchema
    cacheTenant.isVisible = form.cache.hasTenant
    cacheEncoding.isVisible = form.cache.hasEncoding
  }
}

extension Widget {
  /// Colors the widget as a mistake, or as a warning for what an import says; nil for neither.
  func color(as problem: ConnectionEditor.Problem?) {
    set(styleClass: "error", to: problem?.isRemark == false)
    set(styleClass: "warning", to: problem?.isRemark == true)
  }
}

extension ConnectionForm.Accounts {
  /// The choice in words.
  fileprivate var label: String {
    switch self {
    case .everyone: tr("Everyone")
    case .organizations: tr("Work or school")
    case .personal: tr("Personal")
    case .oneOrganization: tr("Organization")
    case .customers: tr("External ID")
    case .other: tr("Other service")
    }
  }
}

extension ConnectionForm.Accounts {
  /// What Microsoft's admin centers call it, under "Supported account types" or for the tenant.
  fileprivate var portalLabel: String {
    switch self {
    case .everyone: tr("Any organizational directory and personal accounts")
    case .organizations: tr("Any organizational directory (multitenant)")
    case .personal: tr("Personal Microsoft accounts only")
    case .oneOrganization: tr("This organizational directory only (single tenant)")
    case .customers: tr("Customers of an external tenant")
    case .other: tr("Azure AD B2C, AD FS, or OpenID Connect")
    }
  }
}

extension ConnectionForm.Cloud {
  /// The choice in words.
  fileprivate var label: String {
    switch self {
    case .global: tr("Global")
    case .usGovernment: tr("US Government")
    case .china: tr("China (21Vianet)")
    }
  }
}

extension Authority.Kind {
  /// The choice in words.
  fileprivate var label: String {
    switch self {
    case .entra: "Entra ID"
    case .externalID: "External ID"
    case .b2c: "B2C"
    case .adfs: "AD FS"
    case .oidc: "OpenID"
    default: rawValue
    }
  }
}

extension StorageKind {
  /// The choice in words.
  fileprivate var label: String {
    switch self {
    case .secretService: tr("Keyring")
    case .encryptedFile: tr("Encrypted")
    case .plainFile: tr("Plain file")
    case .memory: tr("Memory")
    default: rawValue
    }
  }
}

extension CacheForm.Kind {
  /// The choice in words, or the program's name.
  fileprivate var label: String {
    switch self {
    case .own: tr("Entrance")
    case .az: "Azure CLI"
    case .azEncrypted: "az encrypted"
    case .azureIdentity: "Azure SDK"
    case .azureIdentityCAE: "SDK, CAE"
    case .gitCredentialManager: "Git"
    case .msalExtensions: "Extensions"
    case .msalGo: "MSAL Go"
    case .azureauth: "azureauth"
    case .file: tr("File")
    case .keyringItem: tr("Keyring")
    }
  }
}

extension SharedKeyringItem.Encoding {
  /// The choice in words.
  fileprivate var label: String {
    switch self {
    case .raw: "JSON"
    case .base64: "Base64"
    }
  }
}
