#!/bin/sh
# From a model file to drive torques and reactions: the press, solved backwards from its motion.
# usage: examples/demo.sh [FOLDER]     FOLDER: where the results go (out/demo)
set -eu
cd "$(dirname "$0")/.."
roberval=${ROBERVAL:-build/release/roberval}
out=${1:-out/demo}

echo "$roberval inverse examples/press/press.yaml --out $out"
"$roberval" inverse examples/press/press.yaml --out "$out"

echo
echo "Written:"
find "$out" -type f | sort | while read -r file; do
    echo "  $file ($(wc -c <"$file" | tr -d ' ') bytes)"
done
