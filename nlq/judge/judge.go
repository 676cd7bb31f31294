// Package judge owns the measure of the translator: question sets over
// databases, the loading of both, and the comparison of rows.
//
// Every database becomes a namespace like anybody's and every table or CSV file a
// dataset; links are discovered. The translator sees what it sees in the product
// and nothing of a set's own queries. The failure it is built around is the
// flattering measure: what was not answered, or could not run, is not right.
package judge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quern"
	"quern/catalog"
	"quern/ingest"
	"quern/link"
	"quern/nlq"
	"quern/nlq/schema"
	"quern/nlq/vector"
	"quern/query"
)

// House is the product as the judge uses it.
type House struct {
	Principal  quern.Principal // whose namespaces the databases become
	Catalog    *catalog.Service
	Ingest     *ingest.Service // of files that are in Sent
	Sent       *Sent
	Links      *link.Service
	Query      *query.Service
	Schemas    Schemas
	Vectors    *vector.Table
	Translator nlq.Translator
}

// Schemas gives a namespace as the translator sees it.
type Schemas interface {
	Schema(ctx context.Context, p quern.Principal, in quern.NamespacePath, dataset string) (*schema.Schema, error)
}

// Question is one line of a question set.
type Question struct {
	DB       string `json:"db"`
	Question string `json:"question"`
	SQL      string `json:"sql"` // the right query: SQLite's for a SQLite file, the engine's for CSV files
	// Target is a derivation instead of SQL, with the characters of its spans in
	// the order of the derivation; for questions that training makes up.
	Target []string `json:"target,omitempty"`
	Spans  [][2]int `json:"values,omitempty"`
	Set    string   `json:"set,omitempty"`
}

// Questions reads a question set, one JSON object a line, at most limit of them
// (0: all).
func Questions(r io.Reader, limit int) ([]Question, error) {
	const longest = 1 << 20
	var all []Question
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longest)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var q Question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("line %d of the questions is not a JSON object of the expected form: %w", n, err)
		}
		if q.DB == "" || q.Question == "" {
			return nil, fmt.Errorf("line %d of the questions names no db or no question", n)
		}
		if all = append(all, q); len(all) == limit {
			break
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("the questions cannot be read: %w", err)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no questions")
	}
	return all, nil
}

// Progress is told how far a long piece of work has come.
type Progress func(done, total int, what string)

// namespace is where a database's tables are.
func (h *House) namespace(db string) quern.NamespacePath {
	return quern.NamespacePath{Owner: h.Principal.User.Username, Namespace: cleanName(db)}
}
