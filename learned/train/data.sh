#!/bin/sh
# Makes everything that the networks learn from: questions, and their features.
#
#   data.sh QUERN SPIDER WIKISQL
#
# SPIDER and WIKISQL are folders as sets.py takes them. Works in WORK (default: work) and
# leaves lines in DATA (default: data). The questions of the corpus should be shown with
# senses that have not learned from them: HALVES names two programs, the first with
# senses of "senses.py --without 0/2", the second with those of 1/2 (default: QUERN for
# both). Half an hour on two cores.
set -eu
quern=$1 spider=$2 wikisql=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${WORK:-work}" "${DATA:-data}"
work=$(cd "${WORK:-work}" && pwd)
data=$(cd "${DATA:-data}" && pwd)
held=a_library,b_radio,c_theatre,d_hr,e_garage,f_carpenter,g_farmvet,h_salon,j_podcasts,k_music
# shellcheck disable=SC2086
set -- ${HALVES:-$quern $quern}
first=$1 second=$2
sets="$work/sets" made="$work/made"
python=${PYTHON:-python3}
export QUERN_ENGINE_WORKERS=0
mkdir -p "$sets/all" "$made"

# py SCRIPT ARGUMENTS...: runs a script of this folder.
py() {
	script=$1
	shift
	"$python" "$here/$script" "$@"
}

# features QUESTIONS DATABASES LINES [QUERN]: what the networks see of questions.
features() {
	"${4:-$quern}" features --questions "$1" --databases "$2" --out "$3"
}

# called SET LINES: gives made-up questions a set of their own, so that their share in an epoch is their own.
called() {
	sed -i "s/\"set\":\"[a-z_-]*\"/\"set\":\"$1\"/" "$2"
}

py sets.py --spider "$spider" --wikisql "$wikisql" --out "$sets"
for set in spider paraphrase; do
	for part in open closed; do
		features "$sets/$set-$part.jsonl" "$sets/databases" "$data/$set-$part.jsonl"
	done
done
head -5694 "$sets/wikisql-open.jsonl" >"$made/wikisql-open.jsonl"
features "$made/wikisql-open.jsonl" "$sets/tables" "$data/wikisql-open.jsonl"
real="$data/spider-open.jsonl $data/paraphrase-open.jsonl"

# What is made up: everyday questions, shapes, lists and orders at the ends, copies under other names.
for kind in everyday shapes; do
	options=
	[ "$kind" = everyday ] || options="--shapes --count 360 --seed 23"
	# shellcheck disable=SC2086
	py everyday.py $options --out "$sets/$kind-databases"
	features "$sets/$kind-databases/everyday-first.jsonl" "$sets/$kind-databases" "$made/$kind-first.jsonl"
done
py everyday_ask.py --about "$sets/everyday-databases/everyday.json" --out "$made/everyday.jsonl" "$made/everyday-first.jsonl"
py shapes.py --about "$sets/shapes-databases/everyday.json" --out "$made/shapes.jsonl" --count 18000 "$made/shapes-first.jsonl"
py shapes.py --about "$sets/everyday-databases/everyday.json" --out "$made/shapes-everyday.jsonl" --count 7000 --seed 32 "$made/everyday-first.jsonl"
# shellcheck disable=SC2086
py synthesise.py --shapes --out "$made/shapes-any.jsonl" --count 6000 --seed 33 --sets spider-open,paraphrase-open $real
py endings.py --out "$made/endings.jsonl" --lines "$made/everyday-first.jsonl" -- "$made/everyday.jsonl"
py renamed.py --databases "$sets/databases" --out "$sets/renamed-databases" --questions "$made/renamed.jsonl" "$sets/spider-open.jsonl" "$sets/paraphrase-open.jsonl"
features "$made/everyday.jsonl" "$sets/everyday-databases" "$data/everyday.jsonl"
features "$made/shapes.jsonl" "$sets/shapes-databases" "$data/shapes.jsonl"
features "$made/shapes-everyday.jsonl" "$sets/everyday-databases" "$data/shapes-everyday.jsonl"
features "$made/shapes-any.jsonl" "$sets/databases" "$data/shapes-any.jsonl"
features "$made/endings.jsonl" "$sets/everyday-databases" "$data/endings.jsonl"
features "$made/renamed.jsonl" "$sets/renamed-databases" "$data/renamed.jsonl"
for name in shapes shapes-everyday; do
	called shapes "$data/$name.jsonl"
