import ArgumentParser

/// A subcommand.
protocol EntranceCommand: ParsableCommand {
  /// Where its result goes.
  var output: Output { get }

  /// Does what the command is for.
  func perform() async throws(CommandError)
}

/// A subcommand that works with one app.
protocol ClientCommand: EntranceCommand {
  var common: CommonOptions { get }
}

extension ClientCommand {
  var output: Output { Output(isJSON: common.json) }
}

/// A subcommand that needs no app.
protocol PlainCommand: EntranceCommand {
  var outputOptions: OutputOptions { get }
}

extension PlainCommand {
  var output: Output { Output(isJSON: outputOptions.json) }
}
