extension Result {
  /// The result of `work`, like the standard library's initializer for work that is not asynchronous.
  package init(catching work: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}
