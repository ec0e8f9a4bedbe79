# The shim: the small program between Rouse and one command.
#
#   sh shim.sh HOME ID             holds the command's input, takes its output, writes down how it ended
#   sh shim.sh HOME ID terminal    the same from inside a terminal, which `script` has made
#
#   host ──▶ 3 ══ pipe ══▶ command ══ pipe ══▶ reader (cat) ──▶ output
#             held by the shim          also held open by the shim, which replaces a reader that dies
#
# It needs no host: one may come and go. In HOME/processes/ID it finds `start` (what to run) and leaves
#   pid      its own identity, then the command's; creating it is the claim, so a command is started once at most
#   output   everything the command writes; only ever appended to
#   dropped  exists when a part of the output could not be written
#   exit     at the very end: what the shell says of a signal and `status NUMBER`, or `refused WHAT`, or `unknown WHY`;
#            the host may have put an empty one there before, so that none has to be made
# and it rings, by adding its id to HOME/bell, so that the host looks without having to poll. The host writes input by
# opening the shim's descriptor 3; SIGUSR1 tells the shim to close it.
#
# Descriptors: 3 input (to write), 8 (to read); 4 output pipe (to write), 5 (to read); 6 the file `output`; 7 the bell.
#
# Nothing of the command's environment is a variable here: the shim has an environment of its own, and the command's is
# set, by the function `environment` of `start`, when nothing is left to do but `exec "$@"`.
#
# The launcher reads this file once and forks a shim without starting a program for it; by itself it works as above. All
# of it is functions, so that the whole text is read before the first line runs: a newer file in its place disturbs
# no shim that is already at work.

# An identity is the line of /proc/PID/stat: the pid first, the start time in field 22.
note() {
  read -r stat < "/proc/$2/stat"
  pid=${stat%% *}
  set -- "$1" ${stat##*) }
  printf '%s %s %s %s\n' "$1" "$pid" "${21}" "$boot"
}

# Whatever a command has put in place of the bell, opening it neither blocks nor ends a shim. Without it, the host looks late.
open_bell() {
  [ -e "$home/bell" ] && [ ! -L "$home/bell" ] && command exec 7<> "$home/bell" && [ -f /proc/self/fd/7 ] &&
    command exec 7>> /proc/self/fd/7 || exec 7> /dev/null
}

ring() { printf '%s\n' "$id" >&7; }

# A command may have put a link to another folder in place of its own: nothing is done there.
is_our_folder() { [ ! -L "$1" ] && [ "$1" -ef . ]; }

# Waits while the disk is full; gives up when the folder is gone, because then there is no reader. Replaces what a command
# has put in place of `exit`, and corrects its modes. Appends, because ext4 carries a file that was emptied to the disk as soon as it is
# closed, and the end would wait for that.
write_exit() {
  until [ ! -L exit ] && { [ -f /proc/self/fd/9 ] && "$@" >> /proc/self/fd/9; } 9<> exit; do
    is_our_folder "$folder" || exit 1
    chmod 700 .
    if [ -L exit ] || { [ -e exit ] && ! { [ -f exit ] && [ -w exit ]; }; }; then rm -rf exit; else sleep 1; fi
  done
  # Anew: another command may have deleted the one that was there at the start.
  open_bell
  ring
}

# dash tells a signal from an exit status above 128 only in words, in the list of its jobs.
ended() {
  if [ "$status" -gt 128 ]; then jobs "$job"; fi
  printf 'status %s\n' "$status"
}

refused() { printf 'refused %s\n' "$what"; }

# The command, as `"$@"`, takes our place, with its own environment and nothing of ours.
become() {
  note command self >> pid || exit 126
  ring
  cd "$cwd" || exit 126
  umask "$mask"
  unset PATH OLDPWD SHELL ROUSE_SHIM ROUSE_PLACE
  # Exported, not handed to `env`: what stands in a command line can be read by every user of the machine.
  export ROUSE_PROCESS="$id"
  environment 2> /dev/null
  exec "$@" 7>&-
}

# What cannot be written is dropped, for a second at a time, so that the command goes on.
read_output() {
  if [ "$1" = dropping ]; then
    cat <&5 > /dev/null &
    sleep 1
    kill $!
  fi
  exec cat <&5 >&6 5<&- 6>&-
}

start_reader() {
  (read_output "$1") 3>&- 4>&- 7>&- 8<&- &
  reader=$! asleep=0
}

# Called whenever a child has died. Meanwhile such a death is no trap: inside one, dash forgets the status of a `wait`.
mind_reader() {
  told=yes
  trap - CHLD
  has_reader || replace_reader
  trap mind_reader CHLD
  has_reader || mind_reader
}

# Every living process has an `exe`, and no zombie has one. A descriptor would not do: a new child of dash closes its input
# before it opens another, and a shim that takes a living reader for dead waits for it forever.
has_reader() { [ -z "$reader" ] || [ -e "/proc/$reader/exe" ]; }

# A reader that ended well has read the end of the output: all who could write are gone.
replace_reader() {
  # 145: the death of another child interrupted this wait.
  while if wait "$reader"; then got=0; else got=$?; fi; [ $got = 145 ]; do :; done
  case $got in
    0) reader= ;;
    129 | 130 | 131 | 137 | 143) start_reader again ;;
    *)
      failed=$((failed + 1))
      : >> dropped
      ring
      start_reader dropping
      ;;
  esac
}

