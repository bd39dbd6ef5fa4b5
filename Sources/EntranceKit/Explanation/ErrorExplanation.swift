import AuthCore
import Localization
public import Sentences

/// What an error of any program means: one that somebody else printed, and that was copied.
public struct ErrorExplanation: Sendable, Equatable {
  /// How the error is called, such as `AADSTS50076` or `invalid_grant`.
  public let name: String
  /// What happened, in one sentence.
  public let meaning: Sentence
  /// What to do next, in one sentence.
  public let nextStep: Sentence
  /// Who can solve it.
  public let solver: Solver
  /// The page that describes the error.
  public let source: String

  /// Who can solve it.
  public enum Solver: String, Sendable {
    /// Nobody has to: the person decides whether to go on.
    case nobody
    /// The person who signs in.
    case person
    /// An administrator of the organization.
    case administrator
    /// Whoever registered the app, or entered its values in the program.
    case owner
    /// The developers of the program.
    case developers
    /// The service, in time.
    case service

    init(_ kind: FailureKind) {
      self =
        switch kind {
        case .settled: .nobody
        case .signIn, .consent, .otherAccount, .openSignIn, .refused, .response, .noConnection,
          .notSecure, .noPages, .noDeviceCode, .storage, .broker:
          .person
        case .later, .tooManyRequests, .notReachable, .noResponse: .service
        case .approval, .device, .administrator: .administrator
        case .connection, .authority, .scope, .redirectURI, .registration: .owner
        case .developers: .developers
        }
    }

    /// The answer to "Who can solve it?".
    public var sentence: Sentence {
      switch self {
      case .nobody: Sentence("You decide.")
      case .person: Sentence("You can solve this.")
      case .administrator: Sentence("An administrator of your organization can solve this.")
      case .owner:
        Sentence("Whoever registered the app, or entered its values, can solve this.")
      case .developers: Sentence("The developers of the program can solve this.")
      case .service: Sentence("This may resolve itself after a while.")
      }
    }
  }

  /// What to do, who can, and how the error is called: two lines.
  public var advice: String {
    [tr(Sentence([nextStep, solver.sentence])), name].joined(separator: "\n")
  }

  /// Explains what is known in `text`.
  ///
  /// Numbers of Microsoft's sign-in service come first, then the names and messages of others. An
  /// error that a more exact one tells about is left out.
  /// - Parameter text: what was copied. A number alone is one of Microsoft's sign-in service.
  public static func all(in text: String) -> [ErrorExplanation] {
    let text = CopiedError(text)
    let numbers = text.numbers.compactMap { ErrorExplanation(number: $0) }
    let flows = ErrorGuidance.userFlowCodes.filter { text.contains($0) }.compactMap { code in
      ErrorGuidance(userFlow: code).map {
        ErrorExplanation(
          code, $0, "https://learn.microsoft.com/azure/active-directory-b2c/error-codes")
      }
    }
    let messages = KnownMessage.all.filter { message in message.texts.contains(where: text.contains)
    }
    let exact = messages.filter { !$0.isGeneral }
    // 'invalid_grant' says less than any of the others.
    let general = numbers.isEmpty && flows.isEmpty && exact.isEmpty ? messages : exact
    return numbers + flows
      + general.map { message in
        ErrorExplanation(
          name: message.name(in: text), meaning: message.meaning, nextStep: message.nextStep,
          solver: Solver(message.kind), source: message.source)
      }
  }

  /// Microsoft's page about a number of its sign-in service.
  public static func page(of number: Int) -> String {
    "https://login.microsoftonline.com/error?code=\(number)"
  }

  private init(_ name: String, _ guidance: ErrorGuidance, _ source: String) {
    self.init(
      name: name, meaning: guidance.meaning, nextStep: guidance.nextStep,
      solver: Solver(guidance.kind), source: source)
  }

  private init?(number: Int) {
    guard let guidance = ErrorGuidance(code: number) else { return nil }
    self.init("AADSTS\(number)", guidance, Self.page(of: number))
  }

  private init(
    name: String, meaning: Sentence, nextStep: Sentence, solver: Solver, source: String
  ) {
    self.name = name
    self.meaning = meaning
    self.nextStep = nextStep
    self.solver = solver
    self.source = source
  }
}
