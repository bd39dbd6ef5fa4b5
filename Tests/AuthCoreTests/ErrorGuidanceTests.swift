import AuthCore
import TestSupport
import Sentences
import Testing

@Suite("Guidance for the server's error codes")
struct ErrorGuidanceTests {
  let authority = ScriptedAuthority()

  /// The error of a sign-in whose code the token endpoint rejects.
  func refusal(codes: [Int], words: String) async throws -> AuthenticationError {
    let list = codes.map { JSON.number(String($0)) }
    authority.next(.token) { _ in
      .json(
        [
          "error": .string("invalid_request"), "error_description": .string(words),
          "error_codes": .array(list),
        ], status: 400)
    }
    return try await failure(authority.pages)
  }

  /// The error of a sign-in whose pages end with an error.
  func refusal(redirect error: String, words: String) async throws -> AuthenticationError {
    try await failure(
      authority.pages {
        "error=\(error)&error_description=\(FormEncoding.percentEncoded(words))"
          + "&state=\($0["state"] ?? "")"
      })
  }

  func failure(_ pages: ScriptedPages) async throws -> AuthenticationError {
    let app = try TestApplication.make(authority)
    return try #require(
      await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(
          InteractiveTokenParameters(scopes: ["User.Read"], session: pages))
      })
  }

  @Test("Very many numbers in the server's message are found at once", .timeLimit(.minutes(1)))
  func manyNumbers() async throws {
    let numbers = (1_000_000..<1_100_000).map { $0 }
    let words = numbers.map { "AADSTS\($0): no, AADSTS\($0)." }.joined(separator: " ")
    authority.next(.token) { _ in
      .json(["error": .string("e"), "error_description": .string("AADSTS " + words)], status: 400)
    }
    #expect(try await failure(authority.pages).serverErrorCodes == numbers)
  }

  @Test("Common error codes have guidance")
  func met() {
    #expect(ErrorGuidance.knownCodes.count >= 40)
    for code in [
      50011, 50020, 50034, 50053, 50055, 50057, 50058, 50072, 50074, 50076, 50079, 50105, 50126,
      50158, 50173, 50194, 53000, 53003, 65001, 65004, 70000, 70008, 70011, 70043, 90002, 90072,
      90094, 700016, 700082, 7_000_218,
    ] {
      #expect(ErrorGuidance(code: code) != nil, "AADSTS\(code)")
    }
  }

  @Test("Each code has a meaning and a next step", arguments: ErrorGuidance.knownCodes)
  func sentences(code: Int) throws {
    let guidance = try #require(ErrorGuidance(code: code))
    for sentence in [guidance.meaning, guidance.nextStep].map(\.description) {
      #expect(sentence.hasSuffix("."))
      #expect(sentence.first?.isUppercase == true)
      #expect(!sentence.contains("AADSTS"), "the number is among the details")
      #expect((5...120).contains(sentence.count))
    }
    #expect(guidance.meaning != guidance.nextStep)
  }

  @Test(
    "Each code's guidance becomes the message, in any form of the server's description",
    arguments: ErrorGuidance.knownCodes)
  func message(code: Int) async throws {
    let guidance = try #require(ErrorGuidance(code: code))
    let error = try await refusal(codes: [code], words: "AADSTS\(code): Made for developers.")
    #expect(error.message == "\(guidance.meaning) \(guidance.nextStep)")
    #expect(error.guidance == guidance)
    #expect(error.details.map { "\($0)" }.contains("Codes: AADSTS\(code)"))
    #expect(error.details.map { "\($0)" }.contains("Server: AADSTS\(code): Made for developers."))
  }

  @Test("Of several codes, the first known one is used")
  func several() async throws {
    let error = try await refusal(codes: [1, 7_000_218, 50011], words: "Both.")
    #expect(error.message == ErrorGuidance(code: 7_000_218)?.sentence.description)
  }

  @Test("The code is found in a redirect's description")
  func redirect() async throws {
    let error = try await refusal(
      redirect: "access_denied", words: "AADSTS65004: User declined to consent.")
    #expect(error.code == .userCanceled)
    #expect(error.message == ErrorGuidance(code: 65004)?.sentence.description)
  }

  @Test(
    "A refusal on the pages is the user's own, whatever the service calls it",
    arguments: [
      // LemonLDAP::NG answers like this, though no request forbids the page that asks.
      ("consent_required", "consent not given", "You declined this app’s permissions. "),
      ("access_denied", "Not assigned.", "declined. Microsoft’s sign-in service: Not assigned."),
      ("consent_required", "AADSTS65004: Declined.", "You declined this app’s permissions. "),
    ])
  func refusedOnPages(name: String, words: String, message: String) async throws {
    let error = try await refusal(redirect: name, words: words)
    #expect(error.code == .userCanceled)
    #expect(error.isDeclined)
    #expect(error.message.contains(message), "\(error.message)")
    #expect(!error.message.contains("asks you to sign in again"))
  }

  @Test(
    "What the pages could not do without the user is no refusal",
    arguments: [
      ("consent_required", "AADSTS65001: No consent."), ("interaction_required", "more"),
      ("login_required", "more"), ("account_selection_required", "more"),
    ])
  func interactionRequired(name: String, words: String) async throws {
    let error = try await refusal(redirect: name, words: words)
    #expect(error.code == .interactionRequired)
    #expect(!error.isDeclined)
  }

  @Test("Leaving the pages declines nothing")
  func left() async throws {
    let error = try await failure(
      authority.pages { "error=access_denied&error_subcode=cancel&state=\($0["state"] ?? "")" })
    #expect(error.code == .userCanceled && !error.isDeclined)
    #expect(error.message == "The sign-in was canceled.")
  }

  @Test("For an unknown code, the message is the server's first sentence, without the IDs")
  func unknown() async throws {
    #expect(ErrorGuidance(code: 99_999_999) == nil)
    let error = try await refusal(
      codes: [99_999_999], words: "AADSTS99999999: A new kind of no. Trace ID: 1 Correlation ID: 2")
    #expect(error.message.hasSuffix("AADSTS99999999: A new kind of no."))
    #expect(error.guidance == nil)
  }

  @Test("Guidance changes the message, never the flow")
  func code() async throws {
    #expect(try await refusal(codes: [50076], words: "").code == .serverError)
  }

  @Test("AADB2C90118: a forgotten password is not a cancellation")
  func forgottenPassword() async throws {
    let error = try await refusal(
      redirect: "access_denied", words: "AADB2C90118: The user has forgotten their password.")
    #expect(error.code == .serverError)
    #expect(error.oauthError == "access_denied")
    #expect(error.message.contains("reset your password"))
  }

  @Test("AADB2C90091: leaving a user flow is a cancellation")
  func leftUserFlow() async throws {
    let error = try await refusal(
      redirect: "access_denied", words: "AADB2C90091: The user has cancelled entering data.")
    #expect(error.code == .userCanceled)
    #expect(error.message.contains("canceled the sign-in before"))
  }
}
