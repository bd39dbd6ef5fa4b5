# bash completion for entrance(1)

_entrance() {
  COMPREPLY=()
  # Its value is a name of the user's own.
  [ "$3" != --connection ] || return
  mapfile -t COMPREPLY < <(
    compgen -W '--help --help-all --help-gapplication --demo --connection --new-window --add-account
      --sign-out-all --version' -- "$2")
}
complete -F _entrance entrance
