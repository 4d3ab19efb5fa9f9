#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh BUILD [OUT]: runs each sample that was built in BUILD (CMakeLists.txt of this folder), ten frames with the debug
# layer, twice, with all threads taking turns; a line for each says what came of it. Run directories and what the samples said are
# left in OUT/<sample>.
set -uo pipefail
build=$(realpath "${1:?usage: run.sh BUILD [OUT]}")
out=$(realpath -m "${2:-$build/runs}")
export FENCELINE_FRAMES=${FENCELINE_FRAMES:-10} FENCELINE_DEBUG_LAYER=1 FENCELINE_ATTACH_THREADS=1

# One run with fresh files: some samples leave caches beside themselves.
run() {
  local name=$1 to=$2
  rm -rf "$to"
  mkdir -p "$to"
  cp -r "$build/$name" "$to/program"
  (cd "$to/program" && FENCELINE_OUT=$to/run timeout 300 "./$name" >"$to/stdout" 2>"$to/stderr")
}

ran=0 all=0
for folder in "$build"/*.headers; do
  name=$(basename "$folder" .headers)
  all=$((all + 1))
  if [[ ! -x $build/$name/$name ]]; then
    printf '%-28s not built\n' "$name"
    continue
  fi
  run "$name" "$out/$name/first"
  first=$?
  run "$name" "$out/$name/second"
  second=$?
  said=$(grep -c '^D3D12 ' "$out/$name/first/stderr")
  if ((first != 0 || second != 0)); then
    printf '%-28s exit codes %s and %s: %s\n' "$name" $first $second "$(grep -v '^D3D12 ' "$out/$name/first/stderr" | head -n 1)"
  elif ! diff -rq "$out/$name/first/run" "$out/$name/second/run" >/dev/null; then
    printf '%-28s ran, but not the same twice\n' "$name"
  else
    printf '%-28s ran, the same twice; %s messages of the debug layer\n' "$name" "$said"
    ran=$((ran + 1))
  fi
done
echo "$ran of $all samples ran"
