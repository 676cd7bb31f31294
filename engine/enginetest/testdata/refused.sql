SELECT * FROM read_csv('/etc/passwd')
=> line 1, column 15: the table function "read_csv" is not available

SELECT * FROM read_csv_auto('/etc/passwd')
=> line 1, column 15: the table function "read_csv_auto" is not available

SELECT * FROM read_text('/etc/passwd')
=> line 1, column 15: the table function "read_text" is not available

SELECT * FROM read_blob('/etc/passwd')
=> line 1, column 15: the table function "read_blob" is not available

SELECT * FROM read_parquet('PATH')
=> line 1, column 15: the table function "read_parquet" is not available

SELECT * FROM parquet_scan('PATH')
=> line 1, column 15: the table function "parquet_scan" is not available

SELECT * FROM read_json('/etc/passwd')
=> line 1, column 15: the table function "read_json" is not available

SELECT * FROM read_json_auto('x.json')
=> line 1, column 15: the table function "read_json_auto" is not available

SELECT * FROM read_json_objects('x.json')
=> line 1, column 15: the table function "read_json_objects" is not available

SELECT * FROM read_ndjson('x.json')
=> line 1, column 15: the table function "read_ndjson" is not available

SELECT * FROM read_ndjson_objects('x.json')
=> line 1, column 15: the table function "read_ndjson_objects" is not available

SELECT * FROM read_duckdb('x.db')
=> line 1, column 15: the table function "read_duckdb" is not available

SELECT * FROM sniff_csv('/etc/passwd')
=> line 1, column 15: the table function "sniff_csv" is not available

SELECT * FROM glob('/*')
=> line 1, column 15: the table function "glob" is not available

SELECT * FROM glob('/etc/*') g, t
=> line 1, column 15: the table function "glob" is not available

SELECT * FROM parquet_metadata('PATH')
=> line 1, column 15: the table function "parquet_metadata" is not available

SELECT * FROM parquet_schema('PATH')
=> line 1, column 15: the table function "parquet_schema" is not available

SELECT * FROM parquet_file_metadata('PATH')
=> line 1, column 15: the table function "parquet_file_metadata" is not available

SELECT * FROM parquet_kv_metadata('PATH')
=> line 1, column 15: the table function "parquet_kv_metadata" is not available

SELECT * FROM parquet_bloom_probe('PATH', 'n', 1)
=> line 1, column 15: the table function "parquet_bloom_probe" is not available

SELECT * FROM '/etc/passwd'
=> line 1, column 15: there is no dataset "etc.passwd"

SELECT * FROM 'PATH'
=> line 1, column 15: there is no dataset "PATH"

SELECT * FROM "PATH"
=> line 1, column 15: there is no dataset "PATH"

SELECT * FROM '/etc/*.csv'
=> line 1, column 15: there is no dataset "etc.*.csv"

SELECT * FROM 'x.parquet'
=> line 1, column 15: there is no dataset "x.parquet"

SELECT * FROM x.parquet
=> line 1, column 15: there is no dataset "x.parquet"

SELECT * FROM 'https://example.org/x.parquet'
=> line 1, column 15: there is no dataset "https://example.org/x.parquet"

SELECT * FROM "s3://bucket/x.parquet"
=> line 1, column 15: there is no dataset "s3://bucket/x.parquet"

SELECT * FROM 'a/b/c.parquet'
=> line 1, column 15: there is no dataset "a/b/c.parquet"

SELECT * FROM 'data.csv' AS t
=> line 1, column 15: there is no dataset "data.csv"

WITH "x.csv" AS (SELECT 1) SELECT * FROM (WITH y AS (SELECT 1) SELECT * FROM y), "y.csv"
=> line 1, column 82: there is no dataset "y.csv"

SELECT * FROM (SELECT * FROM '/etc/passwd') x
=> line 1, column 30: there is no dataset "etc.passwd"

SELECT (SELECT content FROM read_text('/etc/passwd'))
=> line 1, column 29: the table function "read_text" is not available

