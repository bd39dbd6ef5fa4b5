/// What a path of Microsoft Graph names.
indirect enum GraphTarget: Sendable {
  case collection(GraphCollection)
  case entity(GraphEntity)
  case drive(String)
  /// The drives of a user.
  case drives(owner: String)
  case count(GraphCollection)
  /// The changes of a collection, with the token that the path has.
  case delta(GraphCollection, token: String?)
  /// A property of an item, or its bare value.
  case property(GraphEntity, String, isRaw: Bool)
  /// The content of a file, a message or an attachment.
  case content(GraphEntity)
  /// A file that does not exist yet, below a folder of a drive, with what follows its path.
  case newFile(drive: String, parent: String, name: String, action: String?)
  /// The photo of a user in a size.
  case photo(userID: String, isValue: Bool)
  case photos(userID: String)
  /// An action of an item, such as `sendMail`.
  case action(String, GraphEntity)
  /// To Do or OneNote, below which the collections of a user are.
  case service(String, owner: String)
  /// The links of a group to its members, or one of them.
  case reference(GraphCollection, id: String?)
  /// A list that is always empty, such as thumbnails.
  case nothing(String)
}

/// A collection of items of a set.
struct GraphCollection: Sendable {
  let key: GraphKey
  /// The IDs of its items; nil for the whole set.
  var ids: [String]?
  /// What a context URL says.
  let context: String
  let area: GraphPermissionArea
  /// The properties that a new item gets from its place.
  var placed: [(String, JSON)] = []
  /// The parameters of a query that the path has.
  var parameters: Set<String> = []
  /// The group of which it is the members.
  var group: String?
  /// What is left out, for a view of a calendar.
  var times: (start: Double, end: Double)?

  var type: GraphType { key.type }

  /// An item of it.
  func item(_ id: String) -> GraphEntity {
    GraphEntity(key: key, id: id, context: context, area: area)
  }
}

/// An item of a set.
struct GraphEntity: Sendable {
  let key: GraphKey
  let id: String
  let context: String
  let area: GraphPermissionArea
  /// The members of a group of which it is one, when the path says so.
  var members: GraphCollection?

  var type: GraphType { key.type }

  /// A file or a folder of a drive.
  static func file(_ id: String, in drive: String) -> GraphEntity {
    GraphEntity(
      key: .items(drive: drive), id: id, context: "drives('\(drive)')/items", area: .files)
  }

  /// Another item of the set.
  func other(_ id: String) -> GraphEntity {
    GraphEntity(key: key, id: id, context: context, area: area)
  }
}
