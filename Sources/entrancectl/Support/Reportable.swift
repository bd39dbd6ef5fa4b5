import AuthCore
import MicrosoftGraph

/// An error of a library that a command can end with.
protocol Reportable: Error {
  /// The error as a person and a program are told.
  var report: CommandError { get }
}

extension AuthenticationError: Reportable {
  var report: CommandError { CommandError(self) }
}

extension GraphError: Reportable {
  var report: CommandError { CommandError(self) }
}

/// Does `work` of a library.
func reporting<Value, Failure: Reportable>(
  _ work: () async throws(Failure) -> Value
) async throws(CommandError) -> Value {
  do throws(Failure) {
    return try await work()
  } catch {
    throw error.report
  }
}
