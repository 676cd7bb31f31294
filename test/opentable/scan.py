"""Times PyIceberg's scan of a table over S3 against its scan of the same files on disk.

    scan.py URI FOLDER NAMESPACE.TABLE ROUNDS

FOLDER is where the server keeps its objects; the token is in the variable QUERN_TOKEN.
Printed are the medians of both, in seconds, and the rows: {"served", "disk", "rows"}. The
two are scanned in turn, after one round that does not count.
"""

import json
import os
import statistics
import sys
import time

from pyarrow.fs import LocalFileSystem, SubTreeFileSystem
from pyiceberg.catalog import load_catalog
from pyiceberg.io.pyarrow import PyArrowFileIO

FOLDER = sys.argv[2]


class DiskIO(PyArrowFileIO):
    """Reads what metadata name as objects of the bucket from the folder."""

    @staticmethod
    def parse_location(location, properties=None):
        return "file", "", location.split("/", 3)[3]

    def _initialize_fs(self, scheme, netloc=None):
        return SubTreeFileSystem(FOLDER, LocalFileSystem())


def bring_metadata(table):
    """Puts manifests that the server keeps with its metadata into the folder too."""
    snapshot = table.current_snapshot()
    for location in [snapshot.manifest_list] + [m.manifest_path for m in snapshot.manifests(table.io)]:
        path = os.path.join(FOLDER, location.split("/", 3)[3])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with table.io.new_input(location).open() as source, open(path, "wb") as copy:
            copy.write(source.read())


def scan(table):
    start = time.perf_counter()
    rows = table.scan().to_arrow().num_rows
    return time.perf_counter() - start, rows


def main(uri, _, name, rounds):
    settings = {"type": "rest", "uri": uri, "token": os.environ["QUERN_TOKEN"]}
    served = load_catalog("served", **settings).load_table(name)
    disk = load_catalog("disk", **settings).load_table(name)
    bring_metadata(served)
    disk.io = DiskIO()
    times = {"served": [], "disk": []}
    for turn in range(int(rounds) + 1):
        for kind, table in (("served", served), ("disk", disk)):
            took, rows = scan(table)
            if turn > 0:
                times[kind].append(took)
    print(json.dumps({kind: statistics.median(all) for kind, all in times.items()} | {"rows": rows}))


if __name__ == "__main__":
    main(*sys.argv[1:])
