import AuthCore
import CurlHTTP
import HTTPFiles
import Localization
import MicrosoftGraph
import Sentences

/// Requests of another program, without their secrets, which are to be saved in a file.
public struct ExplorerImport: Sendable, Equatable {
  /// What the file may be called.
  public let fileName: String
  let file: HTTPFile
  /// What was left out or changed, in sentences.
  let remarks: [String]

  /// Why nothing was imported.
  struct Failure: Error {
    /// A whole sentence or two.
    let text: String

    /// A failure of what `sentence` says that it cannot be imported.
    init(_ sentence: Sentence, _ reason: Sentence, line: Int? = nil) {
      var sentences = [tr(sentence), tr(reason)]
      if let line { sentences[1] = tr("Line {line}: {reason}", ["line": line, "reason": reason]) }
      text = sentences.joined(separator: " ")
    }
  }

  /// Imports the file at `path`.
  @concurrent
  static func read(_ path: String) async throws(Failure) -> ExplorerImport {
    let name = RequestFile(path: path).name
    let sentence = Sentence("The file “{path}” cannot be imported.", ["path": name.plain])
    let bytes: [UInt8]
    do throws(FileReader.Failure) {
      bytes = try FileReader(path).read(upTo: HTTPFileImport.largest)
    } catch {
      throw Failure(
        sentence, Sentence("The file cannot be read: {reason}.", ["reason": error.cause]))
    }
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    return try make(bytes, called: stem.isEmpty ? "requests" : String(stem), or: sentence)
  }

  /// Imports a command line of curl, or a request as documents and files of requests have it.
  @concurrent
  static func read(text: String) async throws(Failure) -> ExplorerImport {
    if ExplorerRequest.isCommand(text) {
      return try make(
        Array(text.utf8), called: "requests", or: Sentence("The command cannot be imported."))
    }
    let sentence = Sentence("The request cannot be imported.")
    let file: HTTPFile
    do throws(HTTPFile.Remark) {
      file = try HTTPFile(Array(text.utf8))
    } catch {
      throw Failure(sentence, error.reason, line: error.line)
    }
    if let problem = file.requests.first?.problems.first {
      throw Failure(sentence, problem.reason, line: problem.line)
    }
    let found = ExplorerImport(fileName: "requests.http", file: file, remarks: [])
    // Its secrets are still in it, so it is not offered as a file.
    guard found.request(host: "") != nil else {
      throw Failure(
        sentence,
        Sentence(
          "Only one request, without variables, files, and comments in its body, can be pasted."
            + " Save the text in a file that ends in “.http”, and open the file."))
    }
    return found
  }

  private static func make(
    _ bytes: [UInt8], called name: String, or sentence: Sentence
  ) throws(Failure) -> ExplorerImport {
    do throws(HTTPFileImport.Failure) {
      let read = try HTTPFileImport(bytes)
      return ExplorerImport(
        fileName: "\(name).http", file: read.file, remarks: read.remarks.map { tr($0).plain })
    } catch {
      throw Failure(sentence, error.reason, line: error.line)
    }
  }

  /// The request, if it is the only one and needs no file: a file has the values of variables, and
  /// says where a body is.
  func request(host: String) -> ExplorerRequest? {
    guard let content = file.requests.first?.content, file.requests.count == 1,
      content.isBodySentWhole
    else { return nil }
    // Any token is replaced by the account's own.
    let fields = content.fields.filter {
      $0.name.lowercased() != "authorization" || !$0.value.lowercased().hasPrefix("bearer ")
    }
    let texts = [content.url, content.body] + fields.map(\.value)
    guard !texts.contains(where: { $0.contains("{{") }) else { return nil }
    return ExplorerRequest(content, host: host)
  }
}

// Requests of other programs.
extension ExplorerModel {
  /// *Import…*: reads a file of another program; where to save its requests is asked then.
  @discardableResult
  public func importFile(_ path: String) -> Task<Void, Never> {
    Task { [weak self] in
      do throws(ExplorerImport.Failure) {
        let found = try await ExplorerImport.read(path)
        self?.imports.notify(found)
      } catch {
        self?.showMessage(tr("Nothing Was Imported"), error.text)
      }
    }
  }

  /// Takes what is pasted in place of the address, or into it, if it is a command line of curl, or
  /// a request with its method: as the page's request; a command that needs a file, as a file.
  ///
  /// What cannot be imported leaves the address as it was: it may have a token in it.
  ///
  /// - Parameter text: the address with what was pasted.
  /// - Returns: the task; nil when it is neither of them.
  @discardableResult
  public func paste(_ text: String) -> Task<Void, Never>? {
    let inserted = Self.inserted(in: text, after: request.address)
    // Who types one is not to lose it with its first letters.
    guard inserted.count > 1,
      let pasted = [text, inserted].first(where: {
        ExplorerRequest.isCommand($0) || ExplorerRequest.isWithMethod($0)
      })
    else { return nil }
    return Task { [weak self] in
      do throws(ExplorerImport.Failure) {
        let found = try await ExplorerImport.read(text: pasted)
        self?.take(found)
      } catch {
        self?.replacements.notify(false)
        self?.showMessage(tr("Nothing Was Imported"), error.text)
      }
    }
  }

  /// What `new` has between its beginning and its end that `old` has, too.
  private static func inserted(in new: String, after old: String) -> String {
    let start = zip(old, new).prefix { $0.0 == $0.1 }.count
    let (rest, added) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(rest.reversed(), added.reversed()).prefix { $0.0 == $0.1 }.count
    return String(added.dropLast(end))
  }

  private func take(_ found: ExplorerImport) {
    // What was pasted is no address.
    replacements.notify(false)
    guard let request = found.request(host: graph.host) else { return imports.notify(found) }
    choose(request) { $0.showRemarks(of: found) }
  }

  /// Saves imported requests in a file of their own, whose place the person has chosen.
  @discardableResult
  public func save(_ found: ExplorerImport, as path: String) -> Task<Void, Never> {
    Task { [weak self] in
      do throws(RequestFile.Failure) {
        let file = try await RequestFile.write(found.file, to: path)
        guard let self else { return }
        files.open(path)
        files.set(file)
        messages.notify(
          tr("Saved in {file}", ["file": window.workspace.privacy.shown(file.name.plain)]))
        showRemarks(of: found)
      } catch {
        self?.showMessage(tr("Nothing Was Imported"), error.text)
      }
    }
  }

  private func showRemarks(of found: ExplorerImport) {
    guard !found.remarks.isEmpty else { return }
    showMessage(tr("Imported With Changes"), found.remarks.joined(separator: "\n\n"))
  }

  /// Shows a text that is too long for a toast.
  func showMessage(_ title: String, _ text: String) {
    let text = window.workspace.privacy.shown(text)
    questions.notify((ExplorerQuestion(title: title, text: text, answer: nil), {}))
  }
}
