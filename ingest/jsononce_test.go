package ingest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"quern"
	"quern/catalog"
	"quern/ingest"
)

// jsonKinds make values of a kind.
var jsonKinds = []func(r *rand.Rand) string{
	func(r *rand.Rand) string { return fmt.Sprint(r.IntN(1000)) },
	func(r *rand.Rand) string { return fmt.Sprint(-r.IntN(1_000_000)) },
	func(r *rand.Rand) string { return fmt.Sprintf("%.2f", r.Float64()*100) },
	func(r *rand.Rand) string { return []string{"0.0", "12", "-0.5", "1234.0625", "7.50"}[r.IntN(5)] },
	func(r *rand.Rand) string { return fmt.Sprint(r.IntN(2) == 0) },
	func(r *rand.Rand) string { return fmt.Sprintf(`"2024-%02d-%02d"`, 1+r.IntN(12), 1+r.IntN(28)) },
	func(r *rand.Rand) string {
		return fmt.Sprintf(`"2024-01-%02dT10:%02d:00%s"`, 1+r.IntN(28), r.IntN(60), []string{"Z", ".5Z", "+02:00", ".123456-11:30"}[r.IntN(4)])
	},
	func(r *rand.Rand) string {
		return []string{`"word"`, `"two words, \"quoted\""`, `""`, `"grüße 東京"`, `"\u00e9\ud83d\ude00 \n"`, `"a/b\/c"`, `"},{"`}[r.IntN(7)]
	},
}

// jsonChanges are values that come late in a column, and may change what it is.
var jsonChanges = []string{
	"null", "null", "7", "-0", "-0.0", "007", "1.0", "1.5", "123456789012345", "1234567890123456", "9223372036854775807", "9223372036854775808", "0.1234567890123456789",
	"1e3", "1E400", "12345678901234567.25", "true", "tru", `"true"`, `"7"`, `"2024-02-30"`, `"2024-02-29"`, `"2024-02-29T24:00:00Z"`, `"0001-01-01T00:00:00+05:00"`,
	`"9999-12-31T23:00:00-05:00"`, `"0900-01-01T00:00:00Z"`, `"2024-01-01T10:00:00"`, `"2024-01-01T10:00:00+15:00"`, `"2024-01-01T10:00:00.1234567Z"`, `"word"`, `""`, `"\u0000"`, `"\ud83d"`,
	`"\x"`, "\"\xff\"", "\"\t\"", `"cut`, "{}", `{"a":1,"b":{"c":[2]}}`, "[1,2]", "[]", `[{"a":1}]`, `"` + strings.Repeat("long ", 200) + `"`,
	"", "1 2", `1,"late":2`, `1,"other":"x"`, `1,"Column 0":2`, `1,"column 0":2`, `1,"__x":2`, `1,"\u0063olumn 0":2`,
}

// changingRow makes a row of columns, in some of which something changes.
type changingRow struct {
	columns          []int // their kinds
	change           string
	at, from         int
	nulls, spaces    int
	shuffled, sparse bool
}

func newChangingRow(r *rand.Rand, rows int) *changingRow {
	c := &changingRow{columns: r.Perm(len(jsonKinds))[:2+r.IntN(5)], change: jsonChanges[r.IntN(len(jsonChanges))], from: 20 + r.IntN(3*rows)}
	c.at, c.nulls, c.spaces = r.IntN(len(c.columns)), r.IntN(len(c.columns)+3), r.IntN(8)
	c.shuffled, c.sparse = r.IntN(4) == 0, r.IntN(3) == 0
	return c
}

func (c *changingRow) row(r *rand.Rand, row int) string {
	members := make([]string, 0, len(c.columns))
	colon, comma := ":", ","
	if c.spaces == 0 || c.spaces == 1 && r.IntN(10) == 0 {
		colon, comma = " :\t", " , "
	}
	for i, kind := range c.columns {
		value := jsonKinds[kind](r)
		switch {
		case i == c.nulls && row < c.from, r.IntN(12) == 0:
			value = "null"
		case i == c.at && row >= c.from && r.IntN(3) == 0:
			value = c.change
		case c.sparse && i > 0 && r.IntN(8) == 0:
			continue
		}
		members = append(members, fmt.Sprintf(`"column %d"%s%s`, i, colon, value))
	}
	if c.shuffled && r.IntN(5) == 0 {
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	return "{" + strings.Join(members, comma) + "}"
}

// changingLines makes a file of one object a line.
func changingLines(r *rand.Rand) []byte {
	end := []string{"\n", "\n", "\r\n"}[r.IntN(3)]
	rows := 80 + r.IntN(80)
	c := newChangingRow(r, rows)
	var b strings.Builder
	for row := range rows {
		b.WriteString(c.row(r, row))
		switch r.IntN(1000) {
		case 0:
			b.WriteString(" {}")
		case 1:
			b.WriteString(end + " \t" + end)
		case 2:
			b.WriteString(end + "[]")
		case 3:
			b.WriteString(end + "{}")
		}
		if row < rows-1 || r.IntN(2) == 0 {
			b.WriteString(end)
		}
	}
	return []byte(b.String())
}

// attempts counts what came of attempts to read something once.
type attempts struct{ done, givenUp int }

func (a *attempts) tell(done bool) {
	if done {
		a.done++
	} else {
		a.givenUp++
	}
}

// Lines that are learned and written in one reading are what two readings make of them.
func TestReadingLinesOnceMakesTheSame(t *testing.T) {
	t.Parallel()
	once, twice := newFileHouse(t), newFileHouse(t)
	var tried attempts
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 12))
		block := 200 + r.IntN(500)
		once.ingest.ReadOnce(block, tried.tell)
		twice.ingest.ReadTwice(block)
		name := fmt.Sprint("d", seed/2) // every other text comes behind one
		text, o := changingLines(r), quern.IngestionOptions{}
		if seed%8 == 0 {
			o.OnError = quern.Quarantine
		}
		if got, want := once.outcome(name, o, file{"a.ndjson", text}), twice.outcome(name, o, file{"a.ndjson", text}); got != want {
			t.Fatalf("ingest(%s), seed %d, read once =\n%s\nwant\n%s", text, seed, got, want)
		}
	}
	if tried.done < 20 || tried.givenUp < 10 {
		t.Errorf("of 120 texts %d were read once and %d tried in vain, want many of both", tried.done, tried.givenUp)
	}
	t.Logf("read once: %d, in vain: %d", tried.done, tried.givenUp)
}

