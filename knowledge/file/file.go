// Package file owns the files that knowledge comes from and goes to: our own YAML,
// lists of words, and the semantic models of others.
//
// It never talks to a server and never decides what holds: what it reads is a
// knowledge.Document like any other, and a list of what it could not take over. The
// failure it is built around is the hostile file: anchors that multiply, depth, size.
package file

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"quern/knowledge"
)

// Format is the form of a file.
type Format string

// The forms.
const (
	Auto      Format = "auto" // by its name and content
	Quern     Format = "quern"
	CSV       Format = "csv"
	Ossie     Format = "ossie"
	Snowflake Format = "snowflake"
	PowerBI   Format = "powerbi"
)

const (
	// maxFile is the most bytes of a file.
	maxFile = 4 << 20
	// maxDepth is how deep a file nests.
	maxDepth = 40
	// maxNodes is how many values it has.
	maxNodes = 500_000
)

// Content is what a file says.
type Content struct {
	Document knowledge.Document
	Lost     []string // what could not be taken over
}

func (c *Content) lose(format string, args ...any) {
	c.Lost = append(c.Lost, fmt.Sprintf(format, args...))
}

// Read reads a file of a name.
func Read(r io.Reader, name string, format Format) (Content, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return Content{}, err
	case len(data) > maxFile:
		return Content{}, fmt.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	if format == CSV || format == Auto && strings.EqualFold(filepath.Ext(name), ".csv") {
		return readWords(data)
	}
	node, err := load(data)
	if err != nil {
		return Content{}, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if format == Auto {
		format = formOf(node)
	}
	read, ok := readers[format]
	if !ok {
		return Content{}, fmt.Errorf("there is no format %q; there are quern, csv, ossie, snowflake and powerbi", format)
	}
	content, err := read(node)
	if err != nil {
		return content, fmt.Errorf("%s: %w", name, err)
	}
	return content, nil
}

var readers = map[Format]func(*yaml.Node) (Content, error){
	Quern: readOwn, Ossie: readOssie, Snowflake: readSnowflake, PowerBI: readLinguistic,
}

// load parses YAML, or JSON, which is YAML too. Anchors are refused: with them a
// small file means a large one.
func load(data []byte) (*yaml.Node, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	n := 0
	if err := bound(&root, 0, &n); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, fmt.Errorf("it is empty")
	}
	return root.Content[0], nil
}

func bound(node *yaml.Node, depth int, n *int) error {
	*n++
	switch {
	case node.Kind == yaml.AliasNode || node.Anchor != "":
		return fmt.Errorf("line %d has an anchor or an alias, which are not taken", node.Line)
	case depth > maxDepth:
		return fmt.Errorf("line %d nests deeper than %d levels", node.Line, maxDepth)
	case *n > maxNodes:
		return fmt.Errorf("it has more than %d values", maxNodes)
	}
	for _, inner := range node.Content {
		if err := bound(inner, depth+1, n); err != nil {
			return err
		}
	}
	return nil
}

// formOf tells forms apart by their members.
func formOf(node *yaml.Node) Format {
	has := func(name string) bool { return member(node, name) != nil }
	switch {
	case has("semantic_model") || has("version") && has("datasets") && !has("quern"):
		return Ossie
	case has("tables"):
		return Snowflake
	case has("Entities"):
		return PowerBI
	}
	return Quern
}

// member returns a member of a mapping; nil when it has none of the name.
func member(node *yaml.Node, name string) *yaml.Node {
	for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return nil
}

// version is that of our own form.
const version = 1

// readOwn reads our own form, every member of which must be known.
func readOwn(node *yaml.Node) (Content, error) {
	var members map[string]any
	if err := node.Decode(&members); err != nil {
		return Content{}, err
	}
	if v, ok := members["quern"]; ok && v != version {
		return Content{}, fmt.Errorf("it is of version %v, and this program reads version %d", v, version)
	}
	delete(members, "quern")
	text, err := json.Marshal(members)
	if err != nil {
		return Content{}, err
	}
	var c Content
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c.Document); err != nil {
		return c, fmt.Errorf("it is not of the expected form: %w", err)
	}
	return c, nil
}

// Write writes a document in our own form.
func Write(w io.Writer, d knowledge.Document) error {
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(struct {
		Quern              int `yaml:"quern"`
		knowledge.Document `yaml:",inline"`
	}{version, d}); err != nil {
		return err
	}
	return encoder.Close()
}

// readWords reads a list of words: word, means and, if there is such a column, value.
func readWords(data []byte) (Content, error) {
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil {
		return Content{}, err
	}
	if len(rows) == 0 {
		return Content{}, fmt.Errorf("it is empty")
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[strings.ToLower(strings.TrimSpace(name))] = i
	}
	word, hasWord := at["word"]
	means, hasMeans := at["means"]
	if !hasWord || !hasMeans {
		return Content{}, fmt.Errorf("its first line must name the columns word and means, and may name value")
	}
	value, hasValue := at["value"]
	var c Content
	for n, row := range rows[1:] {
		if len(row) <= max(word, means) || strings.TrimSpace(row[word]) == "" || strings.TrimSpace(row[means]) == "" {
			c.lose("line %d: a word or what it means is missing", n+2)
			continue
		}
		w := knowledge.Word{Word: strings.TrimSpace(row[word]), Means: strings.TrimSpace(row[means])}
		if hasValue && value < len(row) && row[value] != "" {
			w.Value = &row[value]
		}
		c.Document.Words = append(c.Document.Words, w)
	}
	return c, nil
}