SELECT * FROM t WHERE n IN (SELECT 1 FROM read_text('/etc/passwd'))
=> line 1, column 43: the table function "read_text" is not available

SELECT * FROM t, LATERAL (SELECT * FROM read_text('/etc/passwd')) x
=> line 1, column 41: the table function "read_text" is not available

SELECT * FROM t ORDER BY (SELECT count(*) FROM glob('*'))
=> line 1, column 48: the table function "glob" is not available

SELECT * FROM t LIMIT (SELECT count(*) FROM glob('*'))
=> line 1, column 45: the table function "glob" is not available

SELECT count(*) FILTER (WHERE (SELECT true FROM glob('*') LIMIT 1)) FROM t
=> line 1, column 49: the table function "glob" is not available

SELECT sum(n) OVER (ORDER BY (SELECT count(*) FROM glob('*'))) FROM t
=> line 1, column 52: the table function "glob" is not available

SELECT n FROM t GROUP BY n HAVING (SELECT count(*) FROM glob('*')) > 0
=> line 1, column 57: the table function "glob" is not available

SELECT n FROM t QUALIFY (SELECT count(*) FROM glob('*')) > 0
=> line 1, column 47: the table function "glob" is not available

SELECT CASE WHEN true THEN (SELECT count(*) FROM glob('*')) END
=> line 1, column 50: the table function "glob" is not available

SELECT [(SELECT count(*) FROM glob('*'))]
=> line 1, column 31: the table function "glob" is not available

SELECT {'a': (SELECT count(*) FROM glob('*'))}
=> line 1, column 36: the table function "glob" is not available

SELECT list_transform([1], lambda x: (SELECT count(*) FROM glob('*')))
=> line 1, column 60: the table function "glob" is not available

SELECT * REPLACE ((SELECT count(*) FROM glob('*')) AS n) FROM t
=> line 1, column 41: the table function "glob" is not available

SELECT * FROM t JOIN t u ON (SELECT count(*) FROM glob('*')) > 0
=> line 1, column 51: the table function "glob" is not available

SELECT * FROM range((SELECT count(*) FROM glob('*')))
=> line 1, column 43: the table function "glob" is not available

SELECT * FROM unnest((SELECT list(file) FROM glob('*')))
=> line 1, column 46: the table function "glob" is not available

VALUES ((SELECT count(*) FROM glob('*')))
=> line 1, column 31: the table function "glob" is not available

SELECT * FROM (VALUES ((SELECT count(*) FROM glob('*')))) v
=> line 1, column 46: the table function "glob" is not available

WITH a AS (SELECT * FROM glob('*')) SELECT 1
=> line 1, column 26: the table function "glob" is not available

WITH RECURSIVE a AS (SELECT * FROM glob('*') UNION ALL SELECT * FROM a) SELECT 1
=> line 1, column 36: the table function "glob" is not available

WITH RECURSIVE a AS (SELECT 'x' f UNION ALL SELECT file FROM a, glob('*')) SELECT 1
=> line 1, column 65: the table function "glob" is not available

WITH a AS (WITH b AS (WITH c AS (SELECT * FROM read_text('/etc/passwd')) SELECT * FROM c) SELECT * FROM b) SELECT * FROM a
=> line 1, column 48: the table function "read_text" is not available

SELECT 1 UNION SELECT count(*) FROM glob('*')
=> line 1, column 37: the table function "glob" is not available

SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT count(*) FROM glob('*')
=> line 1, column 60: the table function "glob" is not available

SELECT 1 EXCEPT SELECT count(*) FROM glob('*')
=> line 1, column 38: the table function "glob" is not available

SELECT 1 INTERSECT SELECT count(*) FROM glob('*')
=> line 1, column 41: the table function "glob" is not available

PIVOT t ON n
=> only a single SELECT statement is allowed

PIVOT (SELECT * FROM glob('*')) ON file IN ('x') USING count(*)
=> line 1, column 22: the table function "glob" is not available

SELECT * FROM (PIVOT glob('*') ON file IN ('x') USING count(*))
=> line 1, column 22: the table function "glob" is not available

