// What has ended, for who has gone to another window meanwhile.
extension ExplorerModel {
  /// Follows a new answer, or the removal of one.
  func followAnswer() {
    followPause()
    // What was put together, or recorded, has no duration.
    guard let answer, let duration = answer.duration, answer.failure?.isCanceled != true else {
      return
    }
    tell(EndedWork(.request(duration), answer.status == nil ? .failed : .done))
  }

  /// Tells what has ended.
  func tell(_ work: EndedWork) { window.status.endedWork.notify(work) }
}
