#!/usr/bin/env bash
# fetch.sh [folder]: the files that the questions beside this script are about, out of
# the npm package vega-datasets, as CSV files in a folder for each database.
set -eu
to=$(realpath "${1:-$(dirname "$0")}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
npm pack --silent vega-datasets@2.11.0 >/dev/null
tar xzf vega-datasets-2.11.0.tgz
python3 - package/data "$to" <<'PYTHON'
import csv, json, os, shutil, sys

data, to = sys.argv[1:]
for database, files in {
    "cars": {"cars.json": "cars"}, "films": {"movies.json": "movies"}, "weather": {"seattle-weather.csv": "weather"},
    "world": {"gapminder.json": "gapminder", "gapminder-health-income.csv": "countries"}, "barley": {"barley.json": "barley"},
    "penguins": {"penguins.json": "penguins"}, "air": {"airports.csv": "airports", "flights-5k.json": "flights"},
    "strikes": {"birdstrikes.csv": "birdstrikes"},
}.items():
    os.makedirs(os.path.join(to, database), exist_ok=True)
    for name, dataset in files.items():
        target = os.path.join(to, database, dataset + ".csv")
        if name.endswith(".csv"):
            shutil.copyfile(os.path.join(data, name), target)
            continue
        rows = json.load(open(os.path.join(data, name)))
        with open(target, "w", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
PYTHON
