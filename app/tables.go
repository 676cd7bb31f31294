package app

import (
	"quern/iceberg"
	"quern/opentable"
	"quern/server"
)

// tablesBucket is what other engines take this server for, when they read objects.
const tablesBucket = "quern-tables"

// addTables makes datasets tables that other engines read.
func (a *App) addTables() {
	p := &a.parts
	p.tables = opentable.New(opentable.Options{
		Store: p.store, Catalog: p.catalog, Objects: p.objects, Still: p.auth.Still, Rewrite: p.ingest,
		Bucket: tablesBucket, Endpoint: a.url, Grace: a.cfg.Upkeep.ObjectGrace, Now: a.now, Log: a.log,
	})
	p.iceberg = iceberg.New(iceberg.Options{Auth: p.auth, Usage: p.auth, Catalog: p.catalog, Tables: p.tables, Now: a.now})
}

// tableCounts tells how far tables lie behind their datasets.
func (a *App) tableCounts() []server.Count {
	return []server.Count{{
		Name: "quern_tables_behind", Label: "what", Gauge: true, Help: "Tables served to other engines in an earlier version, and by how many versions at most.",
		Values: func() map[string]int64 {
			tables, versions := a.parts.tables.Behind()
			return map[string]int64{"tables": tables, "versions": versions}
		},
	}}
}
