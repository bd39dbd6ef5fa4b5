import AuthCore
import HTTPFiles
import MicrosoftGraph
import Sentences

extension Graph.Explain {
  /// What is known about one request of a file.
  private struct Explanation {
    let name: String?
    let method: String
    var url = ""
    /// Nil when the table does not have it, or it is not known what it is.
    var permissions: GraphPermissions?
    /// Why there are no permissions.
    var reason: Sentence?
    /// Whether no permission is needed: it is a request to another host.
    var isElsewhere = false

    init(
      _ request: HTTPFile.Request, in file: RequestFile, _ kind: GraphPermissions.AccountKind,
      hosts: [String]
    ) {
      name = request.name
      method = request.content.method
      url = request.content.url
      let resolved: HTTPFile.ResolvedRequest
      do throws(HTTPFile.Remark) {
        resolved = try file.file.resolve(
          request, file.values([:], hasPlaceholders: true), directory: nil)
      } catch {
        reason = error.reason
        return
      }
      url = resolved.url
      let address = resolved.url.drop { $0 != "/" }.dropFirst(2)
      let host = address.prefix { !"/?#".contains($0) }.lowercased()
      // What a variable stands for may be Graph.
      guard hosts.contains(host) || host.hasPrefix("{") else {
        isElsewhere = true
        reason = Sentence("The request goes to '{host}', not to Microsoft Graph.", ["host": host])
        return
      }
      let path = GraphPath(url: String(address.dropFirst(host.count)))
      guard let method = GraphMethod.named(method),
        let found = GraphPermissions.least(for: method, path, account: kind)
      else {
        let kinds =
          GraphMethod.named(method).map { GraphPermissions.accountKinds(for: $0, path) } ?? []
        reason = Graph.Explain.unknown(kinds).message
        return
      }
      permissions = found
    }

    var line: Line {
      let request = name ?? "\(method) \(url)"
      guard let permissions else {
        return Line(
          Sentence("{request}: {reason}", ["request": request, "reason": reason ?? Sentence([])]))
      }
      let least = permissions.least.map(\.permission).joined(separator: ", ")
      return Line(Sentence("{request}: {permissions}", ["request": request, "permissions": least]))
    }

    var json: JSON {
      Output.object([
        ("name", name.map { .string($0) } ?? .null), ("method", .string(method)),
        ("url", .string(url)),
        ("least", permissions.map { .array($0.least.map(\.json)) } ?? .null),
        ("reason", reason.map { .string("\($0)") } ?? .null),
      ])
    }
  }

  /// Tells what all requests of a file need together.
  func explainFile(_ path: String) async throws(CommandError) {
    let file = try RequestFile(path)
    let caller = try await Graph.Caller(common, choice)
    let explanations = file.file.requests.map {
      Explanation($0, in: file, caller.kind, hosts: GraphCloud.all.map(\.host) + [caller.host])
    }
    let known = explanations.compactMap(\.permissions)
    let least = GraphPermissions.together(known)
    let missing = caller.account.map { _ in GraphPermissions.together(known, beyond: caller.scopes)
    }
    let command = missing.flatMap { $0.isEmpty ? nil : caller.command($0) }
    var lines = explanations.map(\.line)
    if !least.isEmpty {
      lines.append(
        Line(
          Sentence(
            "Least permissions for the file: {permissions}",
            ["permissions": least.joined(separator: ", ")])))
    }
    try output.print(
      lines + caller.lines(missing, command),
      [
        ("file", .string(path)), ("accountKind", .string(caller.kind.rawValue)),
        ("requests", .array(explanations.map(\.json))),
        ("least", .array(least.map { .string($0) })),
        ("account", caller.account.map { Output.object($0.members) } ?? .null),
        ("missing", missing.map { .array($0.map { .string($0) }) } ?? .null),
        ("command", command.map { .string($0) } ?? .null),
        ("tableDate", .string(GraphPermissions.date)),
      ])
    let unknown = explanations.count { $0.permissions == nil && !$0.isElsewhere }
    guard unknown > 0 else { return }
    var error = CommandError(
      "unknownRequest",
      Sentence.plural(
        "The permissions of {count} request are not known.",
        "The permissions of {count} requests are not known.", count: unknown))
    // The JSON has it for each request.
    error.isReported = common.json
    throw error
  }
}
