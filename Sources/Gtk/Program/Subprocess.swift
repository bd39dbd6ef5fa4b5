import CGtk
public import Gio

/// A child process, with pipes to its standard input and from its standard output.
///
/// Its standard input is closed when this object is released, or when this program ends in any way.
/// A child that watches its input therefore ends with either.
@MainActor
public final class Subprocess {
  private let process: Object
  private let output: Object

  /// Starts `arguments[0]` with the rest as its arguments.
  public init(_ arguments: [String]) throws(GLibError) {
    let flags = GSubprocessFlags(
      rawValue: G_SUBPROCESS_FLAGS_STDIN_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue)
    var error: UnsafeMutablePointer<GError>?
    let started = CStringArray(arguments).withPointer { g_subprocess_newv($0, flags, &error) }
    guard let started else {
      throw error.map { GLibError(taking: $0) }
        ?? GLibError(domain: "", code: 0, message: "\(arguments) could not be started")
    }
    process = Object(owning: started)
    output = Object(
      owning: g_data_input_stream_new(g_subprocess_get_stdout_pipe(process.opaque)))
  }

  isolated deinit {
    // GIO keeps the process, and with it the pipe, until it has ended.
    g_output_stream_close(g_subprocess_get_stdin_pipe(process.opaque), nil, nil)
  }

  /// Kills it.
  public func kill() {
    g_subprocess_force_exit(process.opaque)
  }

  /// The next line of its output; nil at the end.
  public func readLine() async throws(GLibError) -> String? {
    try await awaitOperation { cancellable, ready, data in
      g_data_input_stream_read_line_async(
        output.ptr(), G_PRIORITY_DEFAULT, cancellable, ready, data)
    } finish: { result, error in
      let line = g_data_input_stream_read_line_finish_utf8(output.ptr(), result, nil, &error)
      defer { g_free(line) }
      return line.map { String(cString: $0) }
    }
  }
}
