package ingest

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"quern/ingest/format"
)

// peekRows and peekBytes bound how much of a JSON file is looked at for the names of
// its columns.
const peekRows, peekBytes = 100, 1 << 20

// peekNames returns the names of members of the first rows of a JSON file, as far as
// they can be read.
func peekNames(path string) (names []string, err error) {
	in, closer, err := format.OpenText(path, nil)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	dec := jsontext.NewDecoder(io.LimitReader(in, peekBytes))
	if dec.PeekKind() == '[' {
		if _, err := dec.ReadToken(); err != nil {
			return nil, nil
		}
	}
	seen := map[string]bool{}
	for range peekRows {
		if dec.PeekKind() != '{' {
			break
		}
		row, err := dec.ReadValue()
		if err != nil {
			break // what is wrong shows when it is read
		}
		for _, name := range memberNames(row) {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// memberNames returns the names of an object's members.
func memberNames(object jsontext.Value) (names []string) {
	for at := skipSpace(object, 1); object[at] != '}'; {
		end := stringEnd(object, at)
		if name, err := jsontext.AppendUnquote(nil, object[at:end]); err == nil {
			names = append(names, string(name))
		}
		at = skipSpace(object, skipSpace(object, end)+1)
		if at = skipSpace(object, valueEnd(object, at)); object[at] == ',' {
			at = skipSpace(object, at+1)
		}
	}
	return names
}
