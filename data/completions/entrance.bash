# bash completion for entrance(1)

_entrance() {
  COMPREPLY=()
  # Its value is a name of the user's own.
  [ "$3" != --app ] || return
  mapfile -t COMPREPLY < <(
    compgen -W '--help --help-all --help-gapplication --demo --app --new-window --add-account
      --sign-out-all --version' -- "$2")
}
complete -F _entrance entrance
