import FoundationEssentials
import HTTPTypes

/// What a fault changes: values on their way to the client, each at its place.
struct FaultChanges: Sendable {
  typealias Edit<Value> = @Sendable (inout Value) -> Void
  typealias Place<Value> = WritableKeyPath<FaultChanges, Edit<Value>?>

  /// Replies without reading the request, when they are set.
  var configurationReply, keySetReply, tokenReply: Edit<Response?>?
  var configuration, tokenResponse, deviceCode: Edit<JSON>?
  var tokenHeader, idToken, refreshedIDToken: Edit<JSON>?
  var signature: Edit<Signature>?
  var signsWithNewKey: Edit<Bool>?
  var tokenResponseReply: Edit<Response>?
  var tokenDelay: Edit<Duration?>?
  var code: Edit<AuthorizationCode>?
  var refresh: Edit<Grant>?
  var redirect, signOut: Edit<Form>?
  var responseMode: Edit<AuthorizationRequest.ResponseMode>?
  var pollError: Edit<EntraError?>?
  var me: Edit<JSON>?
  var graphError: Edit<GraphError>?
  var refusesTransferToken: Edit<Bool>?

  /// The signature of an ID token.
  struct Signature: Sendable {
    var bytes: Data
    let text: String
    let publicKey: String
  }
}

extension Set<Fault> {
  /// Changes `value` as the active faults do, in the order of the table.
  func edit<Value>(_ place: FaultChanges.Place<Value>, _ value: inout Value) {
    guard !isEmpty else { return }
    for fault in Fault.all where contains(fault) { fault.changes[keyPath: place]?(&value) }
  }

  /// `value` with the changes of the active faults.
  func edited<Value>(_ place: FaultChanges.Place<Value>, _ value: Value) -> Value {
    var value = value
    edit(place, &value)
    return value
  }
}

extension Response {
  /// A reply that asks to wait for half a minute.
  static func retryAfter(_ status: HTTPResponse.Status) -> Response {
    Response(status: status, headers: [.retryAfter: "30"])
  }
}
