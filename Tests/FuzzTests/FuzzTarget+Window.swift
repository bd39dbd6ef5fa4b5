import AuthCore

#if DESKTOP
  @testable import WebSignIn
#endif

// What the sign-in window reads. Without a desktop there is none.
extension FuzzTarget {
  /// The D-Bus address in the environment.
  func readBusAddress(_ bytes: [UInt8]) throws {
    #if DESKTOP
      let address = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      guard let readable = BusAddress.readable(address) else { return }
      try expect(BusAddress.readable(readable) == readable, "a readable address stays as it is")
      try expect(
        readable == address || readable.hasPrefix("unix:path="), "only a path is unescaped")
    #endif
  }

  /// The subject or issuer of a server's certificate.
  func readDistinguishedName(_ bytes: [UInt8]) throws {
    #if DESKTOP
      guard let summary = DistinguishedName(String(decoding: bytes, as: UTF8.self)).summary else {
        return
      }
      try expect(!summary.isEmpty, "a summary is not empty")
      try expect(
        summary.utf8.count <= bytes.count * 3 + 3, "a summary has nothing that the name has not")
    #endif
  }

  /// An address that the user pasted.
  func readPastedAddress(_ bytes: [UInt8]) throws {
    #if DESKTOP
      let address = PastedAddress(String(decoding: bytes, as: UTF8.self))
      try expect(
        address.url.first?.isWhitespace != true && address.url.last?.isWhitespace != true,
        "no space is left around an address")
      let redirect = "msauth.io.github.entrance.entrance://auth"
      let request = WebAuthenticationRequest(
        startURL: "https://login.example/authorize?state=right",
        redirectURI: try RedirectURI(redirect))
      if address.fault(for: request) == nil {
        try expect(
          Array(address.url.lowercased().utf8).starts(with: "\(redirect)?".utf8),
          "an answer is the redirect")
      }
    #endif
  }
}
