import Sentences
import Testing

@Suite("A sentence")
struct SentenceTests {
  static let german = [
    "{host} did not answer in time.": "{host} hat nicht rechtzeitig geantwortet.",
    "The authority '{url}' cannot be used: {reason}.": "Nicht verwendbar ({reason}): {url}.",
    "authority must use HTTPS": "nur HTTPS geht",
    "One account was kept.": "Ein Konto ist geblieben.",
    "{count} accounts were kept.": "{count} Konten sind geblieben.",
    "Sign in again.": "Melden Sie sich neu an.",
  ]

  /// Looks up a translation like gettext, with the plural rule of German.
  static func translate(_ message: Sentence.Message) -> String {
    german[message.english] ?? message.english
  }

  func german(_ sentence: Sentence) -> String { sentence.text(translatedBy: Self.translate) }

  @Test("By default it is English")
  func english() {
    let sentence = Sentence("{host} did not answer in time.", ["host": "login.example.com"])
    #expect(sentence.description == "login.example.com did not answer in time.")
    #expect("\(sentence)" == sentence.description)
  }

  @Test("The template is translated first, then the values are filled in")
  func translated() {
    let sentence = Sentence("{host} did not answer in time.", ["host": "login.example.com"])
    #expect(german(sentence) == "login.example.com hat nicht rechtzeitig geantwortet.")
  }

  @Test("A value that is a sentence is translated too, and may move")
  func nested() {
    let sentence = Sentence(
      "The authority '{url}' cannot be used: {reason}.",
      ["url": "http://a.example", "reason": Sentence("authority must use HTTPS")])
    #expect(
      sentence.description
        == "The authority 'http://a.example' cannot be used: authority must use HTTPS.")
    #expect(german(sentence) == "Nicht verwendbar (nur HTTPS geht): http://a.example.")
  }

  @Test("A value is not treated as a template or searched for placeholders")
  func valuesAreFinal() {
    let sentence = Sentence("{a} and {b}", ["a": "{b}", "b": "Sign in again."])
    #expect(sentence.description == "{b} and Sign in again.")
    #expect(german(sentence) == "{b} and Sign in again.")
  }

  @Test(
    "Braces that name no value are kept",
    arguments: ["{", "}", "{}", "{other}", "{a", "{ a }", "{{host"] as [Sentence.Template])
  func strangeBraces(_ template: Sentence.Template) {
    #expect(Sentence(template, ["host": "x"]).description == template.description)
  }

  @Test(
    "The count determines the template",
    arguments: [
      (0, "0 accounts were kept.", "0 Konten sind geblieben."),
      (1, "One account was kept.", "Ein Konto ist geblieben."),
      (2, "2 accounts were kept.", "2 Konten sind geblieben."),
      (-1, "-1 accounts were kept.", "-1 Konten sind geblieben."),
    ])
  func plural(count: Int, english: String, translation: String) {
    let sentence = Sentence.plural(
      "One account was kept.", "{count} accounts were kept.", count: count)
    #expect(sentence.description == english)
    #expect(german(sentence) == translation)
  }

  @Test("Within another sentence, a sentence has no final period in any language")
  func withoutFullStop() {
    let sentence = Sentence("Sign in again.").withoutFullStop
    #expect(sentence.description == "Sign in again")
    #expect(german(sentence) == "Melden Sie sich neu an")
    let open = Sentence("authority must use HTTPS").withoutFullStop
    #expect(german(open) == "nur HTTPS geht", "there is none to lose")
  }

  @Test("mapVerbatim changes only the values of a sentence")
  func mapVerbatim() {
    let sentence = Sentence([
      Sentence(
        "The authority '{url}' cannot be used: {reason}.",
        ["url": "a", "reason": Sentence("authority must use HTTPS").withoutFullStop]),
      Sentence(verbatim: "b"),
    ]).mapVerbatim { $0.uppercased() }
    #expect(sentence.description == "The authority 'A' cannot be used: authority must use HTTPS. B")
  }

  @Test("Several sentences are one text, and each is translated")
  func sequence() {
    let text = Sentence([
      Sentence("{host} did not answer in time.", ["host": "a.example"]),
      Sentence(verbatim: "Sign in again."), Sentence("Sign in again."),
    ])
    #expect(text.description == "a.example did not answer in time. Sign in again. Sign in again.")
    #expect(
      german(text)
        == "a.example hat nicht rechtzeitig geantwortet. Sign in again. Melden Sie sich neu an.")
  }

  @Test("There is no space after a Japanese full stop")
  func japaneseSequence() {
    let text = Sentence([Sentence("Signed out."), Sentence("Sign in again.")])
    let japanese = ["Signed out.": "サインアウトしました。", "Sign in again.": "もう一度サインインしてください。"]
    #expect(
      text.text { japanese[$0.template] ?? $0.english } == "サインアウトしました。もう一度サインインしてください。")
  }
}
