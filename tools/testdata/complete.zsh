# complete.zsh COMMAND LINE: prints LINE as zsh has it after a press of Tab, with the completion that COMMAND prints.
zmodload zsh/zpty
result=$(mktemp)
zpty shell zsh -f -i
zpty -w shell "autoload -Uz compinit; compinit -u -D; source <($1)
    setopt no_beep; show() { print -r -- \"\$BUFFER\" >$result; }; zle -N show; bindkey '^I' complete-word '^G' show"
zpty -w shell "print re''ady"
zpty -r -m shell out '*ready*'
zpty -w -n shell "$2"$'\t'$'\a'
for ((i = 0; i < 300; i++)); do
    [[ -s $result ]] && break
    sleep 0.1
done
cat $result
rm -f $result
zpty -d shell