done
called endings "$data/endings.jsonl"

# The corpus, and its copies under other names, each half by its own program.
py corpus.py --quern "$quern" --databases "$here/corpus" --held "$held" --out "$made/corpus.jsonl"
py othernames.py --databases "$here/corpus" --names "$here/othernames" --out "$work/named"
py corpus.py --quern "$quern" --databases "$work/named" --out "$made/named.jsonl"
"$python" - "$here/corpus" "$made" <<'PYTHON'
import json, pathlib, sys

corpus, made = map(pathlib.Path, sys.argv[1:])
half = {name: i % 2 for i, name in enumerate(sorted(p.name for p in corpus.iterdir()))}
for name in ("corpus", "named"):
    with (made / f"{name}.jsonl").open() as lines, (made / f"{name}0.jsonl").open("w") as a, (made / f"{name}1.jsonl").open("w") as b:
        for line in map(json.loads, lines):
            of = line["db"] if name == "corpus" else line["db"].rsplit("_", 1)[0]
            if name == "named":
                line["set"] = {"corpus": "named", "turns": "named-turns"}.get(line["set"], line["set"])
            (a, b)[half[of]].write(json.dumps(line) + "\n")
PYTHON
for part in 0 1; do
	program=$first
	[ "$part" -eq 0 ] || program=$second
	features "$made/corpus$part.jsonl" "$here/corpus" "$data/corpus$part.jsonl" "$program"
	features "$made/named$part.jsonl" "$work/named" "$data/named$part.jsonl" "$program"
done

# Real questions, asked of other schemas.
grep -h '^{"schema"' "$made/everyday-first.jsonl" "$data/renamed.jsonl" >"$made/schemas.jsonl"
find "$sets" -name '*.sqlite' -type f -exec ln -sf -t "$sets/all" {} +
find "$here/corpus" -mindepth 1 -maxdepth 1 -type d -exec ln -sfn -t "$sets/all" {} +
# shellcheck disable=SC2086
py synthesise.py --out "$made/synthetic.jsonl" --count 44000 $real "$data/wikisql-open.jsonl"
# shellcheck disable=SC2086
py synthesise.py --spare --out "$made/more.jsonl" --count 22000 --patterns 0.1 --seed 11 --sets spider-open,paraphrase-open $real "$made/schemas.jsonl"
py synthesise.py --spare --out "$made/synth-corpus.jsonl" --count 20000 --patterns 0 --seed 12 --sets corpus,turns,foreign \
	"$data/corpus0.jsonl" "$data/corpus1.jsonl" "$made/schemas.jsonl"
for name in synthetic more synth-corpus; do
	features "$made/$name.jsonl" "$sets/all" "$data/$name.jsonl"
done

# What nothing answers, what looks like what is meant, and questions behind others.
# shellcheck disable=SC2086
py foreign.py --out "$made/foreign.jsonl" --count 3000 --deeds 500 $real
py foreign.py --out "$made/foreign-everyday.jsonl" --count 4000 --deeds 1500 --seed 4 "$data/everyday.jsonl"
features "$made/foreign.jsonl" "$sets/databases" "$data/foreign.jsonl"
features "$made/foreign-everyday.jsonl" "$sets/everyday-databases" "$data/foreign-everyday.jsonl"
# shellcheck disable=SC2086
py alike.py --out "$data/alike.jsonl" --count 6000 $real "$data/everyday.jsonl"
py together.py --out "$made/together-everyday.jsonl" --count 1500 "$data/everyday.jsonl"
py together.py --out "$made/together-corpus.jsonl" --count 5000 --seed 8 "$data/corpus0.jsonl" "$data/corpus1.jsonl"
# shellcheck disable=SC2086
py together.py --out "$made/together-spider.jsonl" --count 6000 --seed 6 $real
features "$made/together-everyday.jsonl" "$sets/everyday-databases" "$data/together-everyday.jsonl"
features "$made/together-corpus.jsonl" "$here/corpus" "$data/together-corpus.jsonl"
features "$made/together-spider.jsonl" "$sets/databases" "$data/together-spider.jsonl"
