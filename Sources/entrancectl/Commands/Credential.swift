import ArgumentParser
import Localization

/// Answers programs that ask another one for a password, in their own forms.
struct Credential: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "credential",
    abstract: tr("Give Git, kubectl, docker, and Azure’s libraries a token when they ask for one."),
    subcommands: [
      CredentialGit.self, CredentialKubectl.self, CredentialDocker.self, CredentialAzd.self,
    ])
}
