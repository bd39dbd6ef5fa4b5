import AuthCore
import EntranceKit
import FoundationEssentials
import Glibc
import HTTPTypes
import MicrosoftGraph
import Sentences

/// Sends a request, and prints what is wanted of its response.
struct ResponsePrinter {
  let form: ResponseOptions
  let output: Output

  /// - Parameter content: takes the place of the request's body; nil for that.
  func send(
    _ request: GraphRequest, content: GraphContent? = nil, _ session: GraphSession
  ) async throws(CommandError) {
    try await session.keeping { () async throws(CommandError) in
      do throws(CommandError) {
        if let file = form.file {
          try await download(request, to: file, session)
        } else if form.isWhole {
          try await printPages(of: request, session)
        } else {
          try await printResponse(to: request, content: content, session)
        }
      } catch {
        printResponse(of: error)
        throw error
      }
    }
  }

  /// Prints the response that an error is about, if its head is wanted.
  ///
  /// What is wrong with a request is often only in the body. The JSON has it with the error.
  private func printResponse(of error: CommandError) {
    guard form.include, !output.isJSON, let response = error.response else { return }
    // The error itself is said in any case.
    try? printHead(of: response)
    try? output.print(response.body, response.jsonBody)
  }

  // MARK: One response

  private func printResponse(
    to request: GraphRequest, content: GraphContent?, _ session: GraphSession
  ) async throws(CommandError) {
    var line = ProgressLine()
    let response = try await session.translating(sending: request) { () async throws(GraphError) in
      let response =
        if let content {
          try await session.client.send(request, content: content)
        } else {
          try await session.client.send(request)
        }
      guard form.wait else { return response }
      defer { line.clear() }
      return try await session.client.completion(of: response) { line.show(percentage: $0) }
    }
    Output.sayDeprecation(of: response)
    let json = response.jsonBody
    if json == nil, form.jsonpath != nil || form.isTable && !response.body.isEmpty {
      throw CommandError(
        "invalidResponse", Sentence("The response is not JSON, so nothing can be selected."))
    }
    let status = JSON.Member("status", JSON(response.status))
    let head = form.include ? [JSON.Member("headerFields", response.fields)] : []
    if let path = form.jsonpath, let json {
      if form.include, !output.isJSON { try printHead(of: response) }
      try print(path.select(json), [status] + head)
    } else if form.isTable {
      try print(GraphTable(json?["value"]?.array ?? json.map { [$0] } ?? []))
    } else if output.isJSON {
      let type = JSON.Member("contentType", JSON(response.contentType))
      try output.print(document: .object([status, type] + head + [response.bodyMember]))
    } else {
      if form.include { try printHead(of: response) }
      try output.print(response.body, json)
    }
    if json?["@odata.nextLink"] != nil {
      Output.say(Sentence("There are more pages. To get all items, use --all."))
    }
    for hint in response.hints(for: request) { Output.say(hint) }
  }

  private func printHead(of response: GraphResponse) throws(CommandError) {
    let texts =
      [["HTTP", String(response.status)].joined(separator: " ")]
      + response.headerFields.map { [$0.name.rawName, $0.value].joined(separator: ": ") }
    try output.print(texts.map { Line(Sentence(verbatim: $0)) } + [.empty])
  }

  private func print(_ table: GraphTable) throws(CommandError) {
    if let hint = table.columnsHint { Output.say(hint) }
    guard form.csv else { return try output.print(table.lines) }
    try output.print(text: table.csv.utf8)
  }

  /// Prints what was selected.
  private func print(_ values: [JSON], _ members: [JSON.Member] = []) throws(CommandError) {
    if form.isTable { return try print(GraphTable(values)) }
    guard !output.isJSON else {
      return try output.print(
        document: .object(members + [JSON.Member("selected", .array(values))]))
    }
    let texts = values.map { $0.string ?? $0.compactText }
    guard isatty(STDOUT_FILENO) == 0 else {
      return try output.print(texts.map { Line(Sentence(verbatim: $0)) })
    }
    try output.print(raw: texts.map { $0 + "\n" }.joined().utf8)
  }

  // MARK: All pages

  private func printPages(of request: GraphRequest, _ session: GraphSession)
    async throws(CommandError)
  {
    var pages = session.client.pages(request).makeAsyncIterator()
    var table = GraphTable()
    var list = ItemList(output)
    var isFirst = true
    var line = ProgressLine()
    defer { line.clear() }
    var count = 0
    // All items, when something is selected among them.
    var items: [JSON] = []
    while true {
      let page: GraphPage<JSON>?
      do throws(CommandError) {
        page = try await session.translating(sending: request) { () async throws(GraphError) in
          try await pages.next()
        }
      } catch {
        list.abandon()
        // Only a collection has pages.
        guard error.code == GraphError.Code.invalidResponse.rawValue, isFirst else { throw error }
        var error = error
        error.nextStep = Sentence("If it is not a collection, request it without --all.")
        throw error
      }
      guard let page else { break }
      if isFirst {
        Output.sayDeprecation(of: page.response)
        for hint in page.response.hints(for: request) { Output.say(hint) }
      }
      isFirst = false
      if let path = form.jsonpath {
        if form.paginate {
          try print(path.select(page.response.jsonBody ?? .null))
        } else {
          items += page.items
        }
      } else if form.isTable {
        for item in page.items { table.add(item) }
      } else if form.paginate {
        try output.print(page.response.body, page.response.jsonBody)
      } else {
        try list.add(page.items)
      }
      count += page.items.count
      if printsAtEnd || Output.isFile(STDOUT_FILENO) { line.show(items: count) }
    }
    line.clear()
    if let path = form.jsonpath {
      guard form.all else { return }
      return try print(path.select(["value": .array(items)]))
    }
    if form.isTable { return try print(table) }
    if form.all { try list.finish() }
  }

