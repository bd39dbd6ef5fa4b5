import AuthCore
import Connections
import EntranceKit
import Testing

@Suite("The form of a connection")
struct ConnectionFormTests {
  static let tenant = "99999999-2222-3333-4444-555555555555"

  static func draft(_ authority: String, kind: Authority.Kind? = nil) -> ConnectionDraft {
    var draft = ConnectionDraft()
    draft.name = "Contoso"
    draft.clientID = "11111111-2222-3333-4444-555555555555"
    draft.authority = authority
    draft.authorityKind = kind
    return draft
  }

  @Test(
    "Tell who can sign in, and where, by the authority",
    arguments: [
      ("", ConnectionForm.Accounts.everyone, ConnectionForm.Cloud.global, ""),
      ("https://login.microsoftonline.com/common", .everyone, .global, ""),
      ("https://login.microsoftonline.com/organizations/", .organizations, .global, ""),
      ("https://LOGIN.microsoftonline.com/consumers", .personal, .global, ""),
      ("https://login.microsoftonline.us/\(tenant)", .oneOrganization, .usGovernment, tenant),
      (
        "https://login.partner.microsoftonline.cn/contoso.example", .oneOrganization, .china,
        "contoso.example"
      ),
      ("https://contoso.ciamlogin.com/", .customers, .global, "contoso"),
    ])
  func read(
    _ authority: String, _ accounts: ConnectionForm.Accounts, _ cloud: ConnectionForm.Cloud,
    _ directory: String
  ) throws {
    let form = ConnectionForm(Self.draft(authority))
    #expect(form.accounts == accounts)
    #expect(form.cloud == cloud)
    #expect(form.directory == directory)
    // What was not changed stays as it was written.
    #expect(form.filled == Self.draft(authority))
  }

  @Test(
    "Show an authority that is none of these as an address, and leave it as it is",
    arguments: [
      "https://login.microsoftonline.us/consumers", "https://sts.contoso.example/adfs",
      "https://login.microsoftonline.com/a/b", "https://login.microsoftonline.com:8443/common",
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin", "no URL at all",
    ])
  func others(_ authority: String) {
    let form = ConnectionForm(Self.draft(authority))
    #expect(form.accounts == .other)
    #expect(form.address == authority)
    #expect(form.filled.authority == authority)
  }

  @Test(
    "An address that is saved is trusted, of whatever kind, as nothing else can say so",
    arguments: [
      ("https://sts.contoso.example/adfs", Authority.Kind.adfs),
      ("https://id.contoso.example/realms/a", .oidc),
      ("https://login.contoso.example/\(tenant)", .externalID),
      ("https://login.contoso.example/\(tenant)/b2c_1_signin", .b2c),
      ("https://login.contoso.example/common", .entra),
    ])
  func trust(_ address: String, _ kind: Authority.Kind) throws {
    // By a file that does not trust it.
    var saved = ConnectionForm(Self.draft(address, kind: kind)).filled
    (saved.api, saved.scopes) = ("https://api.contoso.example/", ["api://contoso/read"])
    #expect(saved.knownAuthorities == [address])
    _ = try saved.connection()
    // By what is typed, and the kind that is chosen after that.
    var form = ConnectionForm(Self.draft(""))
    (form.accounts, form.address, form.draft.authorityKind) = (.other, address, kind)
    #expect(form.filled.knownAuthorities == [address])
    form = ConnectionForm(form.filled)
    form.draft.authorityKind = .oidc
    #expect(form.filled.knownAuthorities == [address])
  }

  @Test(
    "Microsoft's own services need no trust of the person",
    arguments: [
      "https://login.microsoftonline.com/a/b", "https://contoso.ciamlogin.com/a",
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin",
    ])
  func microsofts(_ address: String) {
    var form = ConnectionForm(Self.draft(""))
    (form.accounts, form.address) = (.other, address)
    #expect(form.filled.authority == address)
    #expect(form.filled.knownAuthorities.isEmpty)
  }

