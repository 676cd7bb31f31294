#!/bin/sh
# Trains the networks of the translator on one GPU.
#
#   run.sh check    a minute: does everything run, and how fast
#   run.sh models   three networks for the product, judged on --judge sets
#   run.sh folds    networks that each leave a part of the databases out, and
#                   their beams for it: what the reranker learns from
#
# Reads the lines that "quern features" exported from DATA (default: data), and
# writes to OUT (default: out). Seconds of training: TIME.
set -eu
cd "$(dirname "$0")"
mode=${1:-models}
data=${DATA:-data}
out=${OUT:-out}
python=${PYTHON:-python3}
seeds=${SEEDS:-0 1 2}
parts=${PARTS:-4}
judge=${JUDGE:-closed}
work=${WORK:-/tmp/quern-train}
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}"
mkdir -p "$out" "$work"

prepared="$work/prepared.pkl"
if [ ! -e "$prepared" ]; then
	"$python" data.py "$prepared.new" "$data"/*.jsonl*
	mv "$prepared.new" "$prepared"
fi

# together ARGUMENTS...: one run for each line of names on standard input.
together() {
	pids=
	while read -r name extra; do
		# shellcheck disable=SC2086
		"$python" train.py --data "$prepared" --out "$out" --name "$name" $extra "$@" >"$out/$name.log" 2>&1 </dev/null &
		pids="$pids $!"
	done
	failed=0
	for pid in $pids; do
		wait "$pid" || failed=1
	done
	tail -n 8 "$out"/*.log
	return $failed
}

case $mode in
check)
	echo "check --seed 0" | together --seconds "${TIME:-60}" --judge "$judge" --judge-most 200 ${MORE:-}
	"$python" export.py --weights "$out/check.pt" --out "$out/check.bin"
	;;
models)
	for seed in $seeds; do echo "net$seed --seed $seed"; done >"$work/names"
	together --seconds "${TIME:-400}" --judge "$judge" ${MORE:-} <"$work/names"
	all=
	for seed in $seeds; do
		"$python" export.py --weights "$out/net$seed.pt" --out "$out/weights$seed.bin" \
			--lines "$data"/*.jsonl* --golden "$out/golden$seed.json" &
		all="$all,$out/net$seed.pt"
	done
	echo "all --weights ${all#,}" | together --judge "$judge" ${MORE:-}
	wait
	;;
folds)
	part=0
	while [ "$part" -lt "$parts" ]; do
		echo "fold$part --seed $part --parts $parts --part $part"
		part=$((part + 1))
	done >"$work/names"
	together --seconds "${TIME:-300}" ${MORE:-} <"$work/names"
	;;
*)
	sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
