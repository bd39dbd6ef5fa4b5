import HTTPTypes

/// Finds the handler of a request by its path and method.
///
/// A route is a path like `/{tenant}/oauth2/v2.0/token`: a component in braces matches any
/// component, and `**` at the end matches the rest. Literal components take precedence over those
/// in braces.
struct Router: Sendable {
  /// Handles the requests to a route.
  typealias Handler = @Sendable (Request) async throws -> Response

  /// A handler with its route.
  struct Match: Sendable {
    let route: String
    let handler: Handler
  }

  private struct Route {
    let path: String
    let segments: [Substring]
    var handlers: [HTTPRequest.Method: Handler] = [:]
  }

  private var routes: [Route] = []

  /// Adds a handler of `GET` requests.
  mutating func get(_ path: String, use handler: @escaping Handler) {
    add(.get, path, handler)
  }

  /// Adds a handler of `POST` requests.
  mutating func post(_ path: String, use handler: @escaping Handler) {
    add(.post, path, handler)
  }

  /// Adds a handler of requests with a method.
  mutating func add(
    _ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler
  ) {
    let known = routes.firstIndex { $0.path == path }
    if known == nil { routes.append(Route(path: path, segments: path.split(separator: "/"))) }
    routes[known ?? routes.count - 1].handlers[method] = handler
  }

  /// The handler of a request; nil when there is none.
  func match(_ request: Request) -> Match? {
    guard let route = route(request.path), let handler = route.handlers[request.method] else {
      return nil
    }
    // What follows is part of the route where it is open.
    let name = route.segments.last == "**" ? request.path : route.path
    return Match(route: name, handler: handler)
  }

  /// Matches the path component by component, and eliminates routes.
  private func route(_ path: String) -> Route? {
    let segments = path.split(separator: "/")
    var candidates = routes
    var open: Route?
    for (index, segment) in segments.enumerated() {
      candidates.removeAll { $0.segments.count <= index }
      open = candidates.first { $0.segments[index] == "**" } ?? open
      let exact = candidates.filter { $0.segments[index] == segment }
      candidates = exact.isEmpty ? candidates.filter { $0.segments[index].first == "{" } : exact
    }
    return candidates.isEmpty ? open : candidates.first { $0.segments.count == segments.count }
  }
}
