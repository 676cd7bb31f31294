#!/bin/sh
# Trains the networks of the translator on one GPU.
#
#   run.sh check    a minute or two: does everything run, and how fast
#   run.sh models   networks for the product, judged on the sets of JUDGE
#   run.sh folds    networks that each leave a part of the databases out: their
#                   readings of it are what the judgement is learned from
#   run.sh doubt    the network that tells the words that nothing answers to
#
# Reads the lines that "quern features" exported from DATA (default: data) and
# leaves few files in OUT (default: out): weights.tgz (weights and examples for
# the tests of the product, and manifest.json, which says what they were made
# from), net*.pt, fold*.bin. Works in WORK; what it prepared there it uses again.
# STEPS: of training; SEEDS: one network each; PARTS: how many folds; MORE: other
# options of train.py.
set -eu
cd "$(dirname "$0")"
mode=${1:-models}
data=${DATA:-data}
out=${OUT:-out}
python=${PYTHON:-python3}
seeds=${SEEDS:-0 1 2}
parts=${PARTS:-3}
judge=${JUDGE:-}
steps=${STEPS:-6000}
work=${WORK:-/tmp/quern-train}
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" PYTHONUNBUFFERED=1
nets="$work/nets"
mkdir -p "$out" "$nets"

prepared="$work/prepared.pkl"
if [ ! -e "$prepared" ]; then
	"$python" data.py "$prepared.new" "$data"/*.jsonl*
	mv "$prepared.new" "$prepared"
fi

# together ARGUMENTS...: one run for each line on standard input, a name and more
# arguments, all at a time.
together() {
	pids=
	while read -r name extra; do
		# shellcheck disable=SC2086
		"$python" train.py --data "$prepared" --out "$nets" --name "$name" $extra "$@" ${MORE:-} </dev/null 2>&1 &
		pids="$pids $!"
	done
	failed=0
	for pid in $pids; do
		wait "$pid" || failed=1
	done
	return $failed
}

case $mode in
check)
	echo "check --seed 0" | together --steps "${STEPS:-500}" --parts "$parts" --part 0 --judge-most 200
	"$python" export.py --weights "$nets/check.pt" --out "$nets/check.bin"
	;;
models)
	for seed in $seeds; do
		case $seed in # networks that differ vote better
		0) other= ;;
		1) other="--drop 0.15 --until synthetic=1.1 --column-drop 0.7" ;;
		*) other="--drop 0.15" ;;
		esac
		echo "net$seed --seed $seed $other"
	done >"$work/models"
	together --steps "$steps" ${judge:+--judge "$judge"} <"$work/models"
	all=
	for seed in $seeds; do
		cp "$nets/net$seed.pt" "$out"
		"$python" export.py --weights "$nets/net$seed.pt" --out "$nets/weights$seed.bin" \
			--lines "$data"/*.jsonl* --golden "$nets/golden$seed.json" &
		all="$all,$nets/net$seed.pt"
	done
	wait
	"$python" manifest.py --out "$nets/manifest.json" --nets "$out"/net*.pt \
		--inputs "$data"/*.jsonl* grammar.json ../vectors.bin --outputs "$nets"/weights*.bin "$nets"/golden*.json
	tar -C "$nets" -czf "$out/weights.tgz" $(cd "$nets" && ls weights*.bin golden*.json manifest.json)
	if [ -n "$judge" ]; then
		echo "all --weights ${all#,}" | together --judge "$judge"
		tar -C "$nets" -czf "$out/beams-models.tgz" $(cd "$nets" && ls net*.beam.jsonl all.beam.jsonl)
	fi
	;;
folds)
	part=0
	while [ "$part" -lt "$parts" ]; do
		echo "fold$part --seed $part --parts $parts --part $part"
		part=$((part + 1))
	done >"$work/folds"
	together --steps "$steps" <"$work/folds"
	while [ "$part" -gt 0 ]; do
		part=$((part - 1))
		"$python" export.py --weights "$nets/fold$part.pt" --out "$out/fold$part.bin" &
	done
	wait
	;;
doubt)
	"$python" doubt.py --data "$prepared" --start ../weights0.bin --out "$out" --lines "$data"/everyday.jsonl* ${MORE:-}
	;;
*)
	sed -n '2,17s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
