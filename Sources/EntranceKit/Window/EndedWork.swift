import AuthCore
import Localization

/// Work of a window that has ended, or goes on only when the person says so: they may have gone to
/// another window meanwhile.
public struct EndedWork: Sendable, Equatable {
  /// What it was.
  enum Kind: Sendable, Equatable {
    /// Content was written to a file of this name.
    case download(String)
    /// All pages of a list were requested.
    case pages
    /// A request took so long.
    case request(Duration)
    /// Somebody signed in in the browser, or with a code.
    case signIn
  }

  /// What came of it; what was canceled is not told.
  enum Outcome: Sendable, Equatable {
    /// It is done.
    case done
    /// It is not.
    case failed
    /// It waits for the person.
    case paused
  }

  let kind: Kind
  let outcome: Outcome

  init(_ kind: Kind, _ outcome: Outcome) { (self.kind, self.outcome) = (kind, outcome) }

  /// How long a request takes at least for the person to have gone to another window.
  private static let longRequest = Duration.seconds(10)

  /// Whether it took long enough to be told.
  var isLong: Bool { if case .request(let time) = kind { time >= Self.longRequest } else { true } }

  /// Whether the Explorer page shows it; otherwise the page does that the person was on.
  public var isOfExplorer: Bool { kind != .signIn }

  /// What has happened, in a few words without any names.
  public var title: String {
    switch (kind, outcome) {
    case (.download, .done): tr("Download Finished")
    case (.download, .failed): tr("Download Failed")
    case (.download, .paused): tr("Download Paused")
    case (.pages, .done): tr("All Pages Received")
    case (.pages, _): tr("Not All Pages Received")
    case (.request, .done): tr("Response Received")
    case (.request, _): tr("Request Failed")
    case (.signIn, .done): tr("Signed In")
    case (.signIn, _): tr("Sign-In Failed")
    }
  }

  /// What it is about, in a sentence that everyone near the screen may read: it has no names but that
  /// of a file.
  ///
  /// - Parameter hidesDetails: whether it has not even that.
  public func text(hidesDetails: Bool) -> String {
    switch (kind, outcome) {
    case (.download(let name), _) where !hidesDetails: Self.text(outcome, name.shown(upTo: 100))
    case (.download, .done): tr("The file is saved.")
    case (.download, .failed): tr("The file is not saved.")
    case (.download, .paused): tr("The file is not complete yet.")
    case (.pages, .done): tr("The list is complete.")
    case (.pages, _): tr("The list is not complete.")
    case (.request, .done): tr("The service has answered your request.")
    case (.request, _): tr("The service has not answered your request.")
    case (.signIn, .done): tr("You can continue in Entrance.")
    case (.signIn, _): tr("You can try again in Entrance.")
    }
  }

  private static func text(_ outcome: Outcome, _ file: String) -> String {
    switch outcome {
    case .done: tr("“{file}” is saved.", ["file": file])
    case .failed: tr("“{file}” is not saved.", ["file": file])
    case .paused: tr("“{file}” is not complete yet.", ["file": file])
    }
  }
}
