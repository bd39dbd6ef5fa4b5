import ArgumentParser
import AuthCore
import EntranceKit
import FoundationEssentials
import Localization
import Sentences

/// Says what is in a token.
struct DecodeToken: PlainCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: tr("Explain what is in a token, claim by claim."),
    usage: "entrancectl token decode [--json] [-]",
    discussion: paragraphs(
      Sentence(
        "The token is read from standard input, never from an argument, which other programs could"
          + " see. It is decoded here: nothing is sent and nothing is kept."),
      Sentence("The signature is not checked, so do not rely on what the token says.")))

  @OptionGroup var outputOptions: OutputOptions

  // For "-", and to refuse anything else without repeating it.
  @Argument(help: .hidden) var source: [String] = []

  func validate() throws {
    guard source.isEmpty || source == ["-"] else {
      // What was given may be a token, so it is not repeated.
      throw ValidationError(
        Sentence(
          "The token is read from standard input: other programs can see arguments, and the shell"
            + " keeps them in its history."))
    }
  }

  func perform() async throws(CommandError) {
    let input = try Input.text(
      "-", asking: Sentence("Paste the token, then press Enter and Ctrl+D."))
    let reading = TokenReading(String(decoding: input, as: UTF8.self))
    switch reading.content {
    case .broken(let reason):
      throw CommandError(
        "invalidToken", reason,
        nextStep: Sentence(
          "Pass the whole token, such as: 'entrancectl token | entrancectl token decode'."))
    case .opaque:
      try output.print(reading.remark.map { [Line($0)] } ?? [], ["kind": "opaque"])
    case .encrypted(let header):
      try output.print(
        (reading.remark.map { [Line($0)] } ?? []) + Self.lines(Sentence("Header"), header),
        ["kind": "encrypted", "header": Self.json(ofHeader: header)])
    case .token(let token): try output.print(lines(token), Self.json(token))
    }
  }

  // MARK: - For people

  private func lines(_ token: DecodedToken) -> [Line] {
    var lines = [
      Line(
        token.audience.map {
          Sentence("{kind} for {audience}", ["kind": token.purpose.sentence, "audience": $0])
        } ?? token.purpose.sentence),
      Line(
        token.hasSignature
          ? Sentence("The signature was not checked.") : Sentence("The token is not signed.")),
    ]
    lines += Self.lines(Sentence("Header"), token.header)
    lines += Self.lines(Sentence("Claims"), token.claims)
    if token.leftOut > 0 {
      lines.append(
        Line(.plural("… and {count} more claim", "… and {count} more claims", count: token.leftOut))
      )
    }
    return lines
  }

  private static func lines(_ title: Sentence, _ claims: [TokenClaim]) -> [Line] {
    [Line.empty, Line(title)] + claims.flatMap(lines)
  }

  private static func lines(_ claim: TokenClaim) -> [Line] {
    let value = claim.words.map {
      Sentence("{value} ({words})", ["value": claim.text, "words": $0])
    }
    let text = Sentence(
      "{label}: {value}", ["label": claim.name, "value": value ?? Sentence(verbatim: claim.text)])
    var lines = [Line(text, behind: "  ")]
    if let meaning = claim.meaning { lines.append(Line(meaning, behind: "      ")) }
    for part in claim.parts {
      guard let words = part.words else { continue }
      lines.append(
        Line(
          Sentence("{label}: {value}", ["label": part.name, "value": words]), behind: "      - "))
    }
    return lines
  }

  // MARK: - For programs

  private static func json(_ token: DecodedToken) -> JSON {
    [
      "kind": "signed", "type": JSON(token.purpose.rawValue),
      "signature": token.hasSignature ? "notChecked" : "none",
      "expiresOn": JSON(token.expiresOn), "header": json(ofHeader: token.header),
      "claims": .array(token.claims.map(Self.json)),
    ]
  }

  private static func json(ofHeader fields: [TokenClaim]) -> JSON {
    .object(fields.map { JSON.Member($0.name, $0.value) })
  }

  private static func json(_ claim: TokenClaim) -> JSON {
    [
      "name": JSON(claim.name), "value": claim.value, "words": JSON(claim.words),
      "meaning": JSON(claim.meaning), "time": JSON(claim.date),
      "parts": .array(
        claim.parts.map { ["name": JSON($0.name), "meaning": JSON($0.words)] }),
    ]
  }
}