// changingBody makes the body of a request, which may be broken at its end.
func changingBody(r *rand.Rand) string {
	rows := 80 + r.IntN(80)
	c := newChangingRow(r, rows)
	var b strings.Builder
	b.WriteString([]string{`{"data":[`, `{"name":"x","data":[`, ` { "data" : [ `}[r.IntN(3)])
	for row := range rows {
		if row > 0 {
			b.WriteString([]string{",", ",", " ,\n"}[r.IntN(3)])
		}
		if b.WriteString(c.row(r, row)); r.IntN(2000) == 0 {
			b.WriteString(",7")
		}
	}
	ends := []string{"]}", "]}", "]}", "]}", ` ] } `, `],"infer":{"x":[1]}}`, `],"steps":true}`, `],"name":"x"}`, `],"bad":true}`, "]", ",]}", "]}x", `],"data":[]}`}
	b.WriteString(ends[r.IntN(len(ends))])
	return b.String()
}

// bodyOutcome is all that comes of a body, sent twice under a key.
func (m *fileHouse) bodyOutcome(name, key, body string, cut bool) string {
	m.t.Helper()
	var told []any
	for range 2 {
		var in io.Reader = strings.NewReader(body)
		if cut {
			in = io.MultiReader(in, iotest.ErrReader(errors.New("cut off")))
		}
		n, err := m.ingest.Rows(m.t.Context(), m.ada, dataset(name), ingest.RowsRequest{Body: in, Key: key, Make: true, Guide: func(members []byte) (g quern.IngestGuide, err error) {
			told = append(told, string(members))
			if strings.Contains(string(members), "bad") {
				err = quern.E(quern.Invalid, quern.CodeInvalid, "a bad member")
			}
			if strings.Contains(string(members), "steps") {
				g.Steps = []quern.InferStep{{Type: quern.StepValidate, Mode: "fields", Columns: []string{"column 0"}}}
			}
			return g, err
		}})
		told = append(told, n, fmt.Sprint(err))
		if e, ok := errors.AsType[*quern.Error](err); ok {
			told = append(told, e.Kind, e.Code, e.Sub)
		}
	}
	if d, err := m.Catalog.Dataset(m.t.Context(), m.ada, dataset(name), catalog.Read); err == nil {
		told = append(told, d.Rows, d.NextRow, d.Columns, m.table(name))
	}
	text, err := json.MarshalIndent(told, "", " ")
	must(m.t, err)
	return string(text)
}

// Bodies that are learned and written in one reading are what two make of them.
func TestReadingBodiesOnceMakesTheSame(t *testing.T) {
	t.Parallel()
	once, twice := newFileHouse(t), newFileHouse(t)
	var tried attempts
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 13))
		block := 100 + r.IntN(100)
		once.ingest.ReadOnce(block, tried.tell)
		twice.ingest.ReadTwice(block)
		name, key, body, cut := fmt.Sprint("d", seed/2), "", changingBody(r), r.IntN(20) == 0
		if seed%3 == 0 {
			key = fmt.Sprint("key", seed)
		}
		if got, want := once.bodyOutcome(name, key, body, cut), twice.bodyOutcome(name, key, body, cut); got != want {
			t.Fatalf("Rows(%s), seed %d, read once =\n%s\nwant\n%s", body, seed, got, want)
		}
	}
	if tried.done < 20 || tried.givenUp < 10 {
		t.Errorf("of 120 bodies %d were read once and %d tried in vain, want many of both", tried.done, tried.givenUp)
	}
	t.Logf("read once: %d, in vain: %d", tried.done, tried.givenUp)
}