FROM t PIVOT (count((SELECT count(*) FROM glob('*'))) FOR n IN (1))
=> line 1, column 43: the table function "glob" is not available

FROM t PIVOT (count(*) FOR n IN some_enum)
=> PIVOT over an enum is not allowed

UNPIVOT glob('*') ON file
=> line 1, column 9: the table function "glob" is not available

SELECT * FROM query('SELECT 1')
=> line 1, column 15: the table function "query" is not available

SELECT * FROM query('SELECT * FROM duckdb_settings()')
=> line 1, column 15: the table function "query" is not available

SELECT * FROM query_table('t')
=> line 1, column 15: the table function "query_table" is not available

SELECT * FROM query_table(['duckdb_settings'])
=> line 1, column 15: the table function "query_table" is not available

SELECT * FROM json_execute_serialized_sql('{}')
=> line 1, column 15: the table function "json_execute_serialized_sql" is not available

SELECT json_serialize_sql('SELECT 1')
=> line 1, column 8: the function "json_serialize_sql" is not available

SELECT json_deserialize_sql('{}')
=> line 1, column 8: the function "json_deserialize_sql" is not available

SELECT json_serialize_plan('SELECT 1')
=> line 1, column 8: the function "json_serialize_plan" is not available

SELECT * FROM sql_auto_complete('SEL')
=> line 1, column 15: the table function "sql_auto_complete" is not available

SELECT * FROM summary((SELECT 1))
=> line 1, column 15: the table function "summary" is not available

SELECT * FROM histogram(t, n)
=> line 1, column 15: the table function "histogram" is not available

SELECT * FROM histogram_values(t, n)
=> line 1, column 15: the table function "histogram_values" is not available

SELECT * FROM repeat(1, 10)
=> line 1, column 15: the table function "repeat" is not available

SELECT * FROM test_all_types()
=> line 1, column 15: the table function "test_all_types" is not available

SELECT * FROM seq_scan('t')
=> line 1, column 15: the table function "seq_scan" is not available

SELECT * FROM arrow_scan(1, 2, 3)
=> line 1, column 15: the table function "arrow_scan" is not available

SELECT * FROM duckdb_settings()
=> line 1, column 15: the table function "duckdb_settings" is not available

SELECT * FROM duckdb_tables()
=> line 1, column 15: the table function "duckdb_tables" is not available

SELECT * FROM duckdb_views()
=> line 1, column 15: the table function "duckdb_views" is not available

SELECT sql FROM duckdb_views
=> line 1, column 17: there is no dataset "duckdb_views"

SELECT * FROM duckdb_tables
=> line 1, column 15: there is no dataset "duckdb_tables"

SELECT * FROM duckdb_columns()
=> line 1, column 15: the table function "duckdb_columns" is not available

SELECT * FROM duckdb_databases()
=> line 1, column 15: the table function "duckdb_databases" is not available

SELECT * FROM duckdb_extensions()
=> line 1, column 15: the table function "duckdb_extensions" is not available

SELECT * FROM duckdb_functions()
=> line 1, column 15: the table function "duckdb_functions" is not available

SELECT * FROM duckdb_secrets()
=> line 1, column 15: the table function "duckdb_secrets" is not available

SELECT * FROM duckdb_memory()
=> line 1, column 15: the table function "duckdb_memory" is not available

SELECT * FROM duckdb_temporary_files()
=> line 1, column 15: the table function "duckdb_temporary_files" is not available

SELECT * FROM duckdb_variables()
=> line 1, column 15: the table function "duckdb_variables" is not available

SELECT * FROM duckdb_logs()
=> line 1, column 15: the table function "duckdb_logs" is not available

SELECT * FROM duckdb_logs
=> line 1, column 15: there is no dataset "duckdb_logs"

SELECT * FROM duckdb_prepared_statements()
=> line 1, column 15: the table function "duckdb_prepared_statements" is not available

