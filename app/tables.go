package app

import (
	"quern/blob"
	"quern/iceberg"
	"quern/opentable"
	"quern/s3door"
	"quern/server"
)

// addTables makes datasets tables that other engines read.
func (a *App) addTables() (err error) {
	p := &a.parts
	o := opentable.Options{
		Store: p.store, Catalog: p.catalog, Objects: p.objects, Still: p.auth.Still, Rewrite: p.ingest,
		Bucket: s3door.Bucket, Endpoint: a.url, Region: s3door.Region, Grace: a.cfg.Upkeep.ObjectGrace, Now: a.now, Log: a.log,
		KeepSmall: a.cfg.S3.Endpoint == "", // several servers of two releases may share the objects of a bucket
	}
	if lender, ok := p.objects.(blob.Lender); ok && a.cfg.S3.STSRole != "" {
		o.Lender, o.Bucket, o.Endpoint, o.Region = lender, a.cfg.S3.Bucket, a.partsOrigin(), a.cfg.S3.Region
	}
	p.tables = opentable.New(o)
	p.iceberg = iceberg.New(iceberg.Options{Auth: p.auth.ForTables(), Usage: p.auth, Catalog: p.catalog, Tables: p.tables, Now: a.now})
	p.s3door, err = s3door.New(s3door.Options{Keys: p.tables, Objects: p.tables.Files(), PublicURL: a.url, Now: a.now})
	return err
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
