// Package trino runs queries on a Trino cluster, over the tables that datasets are to
// other engines.
//
// It keeps the promise of engine.Querier for queries that have a tree: it writes the
// tree in Trino's dialect, each table pinned to the version that the asker saw, and
// speaks Trino's client protocol. It never writes, and never decides who may see a
// table: the cluster reads each with a token that Quern signed for the asker, and Quern
// checks the rights with every request that the cluster makes.
//
// The failure it is built around is the query that means something else there. What
// has no equal in Trino, or one whose rows would differ without a word, is refused as
// engine.Unmapped before anything is sent; an answer of other types than the tree has
// is no answer.
package trino