  /// Whether nothing is printed before all pages are there; the terminal may be where it is printed.
  private var printsAtEnd: Bool {
    form.isTable || output.isJSON || form.jsonpath != nil && !form.paginate
  }

  // MARK: Files

  private func download(
    _ request: GraphRequest, to file: String, _ session: GraphSession
  ) async throws(CommandError) {
    let download = session.client.download(request)
    guard file != "-" else {
      var pieces = download.makeAsyncIterator()
      // A terminal gets no control characters, so it gets the whole as text.
      var text = isatty(STDOUT_FILENO) == 0 ? nil : TerminalText()
      while let piece = try await session.translating(
        sending: request, isDownload: true,
        { () async throws(GraphError) in
          try await pieces.next()
        })
      {
        if text == nil { try output.print(raw: piece) } else { try text?.add(piece) }
      }
      if let text { try output.print(text.content, nil) }
      return
    }
    var line = ProgressLine()
    defer { line.clear() }
    do throws(CommandError) {
      try await session.translating(sending: request, isDownload: true) {
        () async throws(GraphError) in
        try await download.write(to: file, resuming: true) { line.show($0) }
      }
    } catch {
      var error = error
      if let kept = GraphDownload.kept(of: file) {
        let hint = Sentence(
          "What was received is in “{path}”. To continue, run the command again.", ["path": kept])
        error.nextStep = Sentence([error.nextStep, hint].compactMap(\.self))
      }
      throw error
    }
    if output.isJSON { try output.print(document: ["path": JSON(file)]) }
  }
}

/// What a terminal is to show of a download, which ends as soon as it cannot be shown.
private struct TerminalText {
  private(set) var content = Data()
  /// How many bytes are known to be text.
  private var checked = 0

  /// The most bytes: as many as a response has that is not a download.
  private static let limit = 32 << 20

  mutating func add(_ piece: some Collection<UInt8>) throws(CommandError) {
    guard content.count + piece.count <= Self.limit else {
      throw Output.notShown(Sentence("The response is too large to be shown on the terminal."))
    }
    content.append(contentsOf: piece)
    let new = content[checked...]
    let whole = new.dropLast(Self.unfinished(new))
    guard String(validating: whole, as: UTF8.self) != nil else { throw Output.notText }
    checked += whole.count
  }

  /// How many bytes at the end begin a character whose other bytes are yet to come.
  private static func unfinished(_ bytes: Data) -> Int {
    for (count, byte) in zip(1...3, bytes.reversed()) where byte & 0xc0 != 0x80 {
      let length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      return count < length ? count : 0
    }
    return 0
  }
}

/// A document with the items of a collection, which is printed as they come.
///
/// The JSON for programs is one with its own members, and printed at the end.
struct ItemList {
  private let output: Output
  private var items: [JSON] = []
  private var isEmpty = true

  init(_ output: Output) { self.output = output }

  mutating func add(_ items: [JSON]) throws(CommandError) {
    guard !output.isJSON else {
      self.items += items
      return
    }
    guard !items.isEmpty else { return }
    let text = items.map { item in
      "\n    " + item.prettyText.replacing("\n", with: "\n    ")
    }.joined(separator: ",")
    try output.print(raw: ((isEmpty ? "{\n  \"value\": [" : ",") + text).utf8)
    isEmpty = false
  }

  /// Ends the line of a document whose rest does not come.
  ///
  /// It gets no end of JSON, so that nothing takes it for whole.
  func abandon() {
    if !isEmpty { try? output.print([.empty]) }
  }

  /// Prints the end.
  func finish(_ members: [JSON.Member] = []) throws(CommandError) {
    guard !output.isJSON else {
      return try output.print(
        document: .object(members + [JSON.Member("value", .array(items))]))
    }
    try output.print(raw: (isEmpty ? "{\n  \"value\": []\n}\n" : "\n  ]\n}\n").utf8)
  }
}

extension Output {
  /// Prints a body, which `json` is if it is JSON.
  func print(_ body: Data, _ json: JSON?) throws(CommandError) {
    if let json { return try print(document: json) }
    guard isatty(STDOUT_FILENO) == 0 || String(validating: body, as: UTF8.self) != nil else {
      throw Self.notText
    }
    try print(text: body)
  }

  fileprivate static var notText: CommandError {
    notShown(Sentence("The response is not text, so it is not shown on the terminal."))
  }

  fileprivate static func notShown(_ reason: Sentence) -> CommandError {
    CommandError(
      "isTerminal", reason,
      nextStep: Sentence("Write it to a file: 'entrancectl graph … > FILE'."))
  }

  /// Says that what was requested will end.
  static func sayDeprecation(of response: GraphResponse) {
    guard let deprecation = response.deprecation else { return }
    warn(deprecation.sentence)
    if let link = deprecation.link { say(Sentence("See {url}.", ["url": link])) }
  }
}
