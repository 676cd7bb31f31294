#!/bin/sh
# Trains the networks of the translator on one GPU.
#
#   run.sh check    a minute or two: does everything run, and how fast
#   run.sh models   networks for the product, judged on the sets of JUDGE
#   run.sh folds    networks that each leave a part of the databases out: their
#                   readings of it are what the judgement is learned from
#
# Reads the lines that "quern features" exported from DATA (default: data) and the
# layers that pieces.py wrote from LAYERS (default: layers.npz), and leaves few
# files in OUT (default: out): weights.tgz (weights and examples for the tests of
# the product, and manifest.json, which says what they were made from), fold*.bin.
# Works in WORK; what it prepared there it uses again. STEPS: of training; VOTERS:
# networks over one encoder; SIZE: how wide they are; PARTS: how many folds; SETS: to learn from; MORE:
# other options of train.py.
set -eu
cd "$(dirname "$0")"
mode=${1:-models}
data=${DATA:-data}
out=${OUT:-out}
layers=${LAYERS:-layers.npz}
python=${PYTHON:-python3}
voters=${VOTERS:-2}
size=${SIZE:-192}
parts=${PARTS:-3}
judge=${JUDGE:-}
steps=${STEPS:-3300}
sets=${SETS:-spider-open,paraphrase-open,wikisql-open,everyday,endings,shapes,synthetic,foreign,alike}
work=${WORK:-/tmp/quern-train}
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" PYTHONUNBUFFERED=1
nets="$work/nets"
mkdir -p "$out" "$nets"

prepared="$work/prepared.pkl"
if [ ! -e "$prepared" ]; then
	"$python" data.py "$prepared.new" "$data"/*.jsonl*
	mv "$prepared.new" "$prepared"
fi

# one NAME ARGUMENTS...: trains under a name.
one() {
	name=$1
	shift
	# shellcheck disable=SC2086
	"$python" train.py --data "$prepared" --out "$nets" --name "$name" --train "$sets" --start "$layers" --gap 0.3 --size "$size" "$@" ${MORE:-} 2>&1
}

case $mode in
check)
	one check --steps "${STEPS:-500}" --parts "$parts" --part 0 --judge-most 200
	"$python" export.py --weights "$nets/check.pt" --out "$nets/check.bin"
	;;
models)
	one net --steps "$steps" --batch 256 --voters "$voters" ${judge:+--judge "$judge"}
	mv "$nets/net.pt" "$nets/net-0.pt"
	i=0
	while [ "$i" -lt "$voters" ]; do
		lender=
		[ "$i" -eq 0 ] || lender="--lender $nets/net-0.pt"
		# shellcheck disable=SC2086
		"$python" export.py --weights "$nets/net-$i.pt" $lender --out "$nets/weights$i.bin" --type i8 \
			--lines "$data"/everyday.jsonl* "$data"/spider-open.jsonl* --golden "$nets/golden$i.json" &
		i=$((i + 1))
	done
	wait
	"$python" manifest.py --out "$nets/manifest.json" --nets "$nets"/net-?.pt --outputs "$nets"/weights?.bin "$nets"/golden?.json \
		--inputs "$data"/*.jsonl* grammar.json "$layers" ../vectors.bin ../pieces.bin
	tar -C "$nets" -czf "$out/weights.tgz" $(cd "$nets" && ls weights?.bin golden?.json manifest.json)
	;;
folds)
	part=0
	pids=
	while [ "$part" -lt "$parts" ]; do
		(
			one "fold$part" --seed "$part" --steps "$steps" --parts "$parts" --part "$part" --judge-most 900
			"$python" export.py --weights "$nets/fold$part.pt" --out "$out/fold$part.bin" --type i8
		) &
		pids="$pids $!"
		part=$((part + 1))
	done
	failed=0
	for pid in $pids; do
		wait "$pid" || failed=1
	done
	exit $failed
	;;
*)
	sed -n '2,19s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
