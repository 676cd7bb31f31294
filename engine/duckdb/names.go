package duckdb

import (
	"strings"

	"quern"
	"quern/engine"
)

// engineNames are the words that the engine itself takes in front of a table's
// name. A namespace of that name is written differently for the engine.
var engineNames = words("main memory temp system information_schema pg_catalog")

// namespaceAliases returns, for namespaces that the engine would misread, a name of the same
// length, so that every place in the text stays where it was.
func namespaceAliases(mentions []mention) map[string]string {
	used, out := map[string]bool{}, map[string]string{}
	for _, m := range mentions {
		used[quern.NameKey(m.ref.Namespace)] = true
	}
	for _, m := range mentions {
		key := quern.NameKey(m.ref.Namespace)
		if m.ref.Owner != "" || !engineNames[key] || out[key] != "" {
			continue
		}
		stand := []byte(key)
		for used[string(stand)] {
			stand[len(stand)-1] = 'a' + (stand[len(stand)-1]-'a'+1)%26
		}
		used[string(stand)] = true
		out[key] = string(stand)
	}
	return out
}

// applyAliases writes the aliases into the places where namespaces are mentioned.
func applyAliases(sql string, mentions []mention, aliases map[string]string) string {
	if len(aliases) == 0 {
		return sql
	}
	text := []byte(sql)
	for _, m := range mentions {
		alias, ok := aliases[quern.NameKey(m.ref.Namespace)]
		if !ok || m.ref.Owner != "" || m.at < 0 || m.at >= len(sql) {
			continue
		}
		at := m.at
		if sql[at] == '"' {
			at++
		}
		end := at + len(alias)
		if end <= len(sql) && strings.EqualFold(sql[at:end], m.ref.Namespace) {
			copy(text[at:end], alias)
		}
	}
	return string(text)
}

// viewName is where the engine finds a dataset under the name the query uses.
func viewName(ref engine.Ref, aliases map[string]string) (schema, name string) {
	switch {
	case ref.Owner != "":
		return homeSchema, refText(ref)
	case ref.Namespace == "":
		return homeSchema, ref.Dataset
	}
	if alias, ok := aliases[quern.NameKey(ref.Namespace)]; ok {
		return alias, ref.Dataset
	}
	return ref.Namespace, ref.Dataset
}

// refKey compares references without case.
func refKey(ref engine.Ref) engine.Ref {
	return engine.Ref{
		Owner:     quern.NameKey(ref.Owner),
		Namespace: quern.NameKey(ref.Namespace),
		Dataset:   quern.NameKey(ref.Dataset),
	}
}

// removeAliases takes the aliases out of the names that the engine gave to columns.
func removeAliases(columns []quern.Column, aliases map[string]string) {
	for namespace, alias := range aliases {
		for i, c := range columns {
			columns[i].Name = strings.ReplaceAll(c.Name, alias+".", namespace+".")
		}
	}
}
