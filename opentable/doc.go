// Package opentable makes every dataset an Iceberg table: the metadata that other
// engines need to read its segments where they lie, and the keys with which they may.
//
// It owns the metadata, which are written when a version is first asked for and kept
// with it, the numbers that columns keep, and the keys. It never changes a row: where
// Iceberg cannot widen a type as we do, it asks for the segments to be rewritten, and
// serves the version before until they are.
//
// The failure it is built around is a reader that holds a version for hours: whatever
// objects a version that was handed out names stay until their time has come.
package opentable
