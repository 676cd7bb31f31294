package opentable

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/apache/iceberg-go"

	"quern"
	"quern/store"
)

// Metadata describes a table as Iceberg's format 2 does.
type Metadata struct {
	FormatVersion      int               `json:"format-version"`
	UUID               string            `json:"table-uuid"`
	Location           string            `json:"location"`
	LastSequenceNumber int64             `json:"last-sequence-number"`
	LastUpdated        int64             `json:"last-updated-ms"`
	LastColumnID       int               `json:"last-column-id"`
	CurrentSchemaID    int64             `json:"current-schema-id"`
	Schemas            []*iceberg.Schema `json:"schemas"`
	DefaultSpecID      int               `json:"default-spec-id"`
	Specs              []spec            `json:"partition-specs"`
	LastPartitionID    int               `json:"last-partition-id"`
	DefaultOrderID     int               `json:"default-sort-order-id"`
	Orders             []order           `json:"sort-orders"`
	Properties         map[string]string `json:"properties"`
	CurrentSnapshotID  int64             `json:"current-snapshot-id"`
	Snapshots          []snapshot        `json:"snapshots"`
	SnapshotLog        []logged          `json:"snapshot-log"`
	MetadataLog        []json.RawMessage `json:"metadata-log"`
	Refs               map[string]ref    `json:"refs"`
}

type spec struct {
	ID     int      `json:"spec-id"`
	Fields []string `json:"fields"`
}

type order struct {
	ID     int      `json:"order-id"`
	Fields []string `json:"fields"`
}

type snapshot struct {
	ID             int64   `json:"snapshot-id"`
	SequenceNumber int64   `json:"sequence-number"`
	Timestamp      int64   `json:"timestamp-ms"`
	ManifestList   string  `json:"manifest-list"`
	Summary        summary `json:"summary"`
	SchemaID       int64   `json:"schema-id"`
}

// summary tells of a snapshot; Iceberg writes its numbers as texts.
type summary struct {
	Operation       string `json:"operation"`
	Records         int64  `json:"total-records,string"`
	DataFiles       int64  `json:"total-data-files,string"`
	Bytes           int64  `json:"total-files-size,string"`
	DeleteFiles     int64  `json:"total-delete-files,string"`
	PositionDeletes int64  `json:"total-position-deletes,string"`
	EqualityDeletes int64  `json:"total-equality-deletes,string"`
}

type logged struct {
	ID        int64 `json:"snapshot-id"`
	Timestamp int64 `json:"timestamp-ms"`
}

type ref struct {
	ID   int64  `json:"snapshot-id"`
	Type string `json:"type"`
}

// noSnapshot is the id of the current snapshot of a table that has none.
const noSnapshot = -1

// partitionIDs is where the ids of partition fields begin; there are none below.
const partitionIDs = 999

// table is what metadata are made of.
type table struct {
	dataset  quern.Dataset
	known    []quern.Field     // every column that it has or had
	fields   []quern.Field     // the columns that readers see by default
	schemaID int64             // of fields
	versions []store.Published // that are kept, oldest first
	served   int64             // the version that readers see by default
	current  int64             // the same; 0 when it has no rows
	place    func(key string) string
}

func (t table) metadata() Metadata {
	m := Metadata{
		FormatVersion: 2, UUID: string(t.dataset.ID), Location: t.place(folder(t.dataset.ID)),
		LastUpdated: t.dataset.DataChangedAt.UnixMilli(), LastColumnID: len(t.known), CurrentSchemaID: t.schemaID,
		Specs: []spec{{Fields: []string{}}}, LastPartitionID: partitionIDs, Orders: []order{{Fields: []string{}}},
		Properties: t.properties(), CurrentSnapshotID: noSnapshot,
		Snapshots: []snapshot{}, SnapshotLog: []logged{}, MetadataLog: []json.RawMessage{}, Refs: map[string]ref{},
		LastSequenceNumber: t.dataset.Version,
	}
	schemas := map[int64]bool{}
	addSchema := func(id int64, fields []quern.Field) {
		if !schemas[id] {
			schemas[id] = true
			m.Schemas = append(m.Schemas, schemaOf(id, fields))
		}
	}
	last := time.Time{}
	for _, v := range t.versions {
		if addSchema(v.SchemaID, v.Fields); v.Manifests == "" {
			continue // it had no rows
		}
		if v.CommittedAt.Before(last) {
			v.CommittedAt = last // clocks differ; the log must not go back
		}
		last = v.CommittedAt
		s := t.snapshot(v)
		m.Snapshots = append(m.Snapshots, s)
		if v.Version <= t.current {
			m.SnapshotLog = append(m.SnapshotLog, logged{s.ID, s.Timestamp})
		}
		m.LastUpdated = max(m.LastUpdated, s.Timestamp)
	}
	addSchema(t.schemaID, t.fields)
	if t.current > 0 {
		m.CurrentSnapshotID = t.current
		m.Refs["main"] = ref{t.current, "branch"}
	} else {
		// DuckDB reads the last snapshot that is listed where none is the current one.
		m.Snapshots, m.SnapshotLog = []snapshot{}, []logged{}
	}
	return m
}

// Version is the version that readers see by default; 0 when it has no rows.
func (m Metadata) Version() int64 { return max(m.CurrentSnapshotID, 0) }

// Referenced is the metadata with those snapshots alone that a branch leads to.
func (m Metadata) Referenced() Metadata {
	led := map[int64]bool{}
	for _, r := range m.Refs {
		led[r.ID] = true
	}
	m.Snapshots = slices.DeleteFunc(slices.Clone(m.Snapshots), func(s snapshot) bool { return !led[s.ID] })
	m.SnapshotLog = slices.DeleteFunc(slices.Clone(m.SnapshotLog), func(l logged) bool { return !led[l.ID] })
	return m
}

func (t table) snapshot(v store.Published) snapshot {
	return snapshot{
		ID: v.Version, SequenceNumber: v.Version, Timestamp: v.CommittedAt.UnixMilli(), ManifestList: t.place(v.Manifests), SchemaID: v.SchemaID,
		// Every version lists all of its files: none goes on from another.
		Summary: summary{Operation: "overwrite", Records: v.Rows, DataFiles: v.Files, Bytes: v.Bytes},
	}
}

// The properties that tell of a table what Iceberg does not.
const (
	propertyVersion = "quern.version" // of the dataset now
	propertyLag     = "quern.lag"     // how many versions the one that is served lies behind
)

func (t table) properties() map[string]string {
	named := [][]quern.Field{t.fields}
	for _, v := range t.versions {
		named = append(named, v.Fields)
	}
	all := map[string]string{
		"schema.name-mapping.default": nameMapping(named...),
		propertyVersion:               strconv.FormatInt(t.dataset.Version, 10),
		propertyLag:                   strconv.FormatInt(t.dataset.Version-t.served, 10),
	}
	for _, f := range t.fields {
		if f.Type == quern.JSON {
			all["write.metadata.metrics.column."+f.Name] = "none"
		}
	}
	return all
}

// schemaFor returns the id of a schema: that of a version that has the same one, or
// the next.
func schemaFor(versions []store.Published, fields []quern.Field) int64 {
	next := int64(0)
	for _, v := range slices.Backward(versions) {
		if slices.Equal(v.Fields, fields) {
			return v.SchemaID
		}
		next = max(next, v.SchemaID+1)
	}
	return next
}

// folder is where the objects of a dataset lie.
func folder(id quern.DatasetID) string { return tables + string(id) }

// tables is what the keys of all objects of tables begin with.
const tables = "tables/"