SELECT * FROM duckdb_external_file_cache()
=> line 1, column 15: the table function "duckdb_external_file_cache" is not available

SELECT * FROM DuckDB_Settings()
=> line 1, column 15: the table function "duckdb_settings" is not available

SELECT * FROM "duckdb_settings"()
=> line 1, column 15: the table function "duckdb_settings" is not available

SELECT * FROM main.duckdb_settings()
=> line 1, column 15: the table function "duckdb_settings" is not available

SELECT * FROM system.main.duckdb_settings()
=> line 1, column 15: the table function "duckdb_settings" is not available

SELECT * FROM pragma_database_list
=> line 1, column 15: there is no dataset "pragma_database_list"

SELECT * FROM pragma_database_size()
=> line 1, column 15: the table function "pragma_database_size" is not available

SELECT * FROM pragma_version()
=> line 1, column 15: the table function "pragma_version" is not available

SELECT * FROM pragma_table_info('t')
=> line 1, column 15: the table function "pragma_table_info" is not available

SELECT * FROM pragma_storage_info('t')
=> line 1, column 15: the table function "pragma_storage_info" is not available

SELECT * FROM pragma_platform()
=> line 1, column 15: the table function "pragma_platform" is not available

SELECT * FROM pragma_show('t')
=> line 1, column 15: the table function "pragma_show" is not available

SELECT * FROM sqlite_master
=> line 1, column 15: there is no dataset "sqlite_master"

SELECT * FROM sqlite_schema
=> line 1, column 15: there is no dataset "sqlite_schema"

SELECT * FROM information_schema.tables
=> line 1, column 15: there is no dataset "information_schema.tables"

SELECT * FROM information_schema.columns
=> line 1, column 15: there is no dataset "information_schema.columns"

SELECT * FROM pg_catalog.pg_class
=> line 1, column 15: there is no dataset "pg_catalog.pg_class"

SELECT * FROM pg_class
=> line 1, column 15: there is no dataset "pg_class"

SELECT * FROM pg_settings
=> line 1, column 15: there is no dataset "pg_settings"

SELECT * FROM system.information_schema.tables
=> line 1, column 15: a dataset is named as dataset, namespace.dataset or "owner/namespace/dataset"

SELECT * FROM memory.main.t
=> line 1, column 15: a dataset is named as dataset, namespace.dataset or "owner/namespace/dataset"

SELECT * FROM temp.main.t
=> line 1, column 15: a dataset is named as dataset, namespace.dataset or "owner/namespace/dataset"

SELECT * FROM which_secret('s3://x', 's3')
=> line 1, column 15: the table function "which_secret" is not available

SELECT * FROM icu_calendar_names()
=> line 1, column 15: the table function "icu_calendar_names" is not available

SELECT * FROM pg_timezone_names()
=> line 1, column 15: the table function "pg_timezone_names" is not available

SELECT current_setting('memory_limit')
=> line 1, column 8: the function "current_setting" is not available

SELECT current_setting('temp_directory')
=> line 1, column 8: the function "current_setting" is not available

SELECT Current_Setting('temp_directory')
=> line 1, column 8: the function "current_setting" is not available

SELECT "current_setting"('temp_directory')
=> line 1, column 8: the function "current_setting" is not available

SELECT pg_catalog.current_setting('temp_directory')
=> line 1, column 8: the function "current_setting" is not available

SELECT main.current_setting('temp_directory')
=> line 1, column 8: the function "current_setting" is not available

SELECT system.main.current_setting('temp_directory')
=> line 1, column 8: the function "current_setting" is not available

SELECT 'temp_directory'.current_setting()
=> line 1, column 40: syntax error at or near "("

SELECT list_transform(['temp_directory'], lambda x: current_setting(x))
=> line 1, column 53: the function "current_setting" is not available

SELECT list_transform(['temp_directory'], x -> current_setting(x))
=> line 1, column 48: the function "current_setting" is not available

SELECT getvariable('x')
=> line 1, column 8: the function "getvariable" is not available

SELECT getenv('HOME')
=> line 1, column 8: the function "getenv" is not available

