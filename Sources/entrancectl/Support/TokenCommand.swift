import ArgumentParser
import Localization

/// A command that gives another program a token.
protocol TokenCommand: ClientCommand {
  var options: TokenOptions { get }
}

extension TokenCommand {
  var common: CommonOptions { options.common }
}

/// What a command takes that gives another program a token.
struct TokenOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions
  @OptionGroup var choice: AccountOptions
  @OptionGroup var scope: ScopeOptions
  @OptionGroup var input: InputOptions

  var asksPerson: Bool { !input.noInput }
}

/// How long a token must be good for.
struct LifetimeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      tr("Get a new token if the stored one expires sooner than this, such as 5m."),
      valueName: tr("time")))
  var minLifetime: TokenLifetime?

  var duration: Duration { minLifetime?.duration ?? .zero }
}
