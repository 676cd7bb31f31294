// Package tree owns the one form of a question that everything between words
// and rows agrees on: a typed query tree, with its readers and its printers.
//
//	SQL (a subset) ──Parse──►        ┌──Print, SQL──► SQL of the engine
//	Ontology(…)… ──ParseFluent──► Query ──Fluent──► Ontology(…)…
//	a translator ──────────────►        └──English──► a sentence
//
// A tree may leave open how its datasets hang together. Resolve closes that
// along links; Validate holds the result against a schema.
//
// It never runs a query, never reads data and never decides who may see what:
// callers hand in the tables and links that the asker sees. The failure it is
// built around is a tree that means one thing to the reader and another to the
// engine: whatever Print writes, Parse reads back as an equal tree.
package tree
