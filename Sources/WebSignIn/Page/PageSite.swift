/// The site of a page, when the page starts to appear.
struct PageSite {
  /// Its origin.
  let origin: Origin
  /// Whether the connection has no faults.
  let isSecure: Bool
  /// The certificate of its server.
  let certificate: CertificateDetails?
}
