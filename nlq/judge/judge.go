// Package judge owns the measure of the translator: question sets over
// databases, the loading of both, and the comparison of rows.
//
// Every database becomes a namespace like anybody's and every table or CSV file a
// dataset; links are discovered. The translator sees what it sees in the product
// and nothing of a set's own queries. The failure it is built around is the
// flattering measure: what was not answered, or could not run, is not right.
package judge

import (
	"quern"
	"quern/catalog"
	"quern/ingest"
	"quern/knowledge"
	"quern/link"
	"quern/nlq"
	"quern/nlq/schema"
	"quern/nlq/vector"
	"quern/query"
)

// Product is the running product, as the judge uses it.
type Product struct {
	Principal  quern.Principal // whose namespaces the databases become
	Catalog    *catalog.Service
	Ingest     *ingest.Service // of files that are in Uploads
	Uploads    *LocalUploads
	Links      *link.Service
	Knowledge  *knowledge.Service
	Query      *query.Service
	Schemas    schema.Source
	Vectors    *vector.Table
	Translator nlq.Translator
}

// Progress is told how far a long piece of work has come.
type Progress func(done, total int, what string)

// namespace is where a database's tables are.
func (h *Product) namespace(db string) quern.NamespacePath {
	return quern.NamespacePath{Owner: h.Principal.User.Username, Namespace: cleanName(db)}
}
