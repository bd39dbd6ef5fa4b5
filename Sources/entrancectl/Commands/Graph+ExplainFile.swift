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
      _ request: HTTPFile.Request, in file: RequestFileArgument,
      _ kind: GraphPermissions.AccountKind,
      hosts: [String]
    ) {
      name = request.name
      method = request.content.method
      url = request.content.url
      let resolved: HTTPFile.ResolvedRequest
      let shown: HTTPFile.ResolvedRequest
      do throws(HTTPFile.Remark) {
        resolved = try file.file.resolve(
          request, file.values([:], hasPlaceholders: true), directory: nil)
        // The values of this computer can be secrets.
        shown = try file.file.resolve(
          request, HTTPFile.Values(hasPlaceholders: true), directory: nil)
      } catch {
        reason = error.reason
        return
      }
      url = shown.url
      let host = RequestFileArgument.host(of: resolved.url)
      // What a variable stands for may be Graph.
      guard hosts.contains(host.lowercased()) || host.hasPrefix("{") else {
        isElsewhere = true
        reason = Sentence(
          "The request goes to “{host}”, not to Microsoft Graph.",
          ["host": RequestFileArgument.host(of: url).lowercased()])
        return
      }
      let path = GraphPath(url: String(resolved.url[host.endIndex...]))
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
      [
        "name": JSON(name), "method": JSON(method), "url": JSON(url),
        "least": permissions.map { JSON.array($0.least.map(\.json)) } ?? .null,
        "reason": JSON(reason),
      ]
    }
  }

  /// Tells what all requests of a file need together.
  func explainFile(_ path: String) async throws(CommandError) {
    let file = try RequestFileArgument(path)
    let caller = try await Graph.Caller(common, choice)
    let explanations = file.file.requests.map {
      Explanation($0, in: file, caller.kind, hosts: GraphCloud.all.map(\.host) + [caller.host])
    }
    let known = explanations.compactMap(\.permissions)
    let least = GraphPermissions.together(known)
    let answer = caller.answer(GraphPermissions.together(known, beyond: caller.scopes))
    var lines = explanations.map(\.line)
    if !least.isEmpty {
      lines.append(
        Line(
          Sentence(
            "Least privileged permissions for the file: {permissions}",
            ["permissions": least.joined(separator: ", ")])))
    }
    let members = [
      JSON.Member("file", JSON(path)),
      JSON.Member("accountKind", JSON(caller.kind.rawValue)),
      JSON.Member("requests", .array(explanations.map(\.json))),
      JSON.Member("least", JSON(least)),
    ]
    try output.print(lines + answer.lines, .object(members + answer.members))
    let unknown = explanations.count { $0.permissions == nil && !$0.isElsewhere }
    guard unknown > 0 else { return }
    throw CommandError(
      "unknownRequest",
      Sentence.plural(
        "The permissions of {count} request are not known.",
        "The permissions of {count} requests are not known.", count: unknown),
      // The JSON has it for each request.
      isReported: common.json)
  }
}
