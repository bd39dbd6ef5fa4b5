import ArgumentParser
import AuthCore
import EntranceKit
import FoundationEssentials
import Localization
import Sentences

/// Says what is in a token.
struct DecodeToken: EntranceCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: tr("Explain what is in a token, claim by claim."),
    discussion: paragraphs(
      Sentence(
        "The token is read from standard input, never from an argument, which other programs could"
          + " see. It is decoded here: nothing is sent and nothing is kept."),
      Sentence("The signature is not checked, so do not rely on what the token says.")))

  @OptionGroup var outputOptions: OutputOptions

  @Argument(
    help: ArgumentHelp(tr("Standard input, as without it."), valueName: tr("file")))
  var source: [String] = []

  var output: Output { Output(isJSON: outputOptions.json) }

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
    let input = try Input.read(
      "-", of: "-", asking: Sentence("Paste the token, then press Enter and Ctrl+D."))
    let reading = TokenReading(String(decoding: input, as: UTF8.self))
    switch reading.content {
    case .broken(let reason):
      throw CommandError(
        "invalidToken", reason,
        nextStep: Sentence(
          "Pass the whole token, such as: 'entrancectl token | entrancectl token decode'."))
    case .opaque:
      try output.print(reading.remark.map { [Line($0)] } ?? [], [("kind", .string("opaque"))])
    case .encrypted(let header):
      try output.print(
        (reading.remark.map { [Line($0)] } ?? []) + Self.lines(Sentence("Header"), header),
        [("kind", .string("encrypted")), ("header", Self.object(header))])
    case .token(let token): try output.print(lines(token), members(token))
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
          ? Sentence("The signature was not checked.") : Sentence("It is not signed.")),
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

  private func members(_ token: DecodedToken) -> [(name: String, value: JSON)] {
    [
      ("kind", .string("signed")),
      ("type", .string(token.purpose.rawValue)),
      ("signature", .string(token.hasSignature ? "notChecked" : "none")),
      ("expiresOn", token.expiresOn.map { .string($0.formatted(.iso8601)) } ?? .null),
      ("header", Self.object(token.header)),
      ("claims", .array(token.claims.map(Self.object))),
    ]
  }

  private static func object(_ fields: [TokenClaim]) -> JSON {
    Output.object(fields.map { ($0.name, $0.value) })
  }

  private static func object(_ claim: TokenClaim) -> JSON {
    func text(_ sentence: Sentence?) -> JSON { sentence.map { .string("\($0)") } ?? .null }
    return Output.object([
      ("name", .string(claim.name)), ("value", claim.value), ("words", text(claim.words)),
      ("meaning", text(claim.meaning)),
      ("time", claim.date.map { .string($0.formatted(.iso8601)) } ?? .null),
      (
        "parts",
        .array(
          claim.parts.map {
            Output.object([("name", .string($0.name)), ("meaning", text($0.words))])
          })
      ),
    ])
  }
}