SELECT version()
=> line 1, column 8: the function "version" is not available

SELECT current_database()
=> line 1, column 8: the function "current_database" is not available

SELECT current_schema()
=> line 1, column 8: the function "current_schema" is not available

SELECT current_schemas(true)
=> line 1, column 8: the function "current_schemas" is not available

SELECT current_query()
=> line 1, column 8: the function "current_query" is not available

SELECT current_user()
=> line 1, column 8: the function "current_user" is not available

SELECT session_user()
=> line 1, column 8: the function "session_user" is not available

SELECT txid_current()
=> line 1, column 8: the function "txid_current" is not available

SELECT current_connection_id()
=> line 1, column 8: the function "current_connection_id" is not available

SELECT nextval('s')
=> line 1, column 8: the function "nextval" is not available

SELECT currval('s')
=> line 1, column 8: the function "currval" is not available

SELECT setseed(0.5)
=> line 1, column 8: the function "setseed" is not available

SELECT error('x')
=> line 1, column 8: the function "error" is not available

SELECT sleep_ms(1000)
=> line 1, column 8: the function "sleep_ms" is not available

SELECT pg_sleep(10)
=> line 1, column 8: the function "pg_sleep" is not available

SELECT write_log('x')
=> line 1, column 8: the function "write_log" is not available

SELECT stats(n) FROM t
=> line 1, column 8: the function "stats" is not available

SELECT vector_type(n) FROM t
=> line 1, column 8: the function "vector_type" is not available

SELECT in_search_path('memory', 'main')
=> line 1, column 8: the function "in_search_path" is not available

SELECT pg_get_viewdef(1)
=> line 1, column 8: the function "pg_get_viewdef" is not available

SELECT has_table_privilege('t', 'select')
=> line 1, column 8: the function "has_table_privilege" is not available

SELECT obj_description(1, 'x')
=> line 1, column 8: the function "obj_description" is not available

SELECT inet_server_addr()
=> line 1, column 8: the function "inet_server_addr" is not available

SELECT get_block_size('memory')
=> line 1, column 8: the function "get_block_size" is not available

SELECT __internal_compress_string_uhugeint('x')
=> line 1, column 8: the function "__internal_compress_string_uhugeint" is not available

SELECT nosuchfunction(1)
=> line 1, column 8: the function "nosuchfunction" is not available

SELECT *, read_text('/etc/passwd') FROM t
=> line 1, column 11: the function "read_text" is not available

INSERT INTO t VALUES (1)
=> only a single SELECT statement is allowed

UPDATE t SET n = 1
=> only a single SELECT statement is allowed

DELETE FROM t
=> only a single SELECT statement is allowed

MERGE INTO t USING t u ON t.n = u.n WHEN MATCHED THEN DELETE
=> only a single SELECT statement is allowed

CREATE TABLE x AS SELECT 1
=> only a single SELECT statement is allowed

CREATE VIEW x AS SELECT 1
=> only a single SELECT statement is allowed

CREATE MACRO m(a) AS a + 1
=> only a single SELECT statement is allowed

CREATE MACRO m() AS TABLE SELECT * FROM glob('*')
=> only a single SELECT statement is allowed

CREATE TEMP TABLE x(a int)
=> only a single SELECT statement is allowed

CREATE SCHEMA x
=> only a single SELECT statement is allowed

CREATE SEQUENCE x
=> only a single SELECT statement is allowed

CREATE TYPE x AS ENUM ('a')
=> only a single SELECT statement is allowed

CREATE SECRET x (TYPE s3)
=> only a single SELECT statement is allowed

CREATE FUNCTION f(a) AS a
=> only a single SELECT statement is allowed

DROP TABLE t
=> only a single SELECT statement is allowed

DROP VIEW t
=> only a single SELECT statement is allowed

ALTER TABLE t ADD COLUMN x int
=> only a single SELECT statement is allowed

TRUNCATE t
=> only a single SELECT statement is allowed

COPY t TO '/tmp/x.csv'
=> only a single SELECT statement is allowed

