import AuthCore
import Connections
import EntranceKit
import Testing

extension ConnectionListTests {
  @Test("Ask the sign-in service, and show its answer")
  func check() async throws {
    let list = list { connection throws(AuthenticationError) in
      guard connection.name == "Known" else {
        var error = AuthenticationError(.serverError, "The app is not known.")
        error.serverErrorCodes = connection.name == "Unknown" ? [] : [700016]
        throw error
      }
      return RegistrationCheck(isConfirmed: true)
    }
    let editor = list.makeEditor()
    await editor.check(filled(editor, name: "Known"))?.value
    #expect(editor.state.finding?.isGood == true)
    await editor.check(filled(editor, name: "Unknown"))?.value
    #expect(editor.state.finding?.isGood == false)
    #expect(editor.state.finding?.text == "The app is not known.")
    #expect(editor.state.finding?.problem == nil)
    await editor.check(filled(editor, name: "Elsewhere"))?.value
    #expect(editor.state.finding?.problem?.field == "clientID")
    // A field that does not fit is told without asking anyone.
    var form = filled(editor, name: "Known")
    form.draft.redirectURI = "no URI"
    #expect(editor.check(form) == nil)
    #expect(editor.state.problem?.field == "redirectURI")
  }

  @Test("Where no sign-in service answers, the whole address is named at its field")
  func wrongAddress() async throws {
    let list = list { _ throws(AuthenticationError) in
      throw AuthenticationError(.invalidResponse, "There is no service.", step: .discovery)
    }
    let editor = list.makeEditor()
    var form = filled(editor, name: "Contoso")
    form.accounts = .other
    form.draft.authorityKind = .oidc
    form.address = "https://id.contoso.example/comon"
    form.draft.api = "https://api.contoso.example/me"
    await editor.check(form)?.value
    // OpenID Connect Discovery 1.0, section 4.
    let url = "https://id.contoso.example/comon/.well-known/openid-configuration"
    #expect(
      editor.state.finding?.text
        == "There is no service. The configuration of the service is expected at \(url).")
    #expect(editor.state.finding?.problem?.field == "authority")
  }

  @Test("Without a network, a field is marked only if the host was typed there")
  func noNetwork() async throws {
    let list = list { _ throws(AuthenticationError) in
      throw AuthenticationError(.networkUnavailable, "The address was not found.")
    }
    let editor = list.makeEditor()
    var form = filled(editor, name: "Contoso")
    let ofClouds: [ConnectionForm.Accounts] = [
      .everyone, .organizations, .personal, .oneOrganization,
    ]
    for accounts in ofClouds {
      form.accounts = accounts
      form.directory = "contoso.example"
      await editor.check(form)?.value
      let finding = try #require(editor.state.finding)
      #expect(!finding.isGood && finding.text.hasPrefix("The address was not found."))
      #expect(finding.problem == nil, "\(accounts)")
    }
    form.accounts = .customers
    form.directory = "contoso"
    await editor.check(form)?.value
    #expect(editor.state.finding?.problem?.field == "authority")
    form.accounts = .other
    form.draft.authorityKind = .oidc
    form.address = "https://id.contoso.example/common"
    form.draft.api = "https://api.contoso.example/me"
    await editor.check(form)?.value
    #expect(editor.state.finding?.problem?.field == "authority")
  }
}
