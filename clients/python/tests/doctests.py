"""Runs the examples of the docstrings against a server: QUERN_SERVER and QUERN_TOKEN say which.

Those of the client that is awaited are the same but for `await`: the other is made from it.
"""

from __future__ import annotations

import doctest
import importlib
import sys

import quern

MODULES = ["errors", "values", "_wire", "_patience", "_files", "drawing", "_sync.client", "_sync.dataset"]


def main() -> int:
    failed = tried = 0
    with quern.Client() as client:
        for name in MODULES:
            module = importlib.import_module(f"quern.{name}")
            result = doctest.testmod(module, extraglobs={"client": client})
            failed += result.failed
            tried += result.attempted
    print(f"{tried} examples, {failed} failures")
    return 1 if failed or tried < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
