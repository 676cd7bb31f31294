package opentable

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/apache/iceberg-go"

	"quern"
)

// TestManifestsAreThoseOfIceberg holds manifests of one file and of many, packed ones, against those that iceberg-go writes of
// the same files: its own reader finds the same in both.
func TestManifestsAreThoseOfIceberg(t *testing.T) {
	t.Parallel()
	fields := []quern.Field{{ID: 1, Column: quern.Column{Name: "n", Type: quern.Integer}}, {ID: 2, Column: quern.Column{Name: "Ort, groß", Type: quern.Text}}}
	schema := schemaOf(3, fields)
	for _, count := range []int{1, 500} {
		var segments []quern.Segment
		for i := range count {
			segments = append(segments, quern.Segment{
				Key: fmt.Sprintf("tables/d/%d.parquet", i), Rows: int64(i + 1), Bytes: 1000,
				Columns: []quern.Column{{Name: "n", Type: quern.Integer}, {Name: "Ort, groß", Type: quern.Text}},
				Bounds:  []quern.Bounds{{Min: "1", Max: "9"}, {Nulls: 1, Min: "a", Max: "ö"}},
			})
		}
		files, rows, err := dataFiles(segments, fields, func(key string) string { return "s3://b/" + key })
		if err != nil || rows != int64(count*(count+1)/2) {
			t.Fatalf("dataFiles() = %d rows, %v", rows, err)
		}
		ours, err := manifestBody(schema, 7, files)
		if err != nil {
			t.Fatal(err)
		}
		version := int64(7)
		entries := make([]iceberg.ManifestEntry, count)
		for i, f := range files {
			entries[i] = iceberg.NewManifestEntry(iceberg.EntryStatusADDED, &version, nil, nil, f)
		}
		var theirs bytes.Buffer
		if _, err := iceberg.WriteManifest("s3://b/m", &theirs, 2, *iceberg.UnpartitionedSpec, schema, version, entries); err != nil {
			t.Fatal(err)
		}
		if got, want := readManifest(t, ours), readManifest(t, theirs.Bytes()); got != want || len(want) < 100*count {
			t.Errorf("a manifest of %d files =\n%.2000s\nwant\n%.2000s", count, got, want)
		}
	}
}

// readManifest prints what iceberg-go reads in a manifest.
func readManifest(t *testing.T, body []byte) string {
	t.Helper()
	head, err := readAvroHead(bytes.NewBuffer(body))
	if err != nil {
		t.Fatal(err)
	}
	about := iceberg.NewManifestFile(2, "s3://b/m", int64(len(body)), 0, 7).SequenceNum(7, 7).Build()
	entries, err := iceberg.ReadManifest(about, bytes.NewReader(body), false)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%s %s %s %s\n", head["schema"], head["schema-id"], head["partition-spec"], head["content"])
	for _, e := range entries {
		f := e.DataFile()
		text += fmt.Sprintln(e.Status(), e.SnapshotID(), f.FilePath(), f.Count(), f.FileSizeBytes(), f.ValueCounts(), f.NullValueCounts(), f.LowerBoundValues(), f.UpperBoundValues())
	}
	return text
}
