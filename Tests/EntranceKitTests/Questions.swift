import EntranceKit

/// Collects what an Explorer page asks.
@MainActor
final class Questions {
  /// A question, and what is done when the answer is yes.
  typealias Question = (ExplorerQuestion, @MainActor () -> Void)

  /// The questions so far.
  private(set) var all: [Question] = []
  private var observer: Observer?

  init(of model: ExplorerModel) {
    observer = model.questions.add { [weak self] in self?.all.append($0) }
  }
}
