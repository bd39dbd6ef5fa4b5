/// Where the request of the page is kept.
struct ExplorerOrigin: Equatable {
  var place: RequestFile.Place
  /// The request as the page would show it when nothing is edited.
  var request: ExplorerRequest
  /// Whether another program has changed or removed it, while it was edited here.
  var isConflict = false
}
