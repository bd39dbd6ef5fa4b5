import CurlHTTP
import Localization

/// The pages of a document, of which one is shown.
public struct PDFPages: Sendable, Equatable {
  /// How many pages the document says that it has; at least 1.
  public let count: Int
  /// The page that is shown, from 1 to ``count``.
  public private(set) var number = 1
  /// Whether the page cannot be shown.
  public var isBroken = false

  /// Creates the pages of a document at its first one.
  ///
  /// - Parameter report: what Poppler's `pdfinfo` says of the document. A title can have lines of its
  ///   own, and comes first, so that the last line about pages counts.
  public init(report: String) {
    let line = report.split(whereSeparator: \.isNewline).last { $0.hasPrefix("Pages:") }
    let count = line?.dropFirst("Pages:".count).trimmed
    self.count = max(count.flatMap { Int($0) } ?? 1, 1)
  }

  /// Whether there is another page that many pages on.
  public func canTurn(by pages: Int) -> Bool {
    let (page, overflow) = number.addingReportingOverflow(pages)
    return !overflow && (1...count).contains(page)
  }

  /// Shows the page that many pages on, if there is one.
  public mutating func turn(by pages: Int) {
    guard canTurn(by: pages) else { return }
    number += pages
    isBroken = false
  }

  /// Which page is shown, in words.
  public var text: String { tr("Page {page} of {count}", ["page": number, "count": count]) }

  /// Why no page is shown; nil when it is.
  public var problem: String? {
    isBroken ? tr("Page {page} of the document cannot be shown.", ["page": number]) : nil
  }
}
