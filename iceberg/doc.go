// Package iceberg is the catalog of tables that other engines ask: Iceberg's REST
// protocol, as far as reading goes.
//
// It owns the addresses below Path, their shapes and their errors, which are Iceberg's
// and not those of the rest of the server. It never builds a table's metadata and never
// serves a table's bytes: opentable and s3door do.
package iceberg
