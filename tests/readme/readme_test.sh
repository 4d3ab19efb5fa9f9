#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: readme_test.sh SOURCE BIN WORK SANITIZED: runs the commands in the READMEs' sh blocks with the executables in
# BIN. SANITIZED 1: where one command does all that another does, the smaller one is left out; so are the pairs of PyTorch
# jobs, minutes of them, of which api_tests play one; and what is shown is held against what is printed without sanitizers.
set -euo pipefail
source=$1 bin=$2 work=$3/tree sanitized=$4

rm -rf "$work"
mkdir -p "$work/build/release"
ln -s "$source/configs" "$source/examples" "$work/"
if ((sanitized)); then
  mkdir -p "$work/bench/hardware"
  for part in "$source"/bench/hardware/*; do  # links to directories are not looked into
    [[ $part == */h100_torch ]] || cp -r "$part" "$work/bench/hardware/"
  done
else
  ln -s "$source/bench" "$work/"
fi
ln -s "$bin" "$work/build/release/bin"
cd "$work"

# Lines of the fenced blocks of one language in a Markdown file.
blocks() {
  awk -v language="$1" '/^```/ { fenced = !fenced; wanted = fenced && $0 == "```" language; next } wanted' "$2"
}

count=0
outputs=$work/outputs
: >"$outputs"
for readme in README.md configs/README.md; do
  text=
  while IFS= read -r more; do
    # A loop or a continued line is one command.
    text+=${text:+$'\n'}$more
    [[ -n $text && $text != *'\' ]] && bash -nc "$text" 2>/dev/null || continue
    line=$text text=
    count=$((count + 1))
    case $line in
      './dev run') line='build/release/bin/fenceline run configs/workloads/multi_engine.json --machine configs/machines/h200.json' ;;
      './dev '*)
        verb=${line#./dev }
        "$source/dev" help | grep -qE "^  (.*, )?${verb%% *}[ ,]" || { echo "README: ./dev has no verb $verb"; exit 1; }
        continue
        ;;
      *' validate bench/hardware/h200') ((sanitized)) && continue ;;  # ... validate bench/hardware
    esac
    echo "\$ $line"
    bash -euc "$line" </dev/null >"$work/output" || { echo "README: failed: $line"; exit 1; }
    cat "$work/output" >>"$outputs"
  done < <(blocks sh "$source/$readme")
  [[ -z $text ]] || { echo "$readme: not a whole command: $text"; exit 1; }
done
((count >= 8)) || { echo "README: only $count commands found"; exit 1; }

# What README.md shows as printed.
shown=0
while IFS= read -r line; do
  [[ $line != ... ]] || continue
  shown=$((shown + 1))
  ((sanitized)) || grep -qxF -- "$line" "$outputs" || { echo "README.md shows a line that nothing prints: $line"; exit 1; }
done < <(blocks '' "$source/README.md")
((shown >= 10)) || { echo "README: only $shown lines of output found"; exit 1; }

# The program that README.md shows is one that tests/package builds and runs.
program=$source/tests/package/consumer/scenario_test.cpp
while IFS= read -r line; do
  grep -qxF -- "$line" "$program" || { echo "README.md shows a line that is not in $program: $line"; exit 1; }
done < <(blocks cpp "$source/README.md")

# "the frame takes N us", after the command that changes one number.
said=$(sed -nE 's/.*the frame takes ([0-9]+) us.*/\1/p' "$source/README.md")
grep -E '^makespan' "$outputs" | awk -v said="$said" '{ if (sprintf("%.0f", $2) == said) found = 1 } END { exit !found }' ||
  { echo "README.md says that the frame takes $said us; no run did"; exit 1; }
echo "$count commands, $shown lines"
