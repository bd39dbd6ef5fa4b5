import ArgumentParser

/// Commands whose usual subcommand can be left out, in the scripts for completion.
///
/// The parser writes the scripts from the commands, but they complete only what is written out. So
/// each gets lines that go on as if the subcommand was there.
enum ShortForms {
  /// A script, of whichever shell, with these lines; another text as it is.
  static func added(to text: String) -> String {
    EntranceControl.configuration.subcommands.reduce(text) { script, command in
      guard let usual = command.configuration.defaultSubcommand else { return script }
      let words = command.configuration.subcommands.map { $0._commandName }
      return added(to: script, command._commandName, usual._commandName, words)
    }
  }

  private static func added(
    to script: String, _ command: String, _ usual: String, _ words: [String]
  ) -> String {
    let function = "_entrancectl_\(command)"
    let (list, pattern) = (words.joined(separator: " "), words.joined(separator: "|"))
    let bash = "\n\(function)() {\n    repeating_flags=()\n"
    let zsh = "\n\(function)() {\n    local -i ret=1\n"
    let fish = "\n        case '\(command)'\n"
    let isFirst =
      "__entrancectl_should_offer_completions_for_positional \"entrancectl \(command)\" -eq 1"
    let isAlone =
      "test \"$(__entrancectl_tokens -pc | string join \" \")\" = \"entrancectl \(command)\""
    return
      script
      .replacing(
        bash,
        with: """

          \(function)() {
              # '\(usual)' can be left out.
              case "${unparsed_words[0]}" in
              \(pattern)) ;;
              *)
                  [[ "${#unparsed_words[@]}" -gt 1 ]] \\
                      || COMPREPLY+=($(compgen -W '\(list)' -- "${cur}"))
                  \(function)_\(usual)
                  return
                  ;;
              esac
              repeating_flags=()

          """
      )
      .replacing(
        zsh,
        with: """

          \(function)() {
              local -i ret=1
              # '\(usual)' can be left out.
              if [[ "${words[2]}" != (\(pattern)) ]]; then
                  \(function)_\(usual) && ret=0
                  [[ "${CURRENT}" -gt 2 ]] && return "${ret}"
              fi

          """
      )
      .replacing(
        fish,
        with: fish + """
                      # '\(usual)' can be left out.
                      contains -- "$unparsed_tokens[2]" \(list)
                      or set unparsed_tokens $unparsed_tokens[1] \(usual) $unparsed_tokens[2..]

          """
      )
      // What is behind the command alone can still be a subcommand.
      .replacing(isFirst, with: isAlone)
  }
}