COPY (SELECT 1) TO '/tmp/x.csv'
=> only a single SELECT statement is allowed

COPY t FROM '/etc/passwd'
=> only a single SELECT statement is allowed

COPY FROM DATABASE a TO b
=> only a single SELECT statement is allowed

EXPORT DATABASE '/tmp/x'
=> only a single SELECT statement is allowed

IMPORT DATABASE '/tmp/x'
=> only a single SELECT statement is allowed

ATTACH '/tmp/x.db' AS x
=> only a single SELECT statement is allowed

ATTACH ':memory:' AS x
=> only a single SELECT statement is allowed

DETACH memory
=> only a single SELECT statement is allowed

USE memory
=> only a single SELECT statement is allowed

SET memory_limit = '100GB'
=> only a single SELECT statement is allowed

SET GLOBAL enable_external_access = true
=> only a single SELECT statement is allowed

SET VARIABLE x = 1
=> only a single SELECT statement is allowed

RESET memory_limit
=> only a single SELECT statement is allowed

PRAGMA database_list
=> only a single SELECT statement is allowed

PRAGMA version
=> only a single SELECT statement is allowed

PRAGMA table_info('t')
=> only a single SELECT statement is allowed

PRAGMA enable_profiling
=> only a single SELECT statement is allowed

CALL pragma_version()
=> only a single SELECT statement is allowed

CALL duckdb_settings()
=> only a single SELECT statement is allowed

LOAD httpfs
=> only a single SELECT statement is allowed

INSTALL httpfs
=> only a single SELECT statement is allowed

INSTALL '/tmp/x.duckdb_extension'
=> only a single SELECT statement is allowed

FORCE INSTALL httpfs
=> only a single SELECT statement is allowed

UPDATE EXTENSIONS
=> only a single SELECT statement is allowed

CHECKPOINT
=> only a single SELECT statement is allowed

VACUUM
=> only a single SELECT statement is allowed

ANALYZE
=> only a single SELECT statement is allowed

BEGIN
=> only a single SELECT statement is allowed

BEGIN; SELECT 1; COMMIT
=> only a single SELECT statement is allowed

COMMIT
=> only a single SELECT statement is allowed

ROLLBACK
=> only a single SELECT statement is allowed

EXPLAIN SELECT 1
=> only a single SELECT statement is allowed

EXPLAIN ANALYZE SELECT * FROM t
=> only a single SELECT statement is allowed

DESCRIBE t
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

DESCRIBE SELECT 1
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SHOW TABLES
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SHOW ALL TABLES
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SHOW DATABASES
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SHOW t
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SUMMARIZE t
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SUMMARIZE SELECT * FROM glob('*')
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SELECT * FROM (DESCRIBE t)
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SELECT * FROM (SHOW TABLES)
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SELECT * FROM (SUMMARIZE t)
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

SELECT * FROM (SHOW ALL TABLES)
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

FROM (DESCRIBE SELECT * FROM read_text('/etc/passwd'))
=> DESCRIBE, SHOW and SUMMARIZE are not allowed; to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata

PREPARE p AS SELECT 1
=> only a single SELECT statement is allowed

EXECUTE p
=> only a single SELECT statement is allowed

EXECUTE p(1)
=> only a single SELECT statement is allowed

DEALLOCATE p
=> only a single SELECT statement is allowed

SELECT 1; SELECT 2
=> only one statement is allowed

SELECT 1; DROP TABLE t
=> only a single SELECT statement is allowed

SELECT 1;; SELECT 2
=> only one statement is allowed

SELECT 1; -- x
SELECT 2
=> only one statement is allowed

/* x */ SELECT 1; /* y */ COPY t TO '/tmp/x'
=> only a single SELECT statement is allowed

SELECT ?
=> parameters are not allowed

SELECT $1
=> parameters are not allowed

SELECT $name
=> parameters are not allowed

SELECT * FROM t WHERE n = ?
=> parameters are not allowed

