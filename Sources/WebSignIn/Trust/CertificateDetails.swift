import CGio
import Gio
import Gtk
import Localization

/// What a server's certificate says, in words.
struct CertificateDetails: Equatable {
  /// Whom it was issued to.
  let subject: String
  /// Who issued it.
  let issuer: String
  /// The days from which and until which it is valid, in the user's format.
  let validFrom: String
  let validUntil: String

  /// Reads GLib's certificate.
  init(_ certificate: Object) {
    subject = Self.name(g_tls_certificate_get_subject_name(certificate.ptr()))
    issuer = Self.name(g_tls_certificate_get_issuer_name(certificate.ptr()))
    validFrom = Self.day(g_tls_certificate_get_not_valid_before(certificate.ptr()))
    validUntil = Self.day(g_tls_certificate_get_not_valid_after(certificate.ptr()))
  }

  /// Takes ownership of GLib's text.
  private static func name(_ text: UnsafeMutablePointer<CChar>?) -> String {
    String(owning: text).flatMap { DistinguishedName($0).summary } ?? tr("unknown")
  }

  /// Takes ownership of GLib's date.
  private static func day(_ date: OpaquePointer?) -> String {
    guard let date else { return tr("unknown") }
    defer { g_date_time_unref(date) }
    return String(owning: g_date_time_format(date, "%x")) ?? tr("unknown")
  }
}
