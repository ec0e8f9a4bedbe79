# The launcher: does for the host what needs a fork, because forking a large program is slow.
#
#   sh launcher.sh HOME SHIM     reads `TICKET VERB ARGUMENTS` from its input, answers `TICKET STATUS` on its output
#
# It keeps nothing. When it dies a new one is started and asked again: a start asked for twice happens once,
# because the shim claims its folder first. When the host dies it reads the end of its input and ends too.

home=$1 shim=$2 role=launcher
. "$shim"

perform() {
  case $1 in
    # Forked twice, so that the shim is not our child and leaves no zombie. It keeps nothing of ours open.
    start) (id=$2; exec < /dev/null > /dev/null 2>&1; shim &) ;;
    release)
      output=$home/processes/$2/output
      [ -f "$output" ] && [ ! -L "$output" ] || return 1
      # A shim of an earlier version made it without write permission.
      [ -w "$output" ] || chmod 600 "$output"
      fallocate --punch-hole --offset "$3" --length "$4" "$output"
      ;;
    # Whether this disk gives back the blocks in the middle of a file.
    probe)
      : > "$home/probe" && fallocate --length 8192 "$home/probe" &&
        fallocate --punch-hole --offset 0 --length 4096 "$home/probe"
      status=$?
      rm -f "$home/probe"
      return $status
      ;;
    resize) stty -F "$2" rows "$3" cols "$4" ;;
  esac
} 2> /dev/null

while read -r ticket request; do
  # The words of a request never hold a blank or a quote: ids, numbers, device names.
  perform $request
  printf '%s %s\n' "$ticket" "$?"
done
