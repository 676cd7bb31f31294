package opentable

import (
	"bytes"
	"compress/flate"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/apache/iceberg-go"
)

// A manifest is an Avro file of entries, one for each data file. iceberg-go makes Avro's schema of entries anew for
// every manifest that it writes, which takes longer than all else of a small table. It is the same for all tables, for
// none has partitions; so entries are encoded by iceberg-go, which keeps the schema for that, and the file is written
// here.

const (
	avroMagic = "Obj\x01"
	syncBytes = 16
	// smallBlock is the most bytes of entries that are not worth packing.
	smallBlock = 4 << 10
)

// entrySchema is Avro's schema of the entries of manifests, as iceberg-go writes it.
var entrySchema = sync.OnceValues(func() ([]byte, error) {
	version := int64(1)
	file, err := iceberg.NewDataFileBuilder(*iceberg.UnpartitionedSpec, iceberg.EntryContentData, "s3://b/k", iceberg.ParquetFile, nil, nil, nil, 1, 1)
	if err != nil {
		return nil, err
	}
	entry := iceberg.NewManifestEntry(iceberg.EntryStatusADDED, &version, nil, nil, file.Build())
	var body bytes.Buffer
	if _, err := iceberg.WriteManifest("s3://b/m", &body, 2, *iceberg.UnpartitionedSpec, iceberg.NewSchema(0), version,
		[]iceberg.ManifestEntry{entry}); err != nil {
		return nil, err
	}
	head, err := readAvroHead(&body)
	return head["avro.schema"], err
})

// readAvroHead reads what an Avro file says of itself.
func readAvroHead(r *bytes.Buffer) (map[string][]byte, error) {
	if string(r.Next(len(avroMagic))) != avroMagic {
		return nil, errors.New("opentable: iceberg-go wrote no Avro file")
	}
	head := map[string][]byte{}
	text := func() ([]byte, error) {
		n, err := binary.ReadVarint(r)
		if err != nil || n < 0 || n > int64(r.Len()) {
			return nil, errors.Join(err, io.ErrUnexpectedEOF)
		}
		return slices.Clone(r.Next(int(n))), nil
	}
	for {
		n, err := binary.ReadVarint(r)
		if err != nil || n == 0 {
			return head, err
		}
		if n < 0 { // with the bytes of the block behind it
			n = -n
			if _, err := binary.ReadVarint(r); err != nil {
				return nil, err
			}
		}
		for range n {
			key, err := text()
			if err != nil {
				return nil, err
			}
			if head[string(key)], err = text(); err != nil {
				return nil, err
			}
		}
	}
}

// manifestBody writes a manifest of files that a version added.
func manifestBody(schema *iceberg.Schema, version int64, files []iceberg.DataFile) ([]byte, error) {
	avroSchema, err := entrySchema()
	if err != nil {
		return nil, err
	}
	columns, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	entries, err := appendEntries(nil, schema, version, files)
	if err != nil {
		return nil, err
	}
	codec := "null"
	if len(entries) > smallBlock {
		codec = "deflate"
		if entries, err = deflated(entries); err != nil {
			return nil, err
		}
	}
	head := map[string][]byte{
		"avro.schema": avroSchema, "avro.codec": []byte(codec), "schema": columns, "schema-id": []byte(strconv.Itoa(schema.ID)),
		"partition-spec": []byte("[]"), "partition-spec-id": []byte(strconv.Itoa(iceberg.UnpartitionedSpec.ID())),
		"format-version": []byte("2"), "content": []byte(iceberg.ManifestContentData.String()),
	}
	body := binary.AppendVarint([]byte(avroMagic), int64(len(head)))
	for _, key := range slices.Sorted(maps.Keys(head)) {
		body = appendAvroText(appendAvroText(body, []byte(key)), head[key])
	}
	body = append(body, 0)
	mark := make([]byte, syncBytes)
	_, _ = rand.Read(mark) // never fails
	body = append(body, mark...)
	body = appendAvroText(binary.AppendVarint(body, int64(len(files))), entries)
	return append(body, mark...), nil
}

func appendAvroText(b, text []byte) []byte {
	return append(binary.AppendVarint(b, int64(len(text))), text...)
}

// unversioned is how entries of files begin that name no version: the status, and three numbers that are null.
var unversioned = []byte{2, 0, 0, 0}

// appendEntries appends the entries of files, with the version that added them.
func appendEntries(b []byte, schema *iceberg.Schema, version int64, files []iceberg.DataFile) ([]byte, error) {
	for _, f := range files {
		encoder, ok := f.(iceberg.AvroEntryMarshaler)
		if !ok {
			return nil, fmt.Errorf("opentable: %T cannot be encoded", f)
		}
		entry, err := encoder.MarshalAvroEntry(*iceberg.UnpartitionedSpec, schema, 2)
		if err != nil {
			return nil, fmt.Errorf("opentable: entry: %w", err)
		}
		rest, ok := bytes.CutPrefix(entry, unversioned)
		if !ok {
			return nil, errors.New("opentable: iceberg-go encodes entries in another way")
		}
		b = binary.AppendVarint(append(b, unversioned[0], 2), version) // the second of null and a number
		b = append(append(b, 0, 0), rest...)
	}
	return b, nil
}

func deflated(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}
