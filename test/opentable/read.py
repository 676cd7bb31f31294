"""Reads tables of a REST catalog with a reader that others use, unchanged.

    read.py pyiceberg|chdb|duckdb|spark URI WAREHOUSE NAMESPACE/TABLE[@SNAPSHOT]…

The token is in the variable QUERN_TOKEN; where objects are not read through the server,
QUERN_OBJECTS has the address of their bucket. For each table one line is printed:
{"table", "columns", "rows"}, or {"table", "error"}. A value is a string or null: numbers
in decimal, dates and instants as ISO 8601 writes them.
"""

import datetime
import decimal
import importlib.util
import json
import os
import sys

TOKEN = os.environ["QUERN_TOKEN"]


def text(value):
    """Returns a value in the form that readers have agreed on."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return repr(value)


class PyIceberg:
    def __init__(self, uri, warehouse):
        from pyiceberg.catalog import load_catalog

        self.catalog = load_catalog("quern", type="rest", uri=uri, warehouse=warehouse, token=TOKEN)

    def read(self, namespace, table, snapshot):
        scan = self.catalog.load_table((namespace, table)).scan(snapshot_id=int(snapshot) if snapshot else None)
        rows = scan.to_arrow()
        columns = [column.to_pylist() for column in rows.columns]
        return rows.column_names, [list(row) for row in zip(*columns)]


def quoted(name, mark="'"):
    return mark + name.replace("\\", "\\\\").replace(mark, "\\" + mark) + mark


class Chdb:
    OPTIONS = [
        "output_format_json_quote_64bit_integers = 1", "output_format_json_quote_decimals = 1",
        "output_format_json_quote_denormals = 1", "date_time_output_format = 'iso'", "session_timezone = 'UTC'",
    ]

    def __init__(self, uri, warehouse):
        from chdb import session

        self.session = session.Session()
        self.session.query("SET allow_experimental_database_iceberg = 1")
        self.session.query(
            f"CREATE DATABASE quern ENGINE = DataLakeCatalog({quoted(uri + '/v1')}) SETTINGS catalog_type = 'rest', "
            f"warehouse = {quoted(warehouse)}, vended_credentials = true, "
            f"storage_endpoint = {quoted(os.environ.get('QUERN_OBJECTS') or uri.removesuffix('/iceberg') + '/quern-tables')}, "
            f"auth_header = {quoted('Authorization: Bearer ' + TOKEN)}"
        )

    def read(self, namespace, table, snapshot):
        options = self.OPTIONS + ([f"iceberg_snapshot_id = {int(snapshot)}"] if snapshot else [])
        name = quoted(namespace + "." + table, "`")
        answer = self.session.query(f"SELECT * FROM quern.{name} SETTINGS {', '.join(options)}", "JSONCompactEachRowWithNames")
        names, *rows = [json.loads(line) for line in answer.bytes().decode().split("\n") if line]
        return names, rows


class DuckDB:
    def __init__(self, uri, warehouse):
        import duckdb

        self.connection = duckdb.connect()
        for name in ("httpfs", "avro", "iceberg"):
            package = os.path.dirname(importlib.util.find_spec("duckdb_extension_" + name).origin)
            self.connection.execute(f"LOAD '{package}/extensions/v{duckdb.__version__}/{name}.duckdb_extension'")
        self.connection.execute("SET TimeZone = 'UTC'")
        self.connection.execute(f"CREATE SECRET (TYPE iceberg, TOKEN '{TOKEN}')")
        self.connection.execute(f"ATTACH '{warehouse}' AS quern (TYPE iceberg, ENDPOINT '{uri}')")

    def read(self, namespace, table, snapshot):
        at = f" AT (VERSION => {int(snapshot)})" if snapshot else ""
        found = self.connection.execute(f'SELECT * FROM quern."{namespace}"."{table}"{at}')
        return [column[0] for column in found.description], found.fetchall()


class Spark:
    def __init__(self, uri, warehouse):
        from pyspark.sql import SparkSession

        jars = os.environ["QUERN_SPARK_JARS"]
        catalog = "spark.sql.catalog.quern"
        settings = {
            "spark.jars": ",".join(os.path.join(jars, name) for name in sorted(os.listdir(jars))),
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.session.timeZone": "UTC",
            catalog: "org.apache.iceberg.spark.SparkCatalog",
            catalog + ".type": "rest",
            catalog + ".uri": uri,
            catalog + ".token": TOKEN,
            catalog + ".warehouse": warehouse,
            catalog + ".io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        }
        builder = SparkSession.builder.master("local[1]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()

    def read(self, namespace, table, snapshot):
        at = f" VERSION AS OF {int(snapshot)}" if snapshot else ""
        found = self.session.sql(f"SELECT * FROM quern.`{namespace}`.`{table}`{at}")
        return found.columns, [list(row) for row in found.collect()]


def main(kind, uri, warehouse, *tables):
    reader = {"pyiceberg": PyIceberg, "chdb": Chdb, "duckdb": DuckDB, "spark": Spark}[kind](uri, warehouse)
    for table in tables:
        path, _, snapshot = table.partition("@")
        line = {"table": table}
        try:
            columns, rows = reader.read(*path.split("/"), snapshot)
            line |= {"columns": columns, "rows": [[text(value) for value in row] for row in rows]}
        except Exception as error:  # whatever a reader says is for the test to judge
            line["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(line, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
