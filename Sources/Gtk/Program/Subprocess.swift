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
    process = try Self.start(arguments)
    output = Object(
      owning: g_data_input_stream_new(g_subprocess_get_stdout_pipe(process.opaque)))
  }

  private static func start(
    _ arguments: [String], _ others: GSubprocessFlags...
  ) throws(GLibError) -> Object {
    let flags = [G_SUBPROCESS_FLAGS_STDIN_PIPE, G_SUBPROCESS_FLAGS_STDOUT_PIPE] + others
    let all = GSubprocessFlags(rawValue: flags.reduce(0) { $0 | $1.rawValue })
    var error: UnsafeMutablePointer<GError>?
    let started = CStringArray(arguments).withPointer { g_subprocess_newv($0, all, &error) }
    guard let started else {
      throw error.map { GLibError(taking: $0) }
        ?? GLibError(domain: "", code: 0, message: "\(arguments) could not be started")
    }
    return Object(owning: started)
  }

  isolated deinit {
    // GIO keeps the process, and with it the pipe, until it has ended.
    g_output_stream_close(g_subprocess_get_stdin_pipe(process.opaque), nil, nil)
  }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - arguments: the program, and its arguments.
  ///   - input: what it gets on its standard input.
  /// - Returns: its standard output; nil if it failed. What it says on its standard error is left out.
  /// - Throws: why it could not be started. Canceling the task ends it.
  public static func output(
    of arguments: [String], input: [UInt8]
  ) async throws(GLibError) -> [UInt8]? {
    let process = try start(arguments, G_SUBPROCESS_FLAGS_STDERR_SILENCE)
    let bytes = g_bytes_new(input, gsize(input.count))
    defer { g_bytes_unref(bytes) }
    // Nothing when it has ended.
    defer { g_subprocess_force_exit(process.opaque) }
    return try await awaitOperation { cancellable, ready, data in
      g_subprocess_communicate_async(process.opaque, bytes, cancellable, ready, data)
    } finish: { result, error in
      var output: OpaquePointer?
      g_subprocess_communicate_finish(process.opaque, result, &output, nil, &error)
      guard let output else { return nil }
      defer { g_bytes_unref(output) }
      guard g_subprocess_get_successful(process.opaque) != 0 else { return nil }
      var size: gsize = 0
      let start = g_bytes_get_data(output, &size)
      return Array(UnsafeRawBufferPointer(start: start, count: Int(size)))
    }
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
      String(
        owning: g_data_input_stream_read_line_finish_utf8(output.ptr(), result, nil, &error))
    }
  }
}