  @Test(
    "The host of a service of Microsoft's is no organization's domain",
    arguments: ["contoso.ciamlogin.com", "Contoso.CIAMlogin.com", "login.microsoftonline.us"])
  func service(_ host: String) {
    var form = ConnectionForm(Self.draft(""))
    (form.accounts, form.directory) = (.oneOrganization, host)
    #expect(form.filled.authority == "https://\(host)")
  }

  @Test(
    "Add https:// to an address that lacks it",
    arguments: [
      ("sts.contoso.example/adfs", "https://sts.contoso.example/adfs"),
      (" login.microsoftonline.com/common", "https://login.microsoftonline.com/common"),
      ("https://sts.contoso.example/adfs", "https://sts.contoso.example/adfs"),
      ("http://sts.contoso.example/adfs", "http://sts.contoso.example/adfs"),
      ("localhost:35349/common", "https://localhost:35349/common"),
      ("localhost", "https://localhost"), ("intranet/adfs", "https://intranet/adfs"),
      ("no address", "no address"), ("word", "word"), ("", ""),
    ])
  func scheme(_ typed: String, _ written: String) {
    var form = ConnectionForm(Self.draft("https://login.microsoftonline.com/common"))
    form.accounts = .other
    form.address = typed
    form.draft.api = typed
    #expect(form.filled.authority == written)
    #expect(form.filled.api == written)
  }

  @Test(
    "Take the client ID out of the line that the portal shows",
    arguments: [
      (
        "Application (client) ID: 11112222-bbbb-3333-cccc-4444dddd5555",
        "11112222-bbbb-3333-cccc-4444dddd5555"
      ),
      (" 11112222-BBBB-3333-cccc-4444dddd5555 ", "11112222-BBBB-3333-cccc-4444dddd5555"),
      ("no ID", "no ID"), ("", ""),
    ])
  func clientID(_ typed: String, _ written: String) {
    var form = ConnectionForm(Self.draft("https://login.microsoftonline.com/common"))
    form.draft.clientID = typed
    #expect(form.filled.clientID == written)
  }

  @Test("Write the authority of each choice, in a form that the file takes")
  func write() throws {
    func authority(_ change: (inout ConnectionForm) -> Void) throws -> String {
      var form = ConnectionForm(Self.draft("https://login.microsoftonline.com/contoso.example"))
      change(&form)
      var filled = form.filled
      if filled.authorityKind == .adfs { filled.api = "https://api.contoso.example/" }
      return try filled.connection().application.authority.description
    }
    #expect(
      try authority { $0.accounts = .everyone } == "https://login.microsoftonline.com/common")
    #expect(
      try authority { ($0.accounts, $0.cloud) = (.organizations, .china) }
        == "https://login.partner.microsoftonline.cn/organizations")
    #expect(
      try authority { ($0.accounts, $0.cloud) = (.personal, .usGovernment) }
        == "https://login.microsoftonline.com/consumers")
    #expect(
      try authority { ($0.cloud, $0.directory) = (.usGovernment, " \(Self.tenant)\n") }
        == "https://login.microsoftonline.us/\(Self.tenant)")
    #expect(
      try authority { ($0.accounts, $0.directory) = (.customers, "fabrikam") }
        == "https://fabrikam.ciamlogin.com/fabrikam.onmicrosoft.com")
    #expect(
      try authority {
        ($0.accounts, $0.directory) = (.customers, "login.fabrikam.example/\(Self.tenant)")
      }
        == "https://login.fabrikam.example/\(Self.tenant)")
    #expect(
      try authority {
        ($0.accounts, $0.address) = (.other, "https://sts.contoso.example/adfs")
        $0.draft.authorityKind = .adfs
      } == "https://sts.contoso.example/adfs")
  }

  @Test("Take blanks off what was typed, and permissions apart")
  func blanks() {
    var form = ConnectionForm(Self.draft(""))
    form.draft.name = "  Contoso \n"
    form.draft.clientID = "\t11111111-2222-3333-4444-555555555555 "
    form.permissions = " User.Read,Mail.Read\r\n  Files.Read "
    #expect(form.filled.name == "Contoso")
    #expect(form.filled.clientID == "11111111-2222-3333-4444-555555555555")
    #expect(form.filled.scopes == ["User.Read", "Mail.Read", "Files.Read"])
  }
}
