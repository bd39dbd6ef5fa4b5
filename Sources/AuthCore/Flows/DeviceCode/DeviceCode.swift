public import FoundationEssentials
public import Sentences

/// What a user needs to sign in on another device (RFC 8628, section 3.3).
///
/// Show all of it, only to the person who requested it: whoever enters a code from someone else
/// signs *that* person in with their own account (RFC 8628, section 5.4). ``message`` says so.
public struct DeviceCode: Sendable, Equatable {
  /// The code to enter.
  public let userCode: String
  /// The page where the code is entered: `https`, and on a host of the sign-in service.
  public let verificationURI: String
  /// The same page with the code in its URL, for a QR code; not all sign-in services provide it.
  ///
  /// Show ``userCode`` beside it, so that the user can compare them (RFC 8628, section 3.3.1).
  public let verificationURIComplete: String?
  /// When the code expires.
  public let expiresOn: Date

  /// Instructions for the user.
  ///
  /// They are not the server's text, which cannot be trusted.
  public var sentence: Sentence {
    Sentence(
      "To sign in, open {url} in a browser and enter the code {code}. Enter it only if you started this"
        + " sign-in yourself.", ["url": verificationURI, "code": userCode])
  }

  /// The ``sentence`` in English.
  public var message: String { sentence.description }
}