# A wait that a trap interrupts is begun again. 145 is what an interruption by a dead child looks like; an interrupted
# wait leaves the command unreaped. 127 means that the shell has already told the status and forgotten it.
await() {
  real=no
  while
    told=no
    wait "$main"
    got=$?
    [ $got = 127 ] && [ $real = yes ] || status=$got
    if [ -e "/proc/$main" ] || [ "$status" = 145 ]; then real=no; else real=yes; fi
    [ $told = yes ]
  do :; done
}

# Everything the command wrote is in the file once the reader waits for more, or has ended, or has written more since than
# pipe and buffer can hold (a grandchild may write without end), or has dropped all of that.
is_drained() {
  mind_reader
  [ "$reader" ] || return 0
  where=
  read -r where < "/proc/$reader/wchan"
  case $where in
    *pipe_read* | *pipe_wait*) return 0 ;;
    0 | '')
      # It does not sleep; or it does, time and again, on a kernel that does not say where.
      read -r stat < "/proc/$reader/stat"
      case ${stat##*) } in S*) asleep=$((asleep + 1)) ;; *) asleep=0 ;; esac
      [ $asleep -lt 3 ] || return 0
      ;;
  esac
  read -r _ at < /proc/self/fdinfo/6
  [ $((at - before)) -gt 2097152 ] || [ $((failed - failures)) -gt 1 ]
}

drain() {
  read -r _ before < /proc/self/fdinfo/6
  failures=$failed tries=0
  until is_drained; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || { kill -CONT "$reader"; sleep 0.01 || sleep 1; }
  done
}

shim() {
  umask 077
  exec 2> /dev/null
  folder=$home/processes/$id
  cd "$folder" || exit 1
  . ./start
  open_bell
  set -C
  note shim self > pid || exit 1
  set +C
  what= reader= failed=0
  [ -d "$cwd" ] && [ -x "$cwd" ] || what=cwd
  [ -x "$shell" ] || what=shell
  if [ "$what" ]; then
    write_exit refused
    exit 1
  fi
  # An empty document is a pipe in most shells, made without a program; the others need FIFOs.
  exec 5<< 'nothing' 8<< 'nothing'
nothing
nothing
  [ -p /proc/self/fd/8 ] || { mkfifo -m 600 stdin stdout && exec 3<> stdin 4<> stdout 8< stdin 5< stdout; }
  exec 3> /proc/self/fd/8 4> /proc/self/fd/5 6>> output
  trap 'told=yes; exec 3>&-' USR1
  trap told=yes HUP TERM
  if [ "$pty" ]; then
    job=%1
    (
      export SHELL=/bin/sh ROUSE_SHIM="$shim" ROUSE_PLACE="$home" ROUSE_PROCESS="$id"
      exec "$env" --default-signal "$script" -qec 'exec /bin/sh "$ROUSE_SHIM" "$ROUSE_PLACE" "$ROUSE_PROCESS" terminal' /dev/null
    ) <&8 >&6 2>&1 3>&- 4>&- 5<&- 6>&- 7>&- 8<&- &
    main=$!
    exec 4>&- 5<&- 8<&-
    await
    write_exit ended_in_terminal
    return
  fi
  job=%2
  trap mind_reader CHLD
  start_reader first
  (
    become "$setsid" "$env" --default-signal "$@" "$shell" -c "$command"
  ) <&8 >&4 2>&1 3>&- 4>&- 5<&- 6>&- 8<&- &
  main=$!
  exec 4>&- 8<&-
  await
  drain
  write_exit ended
}

# Inside the terminal the command stays in the foreground, where Ctrl-C reaches it. What dash says about a signal goes to
# `words`; it says nothing about SIGINT and SIGPIPE, which are told as the exit statuses 130 and 141.
terminal() {
  cd "$home/processes/$id" || exit 1
  . ./start
  stty rows "$rows" cols "$cols"
  trap : HUP INT QUIT TERM USR1 USR2 ALRM
  # Opened now: the command could put something in its place that blocks.
  exec 4>&2 2> words 5> status
  (
    open_bell 2> /dev/null
    exec 2>&4 4>&- 5>&-
    become "$env" "$@" "$shell" -c "$command"
  )
  status=$?
  if [ -s words ]; then words=signalled; else words=Done; fi
  until printf '%s\nstatus %s\n' "$words" "$status" >&5; do
    is_our_folder "$home/processes/$id" || exit 1
    sleep 1
  done 2> /dev/null
  exit 0
}

# Told only now that the terminal has passed on the last byte.
ended_in_terminal() {
  words= status=
  [ ! -L status ] && { [ -f /proc/self/fd/9 ] && read -r words <&9 && read -r status <&9; } 9<> status
  if [ "$status" ]; then printf '%s\n%s\n' "$words" "$status"; else printf 'unknown terminal\n'; fi
}

if [ "$role" != launcher ]; then
  shim=$0 home=$1 id=$2
  "${3:-shim}"
  exit
fi
