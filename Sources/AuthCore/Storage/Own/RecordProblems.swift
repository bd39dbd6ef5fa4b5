import Sentences

/// What a ``RecordBackend`` found that is not as it should be.
struct RecordProblems: Sendable {
  /// How many records consist of damaged data only.
  var lost = 0
  /// How many copies are damaged.
  var damaged = 0
  /// Records that were there before, and of which at most the names remain.
  var missing: Set<String> = []
  /// Why records were not read.
  var refusals: [Sentence] = []
  /// Why records must not be changed.
  var untouchable: [Sentence] = []

  /// The warning for the user; `reported` are the missing records that were already reported.
  func warning(after reported: Set<String> = []) -> AuthenticationError? {
    var sentences: [Sentence] = []
    if lost > 0 {
      sentences.append(
        .plural(
          "One account could not be read, because its data is damaged. The data was set aside."
            + " Sign in again.",
          "{count} accounts could not be read, because their data is damaged. The data was set"
            + " aside. Sign in again.", count: lost))
    } else if damaged > 0 {
      sentences.append(
        .plural(
          "The latest data of one account is damaged and was set aside; the previous data is used.",
          "The latest data of {count} accounts is damaged and was set aside; the previous data is"
            + " used.", count: damaged))
    }
    let unreported = missing.subtracting(reported)
    if !unreported.isEmpty {
      sentences.append(
        .plural(
          "One account is missing from the token store. If it does not come back, sign in again.",
          "{count} accounts are missing from the token store. If they do not come back, sign in"
            + " again.", count: unreported.count))
    }
    if let reason = refusals.first {
      sentences.append(
        .plural(
          "The data of one account was not read: {reason}.",
          "The data of {count} accounts was not read: {reason}.", count: refusals.count,
          ["reason": reason]))
    }
    if let reason = untouchable.first {
      sentences.append(
        .plural(
          "One account cannot be changed, because {reason}.",
          "{count} accounts cannot be changed, because {reason}.", count: untouchable.count,
          ["reason": reason]))
    }
    guard !sentences.isEmpty else { return nil }
    return AuthenticationError(.storageIncomplete, Sentence(sentences), step: .storage)
  }
}
