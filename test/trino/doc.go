// Package trino is where large queries meet a real cluster: `make e2e-trino` starts Trino
// over the tables of a house and holds its answers against those of the embedded engine.
package trino
