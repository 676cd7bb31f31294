// Package worker keeps the engine's promise with queries that run in processes of
// their own.
//
// It owns the road of a query to a worker process and of its rows back: the
// frames between the two, the clock, and what is said when a worker ends. A query
// has a worker to itself while it runs; past its time or memory the worker is
// killed, and nobody else notices. Scans, writes and copies are statements of ours
// and run in the engine inside this process. Which engine a worker runs is not its
// business: the program hands it in.
//
// It is built around a worker that was taken over: whatever comes back is checked
// and bounded before it is believed, and a worker is told of no file but those of
// datasets that the query named and its user may see.
package worker
