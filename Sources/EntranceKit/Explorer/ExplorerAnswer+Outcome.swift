import HTTPTypes
import MicrosoftGraph

// Whether an answer is what was asked for.
extension ExplorerAnswer {
  /// Whether the content is at another address, to which the answer leads.
  public var isElsewhere: Bool {
    request.method == .get && [301, 302, 307, 308].contains(status)
  }

  /// Whether it is a success.
  public var isSuccess: Bool { failure == nil }

  /// Whether something went wrong: not when it was canceled, or leads to the content.
  public var isFailure: Bool { failure?.isCanceled == false && !isElsewhere }
}
