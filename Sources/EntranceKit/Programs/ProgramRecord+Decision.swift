/// What becomes of a program's request, and until when: what the person decided holds until they
/// decide otherwise.
extension ProgramRecord {
  /// What becomes of a request of this program.
  public func answer(to request: ProgramRequest, _ policy: ProgramPolicy) -> ProgramAnswer {
    if let refusal = refusal(policy) { return refusal }
    // Who types the command is not asked about it.
    guard program != .person, policy == .ask else { return .give }
    return decision == .allow && newScopes(of: request).isEmpty ? .give : .ask
  }

  /// Why this program gets nothing, whatever it asks for; nil when it may get something.
  func refusal(_ policy: ProgramPolicy) -> ProgramAnswer? {
    guard program != .person else { return nil }
    return decision == .deny ? .denied : policy == .deny ? .allDenied : nil
  }

  /// The scopes of a request that the person has not allowed.
  func newScopes(of request: ProgramRequest) -> [String] {
    let allowed = grants.first { $0.isOf(request) }?.allowed ?? []
    return request.scopes.filter { !allowed.contains($0) }
  }

  // MARK: - Deciding

  /// Allows what `request` asks for.
  mutating func allow(_ request: ProgramRequest) {
    decision = .allow
    change(request) { grant in
      grant.allowed = Self.joined(grant.allowed, request.scopes)
      grant.refused.removeAll { grant.allowed.contains($0) }
    }
  }

  /// Decides about all that the program has asked for so far.
  mutating func decide(_ decision: Decision?) {
    self.decision = decision
    for index in grants.indices {
      guard decision == .allow else {
        grants[index].allowed = []
        continue
      }
      grants[index].allowed = Self.joined(
        grants[index].allowed, grants[index].scopes + grants[index].refused)
      grants[index].refused = []
    }
  }
}
