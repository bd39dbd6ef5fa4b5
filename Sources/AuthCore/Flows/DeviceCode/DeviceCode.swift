public import FoundationEssentials
public import Sentences

/// What a person needs to sign in on another device (RFC 8628, section 3.3).
///
/// Show all of it to the person who asked for it, and to nobody else: whoever enters a code that someone
/// else sent them signs *that* person in as themselves (RFC 8628, section 5.4). ``message`` says so.
public struct DeviceCode: Sendable, Equatable {
  /// What to enter.
  public let userCode: String
  /// The page to enter it in: `https`, and a host of the sign-in service.
  public let verificationURI: String
  /// The same page with the code in it, for a QR code; not every sign-in service has one.
  ///
  /// Show ``userCode`` beside it, for the person to compare (RFC 8628, section 3.3.1).
  public let verificationURIComplete: String?
  /// When the code is of no more use.
  public let expiresOn: Date

  /// What to do with it, for the person.
  ///
  /// These words are not the server's own, which could say anything.
  public var sentence: Sentence {
    Sentence(
      "To sign in, open {url} in a browser and enter the code {code}. Enter it only if you started this"
        + " sign-in yourself.", ["url": verificationURI, "code": userCode])
  }

  /// The ``sentence`` in English.
  public var message: String { sentence.description }
}
