import AuthCore
import EntranceKit
import FoundationEssentials
import TestSupport
import Testing

/// The sentences, buttons and steps for Microsoft's numbers, compared with what Microsoft says.
@MainActor @Suite("The notices of Microsoft's error codes")
struct FailureTableTests {
  typealias Action = AccountAction

  /// A line of `Tests/microsoft-errors.txt`.
  struct Entry: CustomTestStringConvertible {
    let number: Int
    let who: String
    var testDescription: String { "AADSTS\(number), \(who)" }

    static let all: [Entry] = {
      guard let folder = #filePath.firstRange(of: "/Tests/"),
        let text = try? String(
          contentsOfFile: #filePath[..<folder.upperBound] + "microsoft-errors.txt", encoding: .utf8)
      else { return [] }
      return text.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "\t")
        guard cells.count == 3, let number = Int(cells[0]) else { return nil }
        return Entry(number: number, who: String(cells[1]))
      }
    }()
  }

  @Test("Microsoft's list has each number that is explained, and none is explained twice")
  func numbers() {
    #expect(ErrorGuidance.knownCodes == Entry.all.map(\.number))
    #expect(Set(ErrorGuidance.knownCodes).count == ErrorGuidance.knownCodes.count)
  }

  @Test("The buttons are for whoever can act, and the text names them", arguments: Entry.all)
  func waysOn(_ entry: Entry) async throws {
    guard let notice = try await Page.notice(after: entry.number) else {
      #expect(entry.who == "done")
      return
    }
    let actions = notice.buttons.map(\.action)
    let copied = actions.compactMap(\.copiedText)
    // Support finds a sign-in by this ID.
    let id = try #require(notice.details.first { $0.hasPrefix("Correlation ID: ") })
    let hasDetails = copied.contains { text in
      text.contains(id) && text.contains("AADSTS\(entry.number)")
        && text.contains(TestApplication.clientID)
    }
    let hasRequest = copied.contains { $0.contains("/adminconsent?client_id=") }

    switch entry.who {
    case "sign-in", "later": #expect(actions == [.tryAgain])
    case "account": #expect(actions.first == .useAnotherAccount)
    case "consent": #expect(actions.first == .tryAgain && hasRequest)
    case "approval": #expect(hasRequest)
    case "administrator", "developers": #expect(hasDetails)
    case "device": #expect(hasDetails && actions.contains(.useAnotherAccount))
    case "connection": #expect(actions == [.edit(at: "clientID"), .tryAgain])
    case "authority": #expect(actions == [.edit(at: "authority"), .tryAgain])
    case "scope": #expect(actions == [.edit(at: "scopes"), .tryAgain])
    case "redirect":
      #expect(copied == [TestApplication.redirectURI] && actions.last == .edit(at: "redirectURI"))
    case "owner": #expect(hasDetails && actions.contains(.edit(at: nil)))
    default: Issue.record("a notice for '\(entry.who)'")
    }

    // What the text asks for can be done.
    func expect(_ isPossible: Bool, ifTextHas words: String...) {
      for word in words where notice.text.contains(word) {
        #expect(isPossible, "\(word): \(notice.text)")
      }
    }
    expect(hasDetails || hasRequest, ifTextHas: "sk your administrator", "sk the")
    expect(hasDetails, ifTextHas: "Report this", "Ask the owner")
    expect(hasRequest, ifTextHas: "Send the request", "send the request")
    expect(actions.contains(.useAnotherAccount), ifTextHas: "another account")
    expect(actions.contains(.useBrowser), ifTextHas: "The browser may")
    let canEdit = actions.contains { $0.name == Action.editConnection.name }
    expect(canEdit, ifTextHas: "connection", "authority", "registration")
    expect(actions.contains(.tryAgain), ifTextHas: "Sign in again", "try again", "Wait")
  }

  @Test("The next step is that of whoever can act", arguments: Entry.all)
  func nextStep(_ entry: Entry) async throws {
    var error = AuthenticationError(.interactionRequired, "Refused.")
    #expect(error.nextStep == .signIn)
    error.serverErrorCodes = [entry.number]
    let expected: [AuthenticationError.NextStep] =
      switch entry.who {
      case "sign-in", "account", "consent": [.signIn]
      case "later": [.tryAgain]
      case "approval", "administrator", "device": [.askAdministrator]
      case "connection", "authority", "scope", "redirect", "owner", "developers":
        [.correctConfiguration]
      default: [.goOn, .finishSignIn]
      }
    #expect(expected.contains(error.nextStep))
    #expect(error.code.nextStep == .signIn, "what a program does by itself is up to the code")
  }
}
