package ingest_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"quern"
)

// Random rows come back as they went in, in their order, however their columns
// widen on the way and whatever is merged in between.
func TestRowsComeBackAsTheyWentIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			d := h.create(fmt.Sprint("set", seed))
			var sent []string
			for range 1 + random.IntN(4) {
				var rows []string
				for range 1 + random.IntN(30) {
					rows = append(rows, randomRow(random))
				}
				h.ingest(d, `{"data":[`+strings.Join(rows, ",")+`]}`, "")
				sent = append(sent, rows...)
			}
			compareRows(t, h, d, sent)
			if err := h.service.MergeSmall(t.Context(), time.Now().Add(time.Hour)); err != nil {
				t.Fatalf("MergeSmall() = %v, want nil", err)
			}
			compareRows(t, h, d, sent)
		})
	}
}

func compareRows(t *testing.T, h *house, d quern.DatasetPath, sent []string) {
	t.Helper()
	got := h.rows(d)
	if len(got) != len(sent) {
		t.Fatalf("%d rows came back, want %d", len(got), len(sent))
	}
	for i, text := range sent {
		var want map[string]any
		if err := decoder([]byte(text)).Decode(&want); err != nil {
			t.Fatal(err)
		}
		for name, value := range got[i] {
			if !same(want[name], value) {
				t.Errorf("row %d, %s = %#v, want %#v", i, name, value, want[name])
			}
			delete(want, name)
		}
		for name, value := range want {
			if value != nil {
				t.Errorf("row %d has no %s, want %#v", i, name, value)
			}
		}
	}
}

// same tells whether a value that was sent is the one that came back: equal, or
// the text of it in a column that widened.
func same(sent, got any) bool {
	if number, ok := sent.(json.Number); ok {
		text, isText := got.(string)
		if n, isNumber := got.(json.Number); isNumber {
			text, isText = n.String(), true
		}
		a, okA := new(big.Rat).SetString(number.String())
		b, okB := new(big.Rat).SetString(text)
		return isText && okA && okB && a.Cmp(b) == 0
	}
	if text, ok := sent.(string); ok {
		a, errA := time.Parse(time.RFC3339Nano, text)
		b, errB := time.Parse(time.RFC3339Nano, fmt.Sprint(got))
		return text == got || errA == nil && errB == nil && a.Equal(b)
	}
	if b, ok := sent.(bool); ok && got != sent {
		return got == strconv.FormatBool(b)
	}
	return reflect.DeepEqual(sent, got)
}

// randomRow makes a row of some of the columns, most of them of one kind.
func randomRow(random *rand.Rand) string {
	members := []string{`"id":` + strconv.FormatInt(random.Int64()-random.Int64(), 10)}
	for column, kind := range []func(*rand.Rand) string{
		randomBool, randomInteger, randomDouble, randomDecimal, randomDate, randomTime, randomText, randomNested, randomScalar, randomNumber,
	} {
		if random.IntN(8) == 0 {
			continue
		}
		value := kind(random)
		if random.IntN(8) == 0 {
			value = "null"
		}
		members = append(members, fmt.Sprintf(`"col%d":%s`, column, value))
	}
	random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

func randomBool(r *rand.Rand) string { return strconv.FormatBool(r.IntN(2) == 0) }

func randomInteger(r *rand.Rand) string {
	return strconv.FormatInt(int64(r.Uint64())>>r.IntN(64), 10)
}

func randomDouble(r *rand.Rand) string {
	f := math.Float64frombits(r.Uint64())
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = r.NormFloat64()
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	if r.IntN(2) == 0 {
		text = strconv.FormatFloat(r.NormFloat64()*1000, 'f', 1+r.IntN(10), 64)
	}
	return text
}

func randomDecimal(r *rand.Rand) string {
	return fmt.Sprintf("%d.%010d", r.Int64N(1e15), r.Int64N(1e10))
}

func randomDate(r *rand.Rand) string {
	return `"` + time.Unix(r.Int64N(4e9), 0).UTC().Format(time.DateOnly) + `"`
}

func randomTime(r *rand.Rand) string {
	zone := time.FixedZone("", r.IntN(24)*3600-12*3600)
	return `"` + time.UnixMicro(r.Int64N(4e15)).In(zone).Format(time.RFC3339Nano) + `"`
}

func randomText(r *rand.Rand) string {
	const letters = "abc\"\\ \n\té€😀'%,{}[]:\x7f\u2028"
	all, some := []rune(letters), []rune{}
	for range r.IntN(20) {
		some = append(some, all[r.IntN(len(all))])
	}
	text, err := json.Marshal(string(some))
	if err != nil {
		panic(err)
	}
	return string(text)
}

func randomNested(r *rand.Rand) string {
	switch r.IntN(4) {
	case 0:
		return "[" + randomScalar(r) + "," + randomNested(r) + "]"
	case 1:
		return `{"a b":` + randomScalar(r) + `,"c":` + randomNested(r) + "}"
	}
	return "[]"
}

func randomScalar(r *rand.Rand) string {
	kinds := []func(*rand.Rand) string{randomBool, randomInteger, randomText, randomDate}
	return kinds[r.IntN(len(kinds))](r)
}

func randomNumber(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return strconv.Itoa(r.IntN(1000))
	}
	return fmt.Sprintf("%d.%d", r.IntN(1000), r.IntN(1000))
}

func TestAKeyStoresOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.create("once")
	for range 3 {
		if n := h.ingest(d, `{"data":[{"a":1},{"a":2}]}`, "key"); n != 2 {
			t.Errorf("JSON() = %d, want 2", n)
		}
	}
	if n := len(h.rows(d)); n != 2 {
		t.Errorf("there are %d rows after the same request three times, want 2", n)
	}
	_, err := h.service.JSON(t.Context(), h.ada, d, strings.NewReader(`{"data":[{"a":3}]}`), "key")
	if !quern.Is(err, quern.Conflict) {
		t.Errorf("another request under the key = %v, want a Conflict", err)
	}
}
