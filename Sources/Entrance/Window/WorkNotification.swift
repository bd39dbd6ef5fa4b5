import EntranceKit
import FoundationEssentials
import Gtk

/// Tells by a notification of the desktop what has ended while its window was not in front, as
/// ``WorkNotificationTiming`` decides.
@MainActor
final class WorkNotification {
  /// The name of the action for a click, whose target is the ``id``.
  static let action = "show-ended-work"
  /// Tells it from those of other windows.
  let id = UUID().uuidString

  private let application: Application
  private let preferences: Preferences
  private let window: Window
  private var timing = WorkNotificationTiming()
  private var preferencesObserver: Observer?
  private var workObserver: Observer?

  /// What it tells now; nil for nothing.
  var told: EndedWork? { timing.told }

  /// - Parameter window: the window whose work it tells about.
  init(_ preferences: Preferences, of application: Application, for window: Window) {
    (self.preferences, self.application, self.window) = (preferences, application, window)
    window.onForeground { [weak self] in self?.look() }
    window.onClosed { [weak self] in self?.end() }
    preferencesObserver = preferences.changes.add { [weak self] key in
      // What was sent is sent anew.
      if key == .hidesPersonalDetails, let told = self?.told { self?.send(told) }
    }
  }

  /// Tells about the work of `model` from now on.
  func follow(_ model: WindowModel?) {
    workObserver = model?.status.endedWork.add { [weak self] in
      self?.look()
      self?.handle(.ended($0))
    }
  }

  /// Finds out whether the window is in front: then nothing is left to be told.
  func look() { handle(window.isGroupInForeground ? .front : .back) }

  /// Tells nothing any more, because the window is closed or the program ends: nothing would happen
  /// at a click.
  func end() { handle(.closed) }

  private func handle(_ event: WorkNotificationTiming.Event) {
    switch timing.handle(event) {
    case .send(let work): send(work)
    case .withdraw: application.withdrawNotification(id)
    case nil: break
    }
  }

  private func send(_ work: EndedWork) {
    Task { [weak self] in
      guard await DesktopNotification.isAvailable, let self else { return }
      // Meanwhile, the window may have come to the front, or more has ended.
      look()
      guard told == work else { return }
      let notification = DesktopNotification(
        title: work.title, body: work.text(hidesDetails: preferences.hidesPersonalDetails),
        icon: Program.id, isUrgent: false)
      notification.setDefaultAction("app.\(Self.action)", target: id)
      application.send(notification, id: id)
    }
  }
}
