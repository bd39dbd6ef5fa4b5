public import FoundationEssentials

/// Inspects and controls the emulator in tests of the same process, also before it starts.
extension Emulator {
  /// Why ``addFile(_:_:of:)``, ``deleteUser(_:)`` or ``revokeRefreshTokens(of:)`` did nothing.
  public struct ControlError: LocalizedError, CustomStringConvertible, Sendable {
    /// The reason, in a sentence.
    public let message: String

    /// The message.
    public var description: String { message }
    /// The message, which is also `localizedDescription`.
    public var errorDescription: String? { message }
  }

  /// Clears the list of requests, and their numbers.
  public func forgetRequests() {
    requests = []
    recordedSize = 0
    requestCounts = [:]
  }

  /// Makes Graph reject every access token issued so far.
  public func expireAccessTokens() {
    for token in accessTokens.keys { accessTokens[token]?.expires = .distantPast }
  }

  /// Makes the token endpoint reject every authorization code issued so far.
  public func expireAuthorizationCodes() {
    for code in codes.keys { codes[code]?.issued = .distantPast }
  }

  /// Makes the token endpoint reject every device code issued so far.
  public func expireDeviceCodes() {
    for code in deviceAuthorizations.keys { deviceAuthorizations[code]?.issued = .distantPast }
  }

  /// Makes the token endpoint reject every refresh token of a user issued so far.
  ///
  /// - Throws: ``ControlError`` when there is no such user.
  public func revokeRefreshTokens(of username: String) throws(ControlError) {
    let user = try user(username)
    for (value, token) in refreshTokens where token.user.username == user.username {
      refreshTokens[value]?.isRevoked = true
    }
  }

  /// Sets the lifetime of access tokens issued from now on.
  public func setTokenLifetime(_ seconds: Int) { tokenLifetime = seconds }

  /// Sets how authorization responses reach the redirect URI.
  public func setRedirectDelivery(_ delivery: RedirectDelivery) { redirectDelivery = delivery }

  /// Replaces the active faults.
  public func setFaults(_ faults: Set<Fault>) { self.faults = faults }

  /// Delays the replies of a route, named as in ``requestCounts`` without the method.
  public func setDelay(_ delay: Duration, route: String) { delays[route] = delay }

  /// Replaces the token endpoint's next reply by `reply`.
  ///
  /// Several are used in order.
  public func prepareTokenReply(_ reply: CannedReply) {
    preparedReplies.append(PreparedReply(reply, of: .token))
  }

  /// Replaces Microsoft Graph's next reply by `reply`.
  ///
  /// Several are used in order.
  ///
  /// - Parameters:
  ///   - reply: the reply.
  ///   - path: the path whose reply is replaced, such as `/me/messages`; nil for any.
  public func prepareGraphReply(_ reply: CannedReply, for path: String? = nil) {
    preparedReplies.append(PreparedReply(reply, of: .graph, path: path))
  }

  /// Replaces the next reply of the addresses that files are downloaded from and uploaded to.
  ///
  /// Several are used in order.
  public func prepareTransferReply(_ reply: CannedReply) {
    preparedReplies.append(PreparedReply(reply, of: .transfer))
  }

  // MARK: Users and their files

  /// Puts a file into a user's drive, at a path such as `Documents/Plan.txt`.
  ///
  /// - Throws: ``ControlError`` when there is no such user, or no place for the file.
  public func addFile(
    _ path: String, _ content: Data, of username: String = "adele@contoso.example"
  ) throws(ControlError) {
    let drive = drive(of: try user(username))
    do throws(GraphError) {
      _ = try writeFile(
        path, in: drive, parent: GraphDrive.rootID(drive), content: .bytes(Array(content)),
        .replace)
    } catch {
      throw ControlError(message: error.message)
    }
  }

  /// The content of a file of a user's drive; nil when there is none.
  public func file(_ path: String, of username: String = "adele@contoso.example") -> Data? {
    guard let user = try? user(username) else { return nil }
    let drive = drive(of: user)
    var file = GraphEntity.file(GraphDrive.rootID(drive), in: drive)
    for name in path.split(separator: "/") {
      guard let id = child(String(name), of: file) else { return nil }
      file = file.other(id)
    }
    return graphSet(file.key).content(file.id).map { Data($0.bytes) }
  }

  /// Ends all uploads that have begun, as if their time were over.
  public func expireUploads() {
    for id in graph.uploads.keys { graph.uploads[id]?.expires = .distantPast }
  }

  /// The number of uploads that have begun and not ended.
  public var uploadCount: Int { graph.uploads.count }

  /// Deletes a user of the directory; delta queries tell it.
  ///
  /// - Throws: ``ControlError`` when there is no such user.
  public func deleteUser(_ username: String) throws(ControlError) { delete(try user(username)) }

  /// Makes Microsoft Graph answer every delta token issued so far with 410.
  public func forgetDeltaTokens() { graph.forgetDeltaTokens() }

  private func user(_ username: String) throws(ControlError) -> User {
    guard let user = users.first(where: { $0.username == username.lowercased() }) else {
      throw ControlError(message: "There is no user '\(username)'.")
    }
    return user
  }

  private func drive(of user: User) -> String {
    GraphDrive.id(ofOwner: user.graphID(in: user.homeTenant))
  }
}
