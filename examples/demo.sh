#!/bin/sh
# From a model file to drive torques and reactions: the press, solved backwards from its motion.
# usage: examples/demo.sh [FOLDER]     FOLDER: where the results go (out/demo)
set -eu
cd "$(dirname "$0")/.."
roberval=${ROBERVAL:-build/release/roberval}
out=${1:-out/demo}

echo "A servo press draws a cup 80 mm deep. Its crank follows a recorded motion, its punch a force over the stroke:"
echo "  examples/press/press.yaml  (story: docs/examples/press.md)"
echo "What torque must the servo give, and what do the bearings carry?"
echo
echo "\$ $roberval inverse examples/press/press.yaml --out $out"
"$roberval" inverse examples/press/press.yaml --out "$out"

"$roberval" report "$out" --svg "$out/curves.svg" --only height --only servo.effort --only crankpin.Fx --only servo_power --title "Servo press: one stroke" --quiet
"$roberval" report "$out" --svg "$out/press.svg" --at 0,0.3,0.6 --quiet
"$roberval" report "$out" --quiet

echo
echo "Written:"
find "$out" -type f | sort | while read -r file; do
    echo "  $file ($(wc -c <"$file" | tr -d ' ') bytes)"
done

cat <<END

Look at it: open $(cd "$out" && pwd)/report.html in a browser (firefox, chromium, xdg-open; no network is needed).
The press in motion, with its reactions as arrows, curves of all series, and what each joint carries.

Next:
  $roberval check examples/planetary/planetary.yaml          which reactions a rigid model can know, and which not
  $roberval inverse examples/press/press.yaml --set 'strip=60 kN'    the same press, another cup
  $roberval inverse examples/valvetrain/valvetrain.yaml --set 'n=5000 rpm'    too fast: the tappet leaves the cam
  examples/run                                               every example, with plots in docs/examples/
  examples/README.md                                         what there is
END
