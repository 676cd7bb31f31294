// Package duckdb keeps the engine's promise with DuckDB, inside this process.
//
// It owns the sandbox: while it runs, every query has an in-memory database to
// itself that may read exactly the segments the query was resolved to, within
// its own memory, threads, spill space and time. A database serves another query
// only after it has become as it was when it was opened, or, with small tables in
// memory, another of the same user over the same tables. It owns the guard as
// well: people's SQL is parsed by DuckDB's parser and its tree is held against an
// allow-list before it runs, word for word.
//
// It never decides who may see a dataset, never keeps data that another user's query
// could find, and never shows a caller a path, a view of ours or the text of an
// engine error it does not know to be harmless.
//
// It is built around a hostile query: whatever passes the guard by mistake
// still finds nothing in the sandbox but the caller's own segments.
package duckdb
