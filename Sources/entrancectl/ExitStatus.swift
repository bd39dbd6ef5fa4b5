import ArgumentParser
import AuthCore
import Glibc
import MicrosoftGraph

/// How the program ends, as whoever started it sees.
///
/// The numbers above 1 are those of `sysexits.h`, as programs that send mail use them: msmtp ends
/// with 77 when authentication failed, and with 75 when it is worth trying again.
enum ExitStatus: Equatable {
  /// The command did what it is for.
  case success
  /// The command failed, for a reason that has no status of its own.
  case failure
  /// The command line cannot be used: the same one fails again.
  case usage
  /// A person would have to be asked, which `--no-input` forbids.
  case inputRequired
  /// A service cannot be reached or wants a pause: the same command may succeed later.
  case tryLater
  /// A person must sign in before the same command can succeed.
  case signInRequired
  /// A program may not have the token that it asked for: the person must allow it first.
  case programDenied
  /// A signal with this number ended the command before it was done.
  case interrupted(Int32)
  /// A program that the command ran ended with this status.
  case program(Int32)

  /// The number, as a shell shows it.
  var number: Int32 {
    switch self {
    case .success: 0
    case .failure: 1
    case .usage: 64  // EX_USAGE
    case .inputRequired: 66  // EX_NOINPUT
    case .tryLater: 75  // EX_TEMPFAIL
    case .signInRequired: 77  // EX_NOPERM
    case .programDenied: 78  // EX_CONFIG
    case .interrupted(let signal): 128 + signal
    case .program(let status): status
    }
  }

  /// The status for an error of the parser.
  init(_ code: ExitCode) {
    self =
      switch code {
      case .success: .success
      case .validationFailure: .usage
      default: .failure
      }
  }

  /// The status for the end of a program that the command ran.
  init(_ end: ChildProcess.End) {
    self =
      switch end {
      case .exited(0): .success
      case .exited(let status): .program(status)
      case .killed(let signal): .interrupted(signal)
      }
  }

  /// The status for an error of AuthCore.
  init(_ error: AuthenticationError) {
    self.init(error.failureKind, hasPause: error.retryAfter != nil)
  }

  /// The status for an error of the API.
  init(_ error: GraphError) {
    self =
      [.invalidURL, .invalidRequest].contains(error.code)
      ? .usage : ExitStatus(error.failureKind, hasPause: error.retryAfter != nil)
  }

  /// - Parameter hasPause: whether the service asks to wait.
  private init(_ kind: FailureKind, hasPause: Bool) {
    self =
      switch kind {
      case .signIn, .consent, .otherAccount: .signInRequired
      case .later, .tooManyRequests, .noConnection, .notReachable, .noResponse: .tryLater
      // Signing in may be advised for some of these, too, but is not known to help.
      case .settled, .openSignIn, .refused, .response, .notSecure, .noPages, .noDeviceCode,
        .storage, .broker, .approval, .device, .administrator, .connection, .authority, .scope,
        .redirectURI, .registration, .developers:
        hasPause ? .tryLater : .failure
      }
  }

  /// Ends the program, at once.
  ///
  /// After a signal, by the same signal: so a shell stops the script, too, in which a command was
  /// interrupted.
  func end() -> Never {
    if case .interrupted(let signal) = self {
      Glibc.signal(signal, SIG_DFL)
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, signal)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(signal)
      // The first process of a container does not die of a signal.
    }
    _exit(number)
  }
}
