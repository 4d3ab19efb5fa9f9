#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples_test.sh SOURCE BUILT WORK: runs the examples in BUILT, and holds examples/README.md to what they leave.
# With FENCELINE_WRITE_README=1 its tables are written instead.
set -euo pipefail
readme=$1/examples/README.md
built=$2
work=$3
unset FENCELINE_HTML FENCELINE_VCD FENCELINE_CLOCK
export FENCELINE_MACHINE=rtx_4090 FENCELINE_SET=/shader_cache/start=warm FENCELINE_DEBUG_LAYER=1
failed=0

fail() {
  printf 'examples: %s\n' "$*" >&2
  failed=1
}

# play NAME [ARGUMENT]: a run in $work/NAME_ARGUMENT, once; its folder.
play() {
  local run=$work/${*// /_}
  run=${run// /_}
  if [[ ! -d $run ]]; then
    FENCELINE_OUT=$run "$built/$1" "${@:2}" 2>"$work/messages" ||
      { fail "$*: $(<"$work/messages")"; exit 1; }
    [[ $(<"$work/messages") == "fenceline: FENCELINE_OUT: the run is in $run" ]] ||
      fail "$*: expected no message of the debug layer, found $(<"$work/messages")"
  fi
  printf '%s\n' "$run"
}

# Lists as they begin: queue, list, handed over, begun, complete.
table() {
  printf '\n| queue | list | submitted us | started us | completed us |\n|---|---|---|---|---|\n'
  awk -F, '$3 == "render" { sub(/.*\.queue[0-9]+_/, "", $2)
    printf "%s|| %s | %s | %.1f | %.1f | %.1f |\n", $13, $2, $4, $9, $13, $15 }' "$1/packets.csv" |
    sort -t'|' -k1,1n | cut -d'|' -f2-
  printf '\n'
}

# field RUN LIST COLUMN: of the list's row of packets.csv, microseconds.
field() { awk -F, -v list="$2" -v column="$3" '$3 == "render" && $4 == list { print $column }' "$1/packets.csv"; }
submitted=9 started=13 completed=15
number() { awk -v a="$1" 'BEGIN { printf "%.1f", a }'; }
difference() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a - b }'; }
before() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }
says() { tr '\n' ' ' <"$readme" | grep -qF -- "$1" || fail "README.md does not say: $1"; }

rm -rf "$work"
mkdir -p "$work"

# Each table between its marks.
while IFS= read -r program; do
  # shellcheck disable=SC2086 # a program and its arguments
  run=$(play $program)
  table "$run" >"$work/table"
  if [[ ${FENCELINE_WRITE_README:-} == 1 ]]; then
    awk -v mark="<!-- run: $program -->" -v file="$work/table" '
      $0 == "<!-- end -->" { skip = 0 }
      !skip { print }
      $0 == mark { while ((getline line < file) > 0) print line; skip = 1 }' "$readme" >"$work/readme"
    cp "$work/readme" "$readme"
  fi
  awk -v mark="<!-- run: $program -->" '
    $0 == "<!-- end -->" { inside = 0 }
    inside { print }
    $0 == mark { inside = 1 }' "$readme" >"$work/shown"
  diff "$work/shown" "$work/table" >"$work/difference" ||
    fail "README.md, table of $program: expected as it ran (>), found (<):" "$(<"$work/difference")"
done < <(sed -n 's/^<!-- run: \(.*\) -->$/\1/p' "$readme")

# What it says beside them.
beside=$(play async_compute)
alone=$(play async_compute one_queue)
for n in 1 2 3; do
  before "$(field "$beside" "step $((n + 1))" $started)" "$(field "$beside" "frame $n" $completed)" &&
    before "$(field "$beside" "frame $n" $started)" "$(field "$beside" "step $((n + 1))" $completed)" ||
    fail "async_compute: frame $n and step $((n + 1)) do not overlap"
  before "$(field "$alone" "step $((n + 1))" $started)" "$(field "$alone" "frame $n" $completed)" &&
    fail "async_compute one_queue: frame $n and step $((n + 1)) overlap"
  before "$(difference "$(field "$alone" "frame $n" $completed)" "$(field "$alone" "frame $n" $started)")" \
    "$(difference "$(field "$beside" "frame $n" $completed)" "$(field "$beside" "frame $n" $started)")" ||
    fail "async_compute: frame $n takes no longer beside a step than alone"
  gap=$(difference "$(field "$beside" "step $((n + 1))" $started)" "$(field "$beside" "step $n" $completed)")
  before "$gap" 10 || fail "async_compute: a gap of $gap us before step $((n + 1))"
done
says "The last frame is complete after $(number "$(field "$beside" "frame 4" $completed)") us; on one queue it is after $(
  number "$(field "$alone" "frame 4" $completed)") us."

one=$(play recording 1)
four=$(play recording)
says "The frame's lists are submitted after $(number "$(field "$four" "part 1" $submitted)") us instead of $(
  number "$(field "$one" "part 1" $submitted)") us."
for n in 1 2 3 4; do
  [[ $(difference "$(field "$one" "part $n" $completed)" "$(field "$one" "part $n" $started)") == \
    $(difference "$(field "$four" "part $n" $completed)" "$(field "$four" "part $n" $started)") ]] ||
    fail "recording: part $n does not take the same time on the GPU"
done

gpu=$(play indirect)
took() { difference "$(field "$gpu" "frame $1" $completed)" "$(field "$gpu" "frame $1" $started)"; }
says "With 64 draws a frame takes $(took 1) us, with 16 $(took 2) us, with one $(took 3) us; with none $(
  took 4) us, for culling and copies alone."

exit "$failed"
