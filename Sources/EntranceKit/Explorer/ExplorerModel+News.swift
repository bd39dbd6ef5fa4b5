// What has ended, for who has gone to another window meanwhile.
extension ExplorerModel {
  /// Whether the answer came of what the page did last, and was not there before.
  public var isAnswerNew: Bool { answer?.id == lastNumber }

  /// Follows a new answer, or the removal of one.
  func followAnswer() {
    // One that is made anew is no other answer.
    guard renewal == nil else { return }
    followPause()
    // What was put together, or recorded, has no duration.
    guard let answer, let duration = answer.duration, answer.failure?.isCanceled != true else {
      return
    }
    reportEnd(of: EndedWork(.request(duration), answer.status == nil ? .failed : .done))
  }

  /// Has a notification tell what has ended, when the window is not in front.
  func reportEnd(of work: EndedWork) { window.status.endedWork.notify(work) }
}
