#!/bin/sh
# Fits ../calibration.json anew: exports the answers of a program over both everyday
# sets and over copies of them that lack a column, and runs calibration.py on them.
#
#   calibrate.sh QUERN [OPTIONS OF calibration.py]
#
# Works in WORK (default: a temporary folder), where exports that are there are used
# again. Ten minutes on two cores.
set -eu
quern=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
sets="$here/../../nlq/judge/testdata"
work=${WORK:-$(mktemp -d)}
python=${PYTHON:-python3}
lines=
for set in everyday everyday-closed; do
	hidden="$work/hidden-$set"
	[ -e "$hidden/questions.jsonl" ] || "$python" "$here/hidden.py" "$sets/$set" "$hidden"
	for folder in "$sets/$set" "$hidden"; do
		trials="$work/$(basename "$folder").trials.jsonl"
		if [ ! -e "$trials" ]; then
			"$quern" eval --questions "$folder/questions.jsonl" --databases "$folder" --trials "$trials.new"
			mv "$trials.new" "$trials"
		fi
		lines="$lines $trials"
	done
done
# shellcheck disable=SC2086
"$python" "$here/calibration.py" --out "$here/../calibration.json" "$@" $lines