SELECT n FROM t AT (VERSION => 1)
=> AT is not allowed

SELECT n FROM t AT (TIMESTAMP => now())
=> AT is not allowed

SELECT sum(n) EXPORT_STATE FROM t
=> EXPORT_STATE is not allowed

SELECT * FROM t FOR UPDATE
=> SELECT locking clause is not supported!

SELECT 1 INTO x
=> SELECT INTO not supported!

SELECT DEFAULT
=> this form of expression is not allowed

SELECT n::nosuchtype FROM t
=> line 1, column 11: the type "nosuchtype" is not available

SELECT n::main.mytype FROM t
=> the type "mytype" is not available

SELECT 'POINT(1 2)'::GEOMETRY
=> line 1, column 22: the type "GEOMETRY" is not available

SELECT 1::VARIANT
=> line 1, column 11: the type "VARIANT" is not available

WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x
=> A CTE needs a SELECT

WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x
=> A CTE needs a SELECT

WITH RECURSIVE x(a) USING KEY (a) AS (SELECT 1 UNION SELECT a FROM x) SELECT * FROM x
=> USING KEY is not allowed

SELECT * FROM x WHERE EXISTS (WITH x AS (SELECT 1) SELECT * FROM x)
=> line 1, column 15: there is no dataset "x"

WITH duckdb_settings AS (SELECT * FROM duckdb_settings) SELECT * FROM duckdb_settings
=> line 1, column 40: there is no dataset "duckdb_settings"

WITH a AS (SELECT * FROM duckdb_settings), duckdb_settings AS (SELECT 1) SELECT * FROM a
=> line 1, column 26: there is no dataset "duckdb_settings"

WITH RECURSIVE sqlite_master AS (SELECT sql FROM sqlite_master UNION ALL SELECT 'x') SELECT * FROM sqlite_master
=> line 1, column 50: there is no dataset "sqlite_master"

SELECT * FROM ｔ
=> line 1, column 15: there is no dataset "ｔ"

SELECT * FROM "t\0"
=> line 1, column 17: the query contains a NUL character

SELECT 1 \0; DROP TABLE t
=> line 1, column 10: the query contains a NUL character

SELECT * FROM ‮t
=> line 1, column 15: there is no dataset "‮t"

SELECT * FROM "t "
=> line 1, column 15: there is no dataset "t "

