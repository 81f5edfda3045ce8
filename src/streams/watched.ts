/**
 * A shell script that runs a program no longer than the process that started the shell:
 * `sh -c WATCHED sh DIRECTORY LOG PROGRAM ARGUMENTS…`.
 *
 * The shell's standard input is a pipe that its parent holds open. When the parent goes, even by SIGKILL, the system
 * closes it; a second shell that reads from it then ends the program, by force after 3 s, and removes DIRECTORY. The
 * first line of output is the program's process id. The shell ends with the program.
 */
export const WATCHED = `
home=$1 log=$2
shift 2
exec 3<&0 </dev/null
"$@" >"$log" 2>&1 3<&- &
program=$!
echo $program
exec >/dev/null
(
  read -r _ <&3
  trap '' TERM
  kill -TERM $program 2>/dev/null
  tries=30
  while kill -0 $program 2>/dev/null && [ $tries -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
  kill -KILL $program 2>/dev/null
  sleep 0.2
  rm -rf "$home"
) &
watcher=$!
exec 3<&-
wait $program
code=$?
kill $watcher 2>/dev/null
wait $watcher 2>/dev/null
exit $code
`;
