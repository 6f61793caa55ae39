#!/usr/bin/env bash
# Instructions per document, ours and theirs, and their ratio. Needs valgrind.
# Instruction counts repeat on a noisy machine; times do not. Arguments are names of
# documents; without any, all of them.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$(cargo bench --bench validate --no-run --message-format=json 2>/dev/null |
  sed -n 's/.*"executable":"\([^"]*validate-[^"]*\)".*/\1/p' | tail -n 1)
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$1" "$2" "$3" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
printf '%-24s %12s %12s %7s\n' document ours theirs ratio
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <("$binary" names)
for case in "${names[@]}"; do
  for side in ours theirs; do
    # Two counts, so that what both runs do once cancels out.
    few=$(count "$side" "$case" 2)
    many=$(count "$side" "$case" 12)
    eval "$side=$(((many - few) / 10))"
  done
  # shellcheck disable=SC2154 # set by eval
  printf '%-24s %12d %12d %7s\n' "$case" "$ours" "$theirs" "$(awk "BEGIN{printf \"%.3f\", $ours/$theirs}")"
done
