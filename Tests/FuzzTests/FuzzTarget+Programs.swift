import FoundationEssentials

@testable import AuthCore
@testable import EntranceKit

extension FuzzTarget {
  /// The file that says what each program got and may have.
  func readProgramList(_ bytes: [UInt8]) throws {
    guard let records = ProgramList.records(bytes) else { return }
    try expect(
      ProgramList.records(ProgramList.bytes(records)) == records,
      "the written value equals the parsed one")
    for var record in records {
      try expect(record.count >= 0, "no program got less than nothing")
      let row = ProgramRow(record, at: Self.now) { $0 }
      try expect(row.title == row.title.plain, "a name is one line")
      var request = ProgramRequest(
        program: record.program, app: "Contoso", account: "id", username: "adele",
        scopes: ["User.Read"])
      if let grant = record.grants.first {
        (request.app, request.account) = (grant.app, grant.account)
      }
      record.decide(.deny)
      try expect(
        record.program == .person || record.answer(to: request, .allow) == .denied,
        "a denied program gets nothing")
      record.note(request, at: Self.now)
      record.allow(request)
      try expect(record.answer(to: request, .ask) == .give, "what was allowed is given")
      record.decide(nil)
      try expect(
        record.program == .person || record.answer(to: request, .ask) == .ask,
        "what is no longer decided is asked about")
      try expect(
        ProgramList.records(ProgramList.bytes([record])) == [record],
        "a changed record is what is read again")
    }
  }

  /// What the system says about a process: `stat`, `cmdline`, `.flatpak-info` and the AppArmor label,
  /// with the byte 30 between them.
  func readSystemProcess(_ bytes: [UInt8]) throws {
    let texts = bytes.split(separator: 30, maxSplits: 3, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let process = SystemProcess(stat: texts[0], "/nonexistent")
    if let process {
      // By bytes: an accent after the bracket would be one character with it.
      try expect(
        texts[0].utf8.contains("(\(process.shortName))".utf8), "the name is what is in brackets")
      try expect(process.file == nil && process.fileName == process.shortName, "there is no file")
    }
    if texts.count > 1 {
      let arguments = SystemProcess.arguments(texts[1])
      try expect(arguments.joined(separator: "\0") == texts[1], "no argument is lost")
      for file in ["/usr/bin/python3", "/usr/bin/bash", "/usr/bin/git"] {
        let program = CallingProgram(file: file, arguments: arguments, directory: nil)
        try expect(program.kind == .file && program.identifier.hasPrefix("/"), "a file has a path")
        try expect(
          !file.hasSuffix("git") || program.identifier == file, "only a script has another")
      }
    }
    if texts.count > 2, let id = SystemProcess.flatpak(texts[2]) {
      try expect(texts[2].utf8.contains("name=\(id)".utf8), "an ID is what the file says")
      try expect(!id.contains("\n"), "an ID is one line")
    }
    if texts.count > 3, let name = SystemProcess.snap(texts[3]) {
      try expect(!name.isEmpty && !name.contains("."), "a name is one part of the label")
    }
  }
}
