import AuthCore
import Glibc

/// Prints results on standard output and everything else on standard error.
struct Output {
  /// Whether a result is one JSON document.
  let isJSON: Bool

  /// Prints a result: `text` for people, or the object of `members` for programs.
  func print(_ text: String, _ members: [(name: String, value: JSON)]) {
    Self.write(isJSON ? Self.object(members).prettyText + "\n" : text, to: STDOUT_FILENO)
  }

  /// Prints bytes as they are.
  func print(raw bytes: some Sequence<UInt8>) {
    Self.write(Array(bytes), to: STDOUT_FILENO)
  }

  /// Says something to the person, on standard error.
  func say(_ text: String) {
    Self.write(text + "\n", to: STDERR_FILENO)
  }

  /// Says why the command failed.
  func report(_ error: CommandError) {
    guard !isJSON else {
      let members: [(name: String, value: JSON)] = [
        ("code", .string(error.code)),
        ("message", .string(error.message)),
        ("nextStep", error.nextStep.map { .string($0) } ?? .null),
        ("details", Self.object(error.details)),
      ]
      Self.write(
        Self.object([("error", Self.object(members))]).prettyText + "\n", to: STDOUT_FILENO)
      return
    }
    say("entrancectl: \(error.message)")
    if let nextStep = error.nextStep { say(nextStep) }
    if !error.details.isEmpty { say("") }
    for detail in error.details {
      say("  \(Self.label(detail.name)): \(Self.text(detail.value))")
    }
  }

  /// A JSON object with its members in this order.
  static func object(_ members: [(name: String, value: JSON)]) -> JSON {
    .object(members.map { JSON.Member($0.name, $0.value) })
  }

  private static func label(_ name: String) -> String {
    switch name {
    case "step": "Step"
    case "error": "Error"
    case "suberror": "Suberror"
    case "codes": "Codes"
    case "httpStatus": "HTTP status"
    case "retryAfter": "Retry after (seconds)"
    case "correlationID": "Correlation ID"
    case "requestID": "Request ID"
    case "clientRequestID": "Client request ID"
    case "server": "Server"
    case "line": "Line"
    case "field": "Field"
    default: name
    }
  }

  private static func text(_ value: JSON) -> String {
    if let list = value.array { return list.map(text).joined(separator: ", ") }
    return value.string ?? value.compactText
  }

  private static func write(_ text: String, to descriptor: Int32) {
    write(Array(text.utf8), to: descriptor)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

extension Account {
  /// The account, for programs.
  var members: [(name: String, value: JSON)] {
    [
      ("username", .string(username)),
      ("name", name.map { .string($0) } ?? .null),
      ("homeAccountID", .string(id)),
      ("environment", .string(environment)),
    ]
  }
}
