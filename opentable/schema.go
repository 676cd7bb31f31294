package opentable

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/apache/iceberg-go"

	"quern"
)

// typeOf is how other engines see a column. JSON is a string to them.
func typeOf(t quern.Type) iceberg.Type {
	if precision, scale, ok := t.DecimalSize(); ok {
		return iceberg.DecimalTypeOf(precision, scale)
	}
	switch t {
	case quern.Boolean:
		return iceberg.PrimitiveTypes.Bool
	case quern.Integer:
		return iceberg.PrimitiveTypes.Int64
	case quern.Double:
		return iceberg.PrimitiveTypes.Float64
	case quern.Date:
		return iceberg.PrimitiveTypes.Date
	case quern.Timestamp:
		return iceberg.PrimitiveTypes.TimestampTz
	}
	return iceberg.PrimitiveTypes.String
}

func schemaOf(id int64, fields []quern.Field) *iceberg.Schema {
	all := make([]iceberg.NestedField, len(fields))
	for i, f := range fields {
		all[i] = iceberg.NestedField{ID: f.ID, Name: f.Name, Type: typeOf(f.Type)}
	}
	return iceberg.NewSchema(int(id), all...)
}

// nameMapping tells readers which column of a file is which field, of every version that
// is listed: files carry names, not numbers, and a version before may have columns that
// are gone now, or spelt in other capitals.
func nameMapping(versions ...[]quern.Field) string {
	type mapped struct {
		ID    int      `json:"field-id"`
		Names []string `json:"names"`
	}
	names := map[int][]string{}
	for _, fields := range versions {
		for _, f := range fields {
			if !slices.Contains(names[f.ID], f.Name) {
				names[f.ID] = append(names[f.ID], f.Name)
			}
		}
	}
	all := make([]mapped, 0, len(names))
	for _, id := range slices.Sorted(maps.Keys(names)) {
		all = append(all, mapped{id, names[id]})
	}
	text, _ := json.Marshal(all) // numbers and texts always marshal
	return string(text)
}

// columnsOf are the columns that other engines see: all but the server's own.
func columnsOf(d quern.Dataset) []quern.Column {
	all := make([]quern.Column, 0, len(d.Columns))
	for _, c := range d.Columns {
		if !quern.IsInternal(c.Name) {
			all = append(all, c.Column)
		}
	}
	return all
}

// fieldsOf returns every column that a dataset has or had, and those that readers see:
// the ones of now, or of before where its rows were replaced by none.
func fieldsOf(known []quern.Field, d quern.Dataset) (all, now []quern.Field) {
	all, now = quern.Fields(known, columnsOf(d))
	if len(now) == 0 {
		now = all
	}
	return all, now
}

// Narrow returns the segments that hold a column in a type that other engines do not
// widen to the dataset's: they have to be rewritten before the version can be read.
func Narrow(s quern.Snapshot) []quern.Segment {
	types := make(map[string]quern.Type, len(s.Dataset.Columns))
	for _, c := range s.Dataset.Columns {
		types[quern.NameKey(c.Name)] = c.Type
	}
	var narrow []quern.Segment
	for _, segment := range s.Segments {
		for _, c := range segment.Columns {
			if t, ok := types[quern.NameKey(c.Name)]; ok && !widens(c.Type, t) {
				narrow = append(narrow, segment)
				break
			}
		}
	}
	return narrow
}

// widens reports whether every engine reads values of one type as the other.
func widens(from, to quern.Type) bool {
	if from == to {
		return true
	}
	precision, scale, ok := from.DecimalSize()
	wider, same, both := to.DecimalSize()
	return ok && both && scale == same && precision <= wider
}
