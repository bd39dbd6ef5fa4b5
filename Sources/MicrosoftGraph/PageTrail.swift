import Sentences

/// The way from page to page of a collection, which must not go on in a circle: a faulty service would
/// be asked forever.
///
/// It remembers one page, and another one after 1, 2, 4… pages (Brent's algorithm). So a circle of any
/// length is found, and many pages take no more memory than few.
struct PageTrail {
  private var remembered: GraphRequest
  /// The pages since then, and after how many another one is remembered.
  private var count = 0
  private var limit = 1

  /// Begins with the request for the first page.
  init(_ first: GraphRequest) { remembered = first }

  /// The request for the page at `link`, which the page of `request` has.
  ///
  /// - Throws: ``GraphError`` when that page was there before.
  mutating func next(
    after request: GraphRequest, at link: String, in response: GraphResponse
  ) throws(GraphError) -> GraphRequest {
    let next = request.following(link)
    guard next != request, next != remembered else {
      var error = GraphError(invalid: response)
      error.sentence = Sentence(
        "A page of the collection leads back to an earlier one, so not all items can be read.")
      throw error
    }
    count += 1
    if count == limit { (remembered, count, limit) = (next, 0, limit * 2) }
    return next
  }
}
