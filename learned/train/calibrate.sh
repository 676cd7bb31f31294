#!/bin/sh
# Fits ../calibration.json anew: exports the answers of a program over both everyday
# sets, over the databases of the corpus that are kept apart, and over copies of them
# that lack a column, and runs calibration.py on them: once for questions that stand on
# their own, once for those that are read together with others.
#
#   calibrate.sh QUERN
#
# QUERN has networks that have not seen those databases. Works in WORK (default: a
# temporary folder), where exports that are there are used again. Fifteen minutes on two
# cores. BOUNDS and TOGETHER: options of calibration.py for the two.
set -eu
quern=$1
here=$(cd "$(dirname "$0")" && pwd)
sets="$here/../../nlq/judge/testdata"
work=${WORK:-$(mktemp -d)}
python=${PYTHON:-python3}
apart="a_library b_radio c_theatre d_hr e_garage f_carpenter g_farmvet h_salon j_podcasts k_music"

# trials FOLDER SET: exports the answers to SET.jsonl of a folder and adds the file to lines.
trials() {
	made="$work/$(basename "$1")-$2.trials.jsonl"
	if [ ! -e "$made" ]; then
		"$quern" eval --questions "$1/$2.jsonl" --databases "$1" --trials "$made.new"
		mv "$made.new" "$made"
	fi
	lines="$lines $made"
}

lines=
for set in everyday everyday-closed; do
	hidden="$work/hidden-$set"
	[ -e "$hidden/questions.jsonl" ] || "$python" "$here/hidden.py" "$sets/$set" "$hidden"
	trials "$sets/$set" questions
	trials "$hidden" questions
done
# shellcheck disable=SC2086
[ -e "$work/apart/questions.jsonl" ] || "$python" "$here/corpus.py" --quern "$quern" --databases "$here/corpus" --set "$work/apart" $apart
trials "$work/apart" questions
# shellcheck disable=SC2086
"$python" "$here/calibration.py" --out "$here/../calibration.json" ${BOUNDS:---decline -1 --note 1.5} $lines

lines=
[ -e "$work/hidden-turns/dialogues.jsonl" ] || "$python" "$here/hidden.py" --turns "$work/apart" "$work/hidden-turns"
trials "$work/apart" dialogues
trials "$work/hidden-turns" dialogues
# shellcheck disable=SC2086
"$python" "$here/calibration.py" --together --out "$here/../calibration.json" ${TOGETHER:---decline -0.7 --note 1.5} $lines