SELECT * FROM ""
=> line 1, column 15: zero-length delimited identifier at or near """"

SELECT * FROM "a//b"
=> line 1, column 15: there is no dataset "a//b"

SELECT * FROM "../t"
=> line 1, column 15: there is no dataset "../t"

SELECT * FROM "a/../t"
=> line 1, column 15: there is no dataset "a/../t"

SELECT * FROM "//t"
=> line 1, column 15: there is no dataset "t"

SELECT * FROM "/a/b"
=> line 1, column 15: there is no dataset "a.b"

SELECT * FROM "a/b/c/d"
=> line 1, column 15: there is no dataset "a/b/c/d"

SELECT * FROM "a/b/"
=> line 1, column 15: there is no dataset "a/b/"

SELECT * FROM 'file:PATH'
=> line 1, column 15: there is no dataset "file:PATH"

select*from(select*from(select*from(read_text('/etc/passwd'))))
=> line 1, column 61: syntax error at or near ")"

SELECT/**/content/**/FROM/**/read_text/**/('/etc/passwd')
=> line 1, column 30: the table function "read_text" is not available

SELECT -- comment
SELECT * FROM -- t
=> line 2, column 1: syntax error at or near "SELECT"

"read_text"('/etc/passwd')
=> line 1, column 1: syntax error at or near ""read_text""

SELECT * FROM READ_TEXT('/etc/passwd')
=> line 1, column 15: the table function "read_text" is not available

SELECT * FROM "Read_Text"('/etc/passwd')
=> line 1, column 15: the table function "read_text" is not available

SELECT * FROM t POSITIONAL JOIN read_text('/etc/passwd')
=> line 1, column 33: the table function "read_text" is not available

SELECT * FROM t ASOF JOIN glob('*') g ON t.n >= g.file
=> line 1, column 27: the table function "glob" is not available

SELECT * FROM t NATURAL JOIN duckdb_tables
=> line 1, column 30: there is no dataset "duckdb_tables"

SELECT * FROM t TABLESAMPLE 10%, glob('*')
=> line 1, column 34: the table function "glob" is not available

TABLE duckdb_settings
=> line 1, column 7: there is no dataset "duckdb_settings"

FROM duckdb_settings()
=> line 1, column 6: the table function "duckdb_settings" is not available

FROM duckdb_settings
=> line 1, column 6: there is no dataset "duckdb_settings"

FROM glob('*') SELECT *
=> line 1, column 6: the table function "glob" is not available

SELECT COLUMNS((SELECT 'x' FROM glob('*'))) FROM t
=> line 1, column 33: the table function "glob" is not available

SELECT unnest((SELECT list(file) FROM glob('*')))
=> line 1, column 39: the table function "glob" is not available

SELECT EXISTS (FROM glob('*'))
=> line 1, column 21: the table function "glob" is not available

SELECT 1 = ANY (SELECT count(*) FROM glob('*'))
=> line 1, column 38: the table function "glob" is not available

SELECT ARRAY (SELECT file FROM glob('*'))
=> line 1, column 32: the table function "glob" is not available

SELECT try((SELECT count(*) FROM glob('*')))
=> line 1, column 34: the table function "glob" is not available

SELECT format('{:>99999}', 1)
=> line 1, column 8: format needs a constant format whose widths add up to at most 1000

SELECT format(t.n::text, 1) FROM t
=> line 1, column 8: format needs a constant format whose widths add up to at most 1000

SELECT printf('%*d', 100000, 1)
=> line 1, column 8: printf needs a constant format whose widths add up to at most 1000

SELECT filename FROM t
=> line 1, column 8: Referenced column "filename" not found in FROM clause; there is n

SELECT file_row_number FROM t
=> line 1, column 8: Referenced column "file_row_number" not found in FROM clause; there is n

SELECT file_index FROM t
=> line 1, column 8: Referenced column "file_index" not found in FROM clause; there is n

SELECT rowid FROM t
=> line 1, column 8: Referenced column "rowid" not found in FROM clause; there is n

SELECT t.filename FROM t
=>
=> line 2, column 1: syntax error at or near "=>"

SELECT main.repeat('x', 1000000000)
=> line 1, column 8: write repeat without anything in front of it

SELECT n::text.repeat(1000000000) FROM t
=> line 1, column 15: syntax error at or near "."

SELECT main.rpad('x', 1000000000, 'y')
=> line 1, column 8: write rpad without anything in front of it

SELECT main.range(1000000000)
=> line 1, column 8: write range without anything in front of it

SELECT user
=> there is no column "user"

SELECT current_user
=> there is no column "current_user"

SELECT session_user
=> there is no column "session_user"

SELECT current_role
=> there is no column "current_role"

SELECT current_schema
=> there is no column "current_schema"

SELECT current_catalog
=> there is no column "current_catalog"

SELECT "current_schema"
=> there is no column "current_schema"

SELECT Current_Catalog AS c FROM t
=> there is no column "current_catalog"

SELECT upper(user) FROM t
=> there is no column "user"

SELECT format('{:999}{:999}', 1, 2)
=> line 1, column 8: format needs a constant format whose widths add up to at most 1000

SELECT printf('%500d%501d', 1, 2)
=> line 1, column 8: printf needs a constant format whose widths add up to at most 1000

SELECT list(n) OVER () FROM t
=> line 1, column 8: list is not available over a window

SELECT bitstring_agg(n, 0, 1000000000) FROM t
=> line 1, column 8: the function "bitstring_agg" is not available

SELECT equi_width_bins(0, 1000000, 100000, false) FROM t
=> equi_width_bins would make more than 1000 bins

SELECT json_pretty('[]')
=> line 1, column 8: the function "json_pretty" is not available
