/// A header field of requests that Microsoft's documentation of Graph names, with what it says.
package struct GraphHeaderField: Sendable {
  /// Its name.
  package let name: String
  /// What it can say; what ends in `=` or `=""` is to be continued.
  package let values: [String]
  /// Whether it has any number of values, with commas.
  package let isList: Bool
  /// Whether it describes the body.
  package let isOfBody: Bool

  private init(
    _ name: String, _ values: [String] = [], isList: Bool = false, isOfBody: Bool = false
  ) {
    self.name = name
    self.values = values
    self.isList = isList
    self.isOfBody = isOfBody
  }

  /// All of them, except for those that a client sets itself; above each, pages of
  /// learn.microsoft.com/graph that describe it.
  package static let all = [
    // OData's JSON format, with more or less about types; reports are CSV, too.
    Self(
      "Accept",
      [
        "application/json", "application/json;odata.metadata=full",
        "application/json;odata.metadata=minimal", "application/json;odata.metadata=none",
        "text/csv",
      ]),
    // search-concept-acceptlanguage-header
    Self("Accept-Language", ["en-US"]),
    // aad-advanced-queries
    Self("ConsistencyLevel", ["eventual"]),
    // onenote-create-page, profilephoto-update, user-sendmail, driveitem-put-content
    Self(
      "Content-Type",
      ["application/json", "application/octet-stream", "image/jpeg", "text/html", "text/plain"],
      isOfBody: true),
    // plannertask-update, driveitem-delete
    Self("If-Match", ["*"]),
    // driveitem-get, driveitem-put-content
    Self("If-None-Match", ["*"]),
    Self("Prefer", preferences, isList: true),
    // excel-manage-sessions
    Self("Workbook-Session-Id"),
    // throttling-limits, of identity and access
    Self("x-ms-throttle-priority", ["high", "low", "normal"]),
  ]

  private static let preferences = [
    // driveitem-delete, driveitem-update
    "bypass-shared-lock",
    // application-upsert, group-upsert
    "create-if-missing",
    // driveitem-delta
    "deltashowremovedasdeleted", "deltashowsharingchanges", "deltatraversepermissiongaps",
    "hierarchicalsharing",
    // listitem-list
    "HonorNonIndexedQueriesWarningMayFailRandomly",
    // outlook-immutable-id
    "IdType=\"ImmutableId\"",
    // best-practices-concept: values of evolvable enumerations
    "include-unknown-enum-members",
    // message-delta, event-delta, paging
    "odata.maxpagesize=",
    // outlook-mail-concept-overview, message-get, calendar-list-calendarview
    "outlook.allow-unsafe-html", "outlook.body-content-type=\"html\"",
    "outlook.body-content-type=\"text\"", "outlook.timezone=\"\"",
    // shares-get
    "redeemSharingLink", "redeemSharingLinkIfNecessary",
    // long-running-actions-overview, workbook-createsession
    "respond-async",
    // delta-query-overview; user-update and other changes
    "return=minimal", "return=representation",
  ]
}
