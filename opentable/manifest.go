package opentable

import (
	"bytes"
	"fmt"
	"runtime"

	"github.com/apache/iceberg-go"
	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
)

// manifestFiles is how many data files one manifest lists at most.
const manifestFiles = 1000

// fileKeys are the keys of what lists so many segments: manifests, and behind them the list
// of those; none where there are no segments, which some readers take for an error.
func fileKeys(segments int, folder string) (keys []string) {
	if segments == 0 {
		return nil
	}
	for range (segments + manifestFiles - 1) / manifestFiles {
		keys = append(keys, folder+quern.NewID[string]()+"-m.avro")
	}
	return append(keys, folder+quern.NewID[string]()+"-list.avro")
}

// files lists the segments of a version in objects of the keys that fileKeys made for them.
// at makes the place of a key that readers are told.
func files(s quern.Snapshot, schema *iceberg.Schema, fields []quern.Field, keys []string, at func(key string) string) ([]blob.Object, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	version := s.Dataset.Version
	objects, list := make([]blob.Object, len(keys)), make([]iceberg.ManifestFile, len(keys)-1)
	var made errgroup.Group
	made.SetLimit(runtime.GOMAXPROCS(0))
	for n, key := range keys[:len(keys)-1] {
		start := n * manifestFiles
		some := s.Segments[start:min(start+manifestFiles, len(s.Segments))]
		made.Go(func() error {
			listed, rows, err := dataFiles(some, fields, at)
			if err != nil {
				return err
			}
			body, err := manifestBody(schema, version, listed)
			if err != nil {
				return fmt.Errorf("opentable: manifest: %w", err)
			}
			list[n] = iceberg.NewManifestFile(2, at(key), int64(len(body)), int32(iceberg.UnpartitionedSpec.ID()), version).
				AddedFiles(int32(len(listed))).AddedRows(rows).Partitions([]iceberg.FieldSummary{}).Build()
			objects[n] = blob.Object{Key: key, Body: body}
			return nil
		})
	}
	if err := made.Wait(); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := iceberg.WriteManifestList(2, &body, version, nil, &version, 0, list); err != nil {
		return nil, fmt.Errorf("opentable: list of manifests: %w", err)
	}
	objects[len(keys)-1] = blob.Object{Key: keys[len(keys)-1], Body: body.Bytes()}
	return objects, nil
}

// dataFiles describes segments, and counts their rows.
func dataFiles(segments []quern.Segment, fields []quern.Field, at func(string) string) (all []iceberg.DataFile, rows int64, err error) {
	byName := make(map[string]quern.Field, len(fields))
	for _, f := range fields {
		byName[quern.NameKey(f.Name)] = f
	}
	all = make([]iceberg.DataFile, len(segments))
	for i, s := range segments {
		builder, err := iceberg.NewDataFileBuilder(*iceberg.UnpartitionedSpec, iceberg.EntryContentData, at(s.Key), iceberg.ParquetFile,
			nil, nil, nil, s.Rows, s.Bytes)
		if err != nil {
			return nil, 0, fmt.Errorf("opentable: data file: %w", err)
		}
		describe(builder, s, byName)
		all[i] = builder.Build()
		rows += s.Rows
	}
	return all, rows, nil
}

// describe adds what is known of the values of a segment. A column that it lacks is
// null in every row.
func describe(file *iceberg.DataFileBuilder, s quern.Segment, byName map[string]quern.Field) {
	if len(s.Bounds) != len(s.Columns) {
		return
	}
	values, nulls := map[int]int64{}, map[int]int64{}
	lower, upper := map[int][]byte{}, map[int][]byte{}
	for i, c := range s.Columns {
		f, ok := byName[quern.NameKey(c.Name)]
		if !ok {
			continue
		}
		values[f.ID], nulls[f.ID] = s.Rows, s.Bounds[i].Nulls
		low, okLow := bound(s.Bounds[i].Min, c.Type, false)
		high, okHigh := bound(s.Bounds[i].Max, c.Type, true)
		if okLow && okHigh {
			lower[f.ID], upper[f.ID] = low, high
		}
	}
	file.ValueCounts(values).NullValueCounts(nulls).LowerBoundValues(lower).UpperBoundValues(upper)
}
