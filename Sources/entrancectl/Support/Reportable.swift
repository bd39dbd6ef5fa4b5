import AuthCore
import MicrosoftGraph

/// An error of a library that a command can end with.
protocol Reportable: Error {
  /// The error as a person and a program are told.
  ///
  /// - Parameter signIn: the command that signs someone in to the app that was used.
  func report(for signIn: SuggestedSignIn) -> CommandError
}

extension AuthenticationError: Reportable {
  func report(for signIn: SuggestedSignIn) -> CommandError { CommandError(self, signIn: signIn) }
}

extension GraphError: Reportable {
  func report(for signIn: SuggestedSignIn) -> CommandError { CommandError(self, signIn: signIn) }
}

/// Does `work` of a library.
///
/// - Parameter signIn: the command that signs someone in to the app that is used.
func reporting<Value, Failure: Reportable>(
  for signIn: SuggestedSignIn = SuggestedSignIn(),
  _ work: () async throws(Failure) -> Value
) async throws(CommandError) -> Value {
  do throws(Failure) {
    return try await work()
  } catch {
    throw error.report(for: signIn)
  }
}
