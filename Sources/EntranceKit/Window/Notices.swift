/// The notices above a window's pages: at most one about each subject, in the order in which they
/// appeared.
struct Notices: Equatable {
  private(set) var all: [Notice] = []

  /// The notice about a subject; nil when there is none.
  subscript(id: Notice.ID) -> Notice? { all.first { $0.id == id } }

  /// Shows a notice, in the place of the one about the same subject.
  mutating func put(_ notice: Notice) {
    if let index = all.firstIndex(where: { $0.id == notice.id }) {
      all[index] = notice
    } else {
      all.append(notice)
    }
  }

  /// Removes the notice about a subject, if there is one.
  mutating func remove(_ id: Notice.ID) { all.removeAll { $0.id == id } }
}
