#!/usr/bin/env bash
# Instructions per document: theirs, ours at each depth, and the ratios. Needs valgrind.
# Instruction counts repeat on a noisy machine; times do not. Arguments are names of
# documents; without any, all of them.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(cargo bench --all-features --bench validate --no-run --message-format=json 2>/dev/null |
  sed -n 's/.*"executable":"\([^"]*validate-[^"]*\)".*/\1/p' | tail -n 1)
# Only what the two functions do is counted, not how the documents were made.
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no \
    --toggle-collect='validate::ours*' --toggle-collect='validate::theirs*' \
    "$binary" "$1" "$2" "$3" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
# Two counts, so that what the first rounds prepare cancels out.
each() {
  echo $((($(count "$1" "$2" 22) - $(count "$1" "$2" 2)) / 20))
}
printf '%-22s %10s %10s %10s %10s   %s\n' document theirs structure meaning advice ratios
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <("$binary" names)
for case in "${names[@]}"; do
  theirs=$(each theirs "$case")
  ours=()
  for depth in structure meaning advice; do
    ours+=("$(each "$depth" "$case")")
  done
  printf '%-22s %10d %10d %10d %10d  ' "$case" "$theirs" "${ours[@]}"
  awk -v theirs="$theirs" 'BEGIN { for (i = 1; i < ARGC; i++) printf " %.3f", ARGV[i] / theirs; print "" }' "${ours[@]}"
done
