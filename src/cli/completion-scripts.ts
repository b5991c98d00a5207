// Each hands the words typed so far to `handraise __complete`, which knows the commands and asks the worker for ids.

export const bashScript = `_handraise() {
  local IFS=$'\\n' line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(handraise __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _handraise handraise`;

export const zshScript = `#compdef handraise
_handraise() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(handraise __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe handraise found || _files
}
if [ "$funcstack[1]" = "_handraise" ]; then _handraise "$@"; else compdef _handraise handraise; fi`;

export const fishScript = `function __handraise_complete
  set -l words (commandline -opc)
  handraise __complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c handraise -a '(__handraise_complete)'`;
