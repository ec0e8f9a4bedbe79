# The shim: the small program between Rouse and one command.
#
#   sh shim.sh HOME ID             holds the command's input, runs it, writes down how it ended
#   sh shim.sh HOME ID terminal    the same from inside a terminal, which `script` has made
#
# It needs nobody: the host may come and go. In HOME/processes/ID it finds `start` (what to run) and leaves
#   pid      its own identity, then the command's; creating it is the claim, so a command is started once at most
#   stdin    the FIFO whose writing end it holds; SIGUSR1 tells it to let go
#   output   everything the command writes; only ever appended to
#   exit     at the very end: what the shell says of a signal and `status NUMBER`, or `refused WHAT`, or `unknown WHY`;
#            the host may have put an empty one there before, so that none has to be made
# and it rings, by adding its id to HOME/bell, so that the host looks without having to poll. The ring of an ordinary end
# says the status as well, which spares the host the opening and reading of `exit`.
#
# The launcher reads this file once and forks a shim without starting a program for it; by itself it works as above. All
# of it is functions, so that the whole text is read before the first line runs: a newer file in its place disturbs
# nobody who is already at work.

# An identity is the line of /proc/PID/stat: the pid first, the start time in field 22.
note() {
  read -r stat < "/proc/$2/stat"
  pid=${stat%% *}
  set -- "$1" ${stat##*) }
  printf '%s %s %s %s\n' "$1" "$pid" "${21}" "$boot"
}

ring() { printf '%s\n' "$id" >> "$home/bell"; }

# A full disk is waited out; a folder that is gone, or that the command has spoilt, has nobody left to tell. Appended,
# because ext4 carries a file that was emptied to the disk as soon as it is closed, and the end would wait for that.
write_exit() {
  until "$@" >> exit; do
    [ -d "$folder" ] && [ ! -d exit ] || exit 1
    sleep 1
  done
  printf '%s%s\n' "$id" "$code"
}

# dash tells a signal from an exit status above 128 only in words, in the list of its jobs.
ended() {
  if [ "$status" -le 128 ]; then code=" $status"; else jobs; fi && printf 'status %s\n' "$status"
}

refused() { printf 'refused %s\n' "$what"; }

# The last steps before the command takes our place, with the variables that were asked for.
become_command() {
  note command self >> pid || exit 126
  ring 2> /dev/null
  cd "$cwd" || exit 126
  umask "$mask"
  # Exported, not handed to `env`: what stands in a command line can be read by everybody on the machine.
  for variable; do export "$variable"; done
  export ROUSE_PROCESS="$id"
}

# Its output is the bell, open from the beginning: the end is told with nothing left to be opened.
shim() {
  umask 077
  exec >> "$home/bell" 2> /dev/null
  folder=$home/processes/$id
  cd "$folder" || exit 1
  . ./start
  set -C
  note shim self > pid || exit 1
  set +C
  what= code=
  [ -d "$cwd" ] && [ -x "$cwd" ] || what=cwd
  [ -x "$shell" ] || what=shell
  if [ "$what" ]; then
    write_exit refused
    exit 1
  fi
  [ -p stdin ] || mkfifo -m 600 stdin
  exec 3<> stdin
  told=no
  trap 'exec 3>&-; told=yes' USR1
  trap told=yes HUP TERM
  umask 377
  (
    umask 077
    if [ "$pty" ]; then
      export SHELL=/bin/sh ROUSE_SHIM="$shim" ROUSE_PLACE="$home" ROUSE_PROCESS="$id"
      exec "$env" --default-signal "$script" -qec 'exec /bin/sh "$ROUSE_SHIM" "$ROUSE_PLACE" "$ROUSE_PROCESS" terminal' /dev/null
    fi
    become_command "$@"
    exec "$env" --default-signal -u OLDPWD "$setsid" "$shell" -c "$command"
  ) < stdin >> output 2>&1 3>&- &
  umask 077
  wait $!
  status=$?
  while [ $told = yes ]; do
    told=no
    wait $!
    status=$?
  done
  if [ "$pty" ]; then write_exit ended_in_terminal; else write_exit ended; fi
}

# Inside the terminal the command stays in the foreground, where Ctrl-C reaches it. What dash says about a signal goes to
# `words`; it says nothing about SIGINT and SIGPIPE, which are told as the exit statuses 130 and 141.
terminal() {
  cd "$home/processes/$id" || exit 1
  . ./start
  stty rows "$rows" cols "$cols"
  trap : HUP INT QUIT TERM USR1 USR2 ALRM
  exec 4>&2 2> words
  (
    exec 2>&4 4>&-
    become_command "SHELL=$login_shell" "$@"
    exec "$env" -u OLDPWD -u ROUSE_SHIM -u ROUSE_PLACE "$shell" -c "$command"
  )
  status=$?
  if [ -s words ]; then words=signalled; else words=Done; fi
  until printf '%s\nstatus %s\n' "$words" "$status" > status; do
    [ -d "$home/processes/$id" ] || exit 1
    sleep 1
  done 2> /dev/null
  exit 0
}

# Told only now that the terminal has passed on the last byte.
ended_in_terminal() {
  words= status=
  [ -f status ] && { read -r words && read -r status; } < status
  if [ "$status" ]; then printf '%s\n%s\n' "$words" "$status"; else printf 'unknown terminal\n'; fi
}

if [ "$role" != launcher ]; then
  shim=$0 home=$1 id=$2
  "${3:-shim}"
  exit
fi
