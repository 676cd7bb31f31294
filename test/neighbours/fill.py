"""Makes a namespace and tables in a REST catalog that can be written to: fill.py URI"""

import sys

import pyarrow
from pyiceberg.catalog import load_catalog

catalog = load_catalog("reference", type="rest", uri=sys.argv[1])
catalog.create_namespace("shop")
rows = pyarrow.table({"id": [1], "a": ["x"]})
for _ in range(2):
    catalog.create_table_if_not_exists("shop.added", schema=rows.schema).append(rows)
catalog.create_table("shop.cleared", schema=rows.schema)
