import AuthCore
import TestSupport
import Sentences
import Testing

@Suite("The examples of 'Handling errors'")
struct ErrorExamples {
  let authority = ScriptedAuthority()

  @Test func showing() async throws {
    let app = try TestApplication.make(authority)
    let session = authority.pages
    authority.next(
      .token, status: 400,
      """
      {"error": "invalid_client", "error_codes": [7000218],
       "error_description": "AADSTS7000218: The request body must contain client_assertion."}
      """)

    func signIn() async -> String {
      do {
        let result = try await app.acquireToken(
          InteractiveTokenParameters(scopes: ["User.Read"], session: session))
        return "Signed in as \(result.account.username)."
      } catch {
        return ([error.sentence] + error.details).map { "\($0)" }.joined(separator: "\n")
      }
    }

    let text = await signIn()
    #expect(text.contains("Turn on “Allow public client flows”"))
    #expect(text.contains("Correlation ID: "))
  }

  @Test(arguments: AuthenticationError.Code.allCases)
  func acting(on code: AuthenticationError.Code) {
    let error = AuthenticationError(code, "A sentence.")

    func button(after error: AuthenticationError) -> String? {
      switch error.code.nextStep {
      case .signIn: "Sign In"
      case .signInAnotherWay: "Use a Code"
      case .finishSignIn: "Show Sign-In"
      case .tryAgain: "Try Again"
      case .checkNetwork: "Check Network"
      case .unlockStorage: "Unlock"
      case .correctConfiguration: "Open Settings"
      default: nil  // The user knows, or the message names the contact.
      }
    }

    let silent: [AuthenticationError.Code] = [
      .userCanceled, .storageIncomplete, .workplaceJoinRequired,
    ]
    #expect((button(after: error) == nil) == silent.contains(code))
  }

  @Test func guidance() throws {
    if let guidance = ErrorGuidance(code: 50076) {
      print(guidance.meaning)
      print(guidance.nextStep)
    }

    #expect(ErrorGuidance(code: 50076) != nil)
  }

  @Test func translating() {
    let sentence = Sentence("{host} did not answer in time.", ["host": "login.example.com"])
    let error = AuthenticationError(.networkUnavailable, sentence)
    let translations = [
      "{host} did not answer in time.": "{host} hat nicht rechtzeitig geantwortet."
    ]

    let text = error.sentence.text { message in
      translations[message.english] ?? message.english
    }

    #expect(text == "login.example.com hat nicht rechtzeitig geantwortet.")
    #expect(error.message == "login.example.com did not answer in time.")
  }
}
