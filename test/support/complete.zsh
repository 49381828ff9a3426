# Types $2 and the tab key into a shell that has the completion of the file $1, and prints what stands there then.
zmodload zsh/zpty
zpty typed zsh -f -i
zpty -w typed "PS1='' PS2=''; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -d $1.dump; source $1; bindkey '^I' complete-word; print REA''DY"
zpty -r typed seen '*READY*'
zpty -n -w typed "$2"$'\t\C-aprint -r -- "LI""NE" \n'
zpty -r typed seen $'*LINE *\n'
print -r -- "${${seen##*LINE }%%[[:cntrl:]]*}"
zpty -d typed
