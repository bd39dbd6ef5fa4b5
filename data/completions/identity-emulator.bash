# bash completion for identity-emulator(1)

_identity_emulator() {
  local words
  case $3 in
    --fault) words=$(identity-emulator --faults 2>/dev/null | cut -d " " -f 1) ;;
    --redirect-via) words='302 script form form-csp meta iframe' ;;
    --configuration) mapfile -t COMPREPLY < <(compgen -f -- "$2"); return ;;
    --port | --token-lifetime | --client-id | --redirect-uri | --colleagues | --host) return ;;
    *)
      words='--port --token-lifetime --redirect-via --client-id --redirect-uri --configuration
        --colleagues --host --fault --faults --until-stdin-closes --control --help'
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")
}
complete -F _identity_emulator identity-emulator
