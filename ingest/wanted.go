package ingest

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"quern"
	"quern/catalog"
	"quern/ingest/format"
)

// wantedColumns is how a request wants columns of its files to be read.
type wantedColumns struct {
	options map[string]quern.ColumnOption // by looseKey
	names   map[string]string             // as the request writes them
	seen    map[string]bool               // those that some table has
	known   map[string]bool               // names of all columns, for messages
}

func newWantedColumns(options map[string]quern.ColumnOption) wantedColumns {
	w := wantedColumns{map[string]quern.ColumnOption{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
	for name, o := range options {
		w.options[wantedKey(name)], w.names[wantedKey(name)] = o, name
	}
	return w
}

// wantedKey is how the names of columns are compared; those without a letter or digit
// are taken as they are.
func wantedKey(name string) string {
	if key := looseKey(name); key != "" {
		return key
	}
	return name
}

// of returns what is wanted of a column that the file calls original and the dataset
// name.
func (w *wantedColumns) of(original, name string) quern.ColumnOption {
	if len(w.options) == 0 {
		return quern.ColumnOption{}
	}
	w.known[name] = true
	for _, key := range []string{wantedKey(original), wantedKey(name)} {
		if o, ok := w.options[key]; ok {
			w.seen[key] = true
			return o
		}
	}
	return quern.ColumnOption{}
}

// maxNamed is how many columns a message names.
const maxNamed = 20

// missing refuses a request that speaks of columns that no table has.
func (w *wantedColumns) missing() error {
	for _, key := range slices.Sorted(maps.Keys(w.options)) {
		if !w.seen[key] {
			known := slices.Sorted(maps.Keys(w.known))
			list := strings.Join(known[:min(len(known), maxNamed)], ", ")
			if len(known) > maxNamed {
				list += ", …"
			}
			return refused("columns: %s is no column of the files, which have %s", quoteShort(w.names[key]), list)
		}
	}
	return nil
}

// typedOnly refuses what cannot be wanted of a file whose values have types of their
// own.
func typedOnly(o quern.ColumnOption, name string) error {
	if o.Type != "" && o.Type != quern.Text || o.DateOrder != "" || o.Decimal != "" {
		return refused("columns: %s: the file's values have types of their own, of which only text can be made", quoteShort(name))
	}
	return nil
}

// asWanted sets the shapes of columns of typed values to what is wanted of them.
func (r *reading) asWanted(originals []string, batch []catalog.Batch) error {
	for i := range batch {
		o := r.wanted.of(originals[i], batch[i].Name)
		if err := typedOnly(o, batch[i].Name); err != nil {
			return err
		}
		if o.Type == quern.Text {
			batch[i].Shape = catalog.Shape{Type: quern.Text}
		}
	}
	return nil
}

// candidates are the forms that a column with an option may have, the best first.
func candidates(o quern.ColumnOption) (all []form) {
	numeric := o.Type == quern.Integer || o.Type == quern.Double
	if numeric || o.Type == "" && o.Decimal != "" {
		if o.Decimal != "," {
			all = append(all, pointNumber, pointSpaced)
		}
		if o.Decimal != "." {
			all = append(all, commaNumber, commaSpaced)
		}
		return all
	}
	if o.Type == quern.Boolean {
		return []form{asBoolean}
	}
	if o.Type == quern.Text || o.Type == "" && o.DateOrder == "" {
		return nil
	}
	return dateCandidates(o)
}

// dateCandidates are the forms of dates and times in the order that is wanted. A day is
// an instant too.
func dateCandidates(o quern.ColumnOption) (all []form) {
	var days, times []form
	for f := yearMonthDay; f < withTime; f++ {
		if o.DateOrder == "" || dateOrder(f) == o.DateOrder {
			days, times = append(days, f), append(times, f+withTime-yearMonthDay)
		}
	}
	switch o.Type {
	case quern.Date:
		return days
	case quern.Timestamp:
		return append(times, days...)
	}
	return append(days, times...)
}

// dateOrder is the order in which a form of dates writes them.
func dateOrder(f form) string {
	switch f {
	case yearMonthDay:
		return "ymd"
	case monthDayYear, monthDash, monthName, monthShort:
		return "mdy"
	}
	return "dmy"
}

// chooseWanted decides the form of a column that something is wanted of: the one that
// most of its values have. ok is false where the values should decide after all.
func (c *column) chooseWanted(o quern.ColumnOption, decimalComma bool) (f form, ok bool) {
	if o.Type == quern.Text {
		return noForm, true
	}
	all := candidates(o)
	if len(all) == 0 {
		return noForm, false
	}
	if decimalComma && o.Decimal == "" && all[0] == pointNumber {
		all[0], all[2] = all[2], all[0]
	}
	best := all[0]
	for _, f := range all[1:] {
		if c.counts[f] > c.counts[best] {
			best = f
		}
	}
	if o.Type == "" && c.counts[best] < c.values {
		return noForm, false
	}
	return best, true
}

// wantedShape is the shape of a column's values where a type is wanted of them.
func wantedShape(s catalog.Shape, want quern.Type) catalog.Shape {
	switch want {
	case "":
		return s
	case quern.Integer:
		return catalog.Shape{Type: quern.Integer, Digits: quern.Digits{Whole: max(1, s.Whole)}}
	case quern.Double:
		return catalog.Shape{Type: quern.Double, Digits: s.Digits}
	}
	return catalog.Shape{Type: want}
}

// asNumber takes the zeros off text that is wanted to be a number.
func asNumber(text []byte) []byte {
	sign := 0
	if len(text) > 0 && text[0] == '-' {
		sign = 1
	}
	rest := text[sign:]
	for len(rest) > 1 && rest[0] == '0' && digit(rest[1]) {
		rest = rest[1:]
	}
	switch {
	case len(rest)+sign == len(text):
		return text
	case sign == 1:
		return append([]byte{'-'}, rest...)
	}
	return rest
}

// asInteger takes the fraction off a number in JSON that has none; ok is false when it
// has one.
func asInteger(number []byte) (_ []byte, ok bool) {
	whole, fraction, _ := bytes.Cut(number, []byte{'.'})
	if bytes.ContainsAny(number, "eE") || len(bytes.Trim(fraction, "0")) > 0 {
		return number, false
	}
	return whole, true
}

// chosen returns the tables that the request asks for.
func (r *reading) chosen(tables []format.Table, kind format.Kind) (chosen []format.Table, err error) {
	name := r.job.Options.Sheet
	if name == "" || !kind.HasSheets() {
		return tables, nil
	}
	var others []string
	for _, t := range tables {
		if strings.EqualFold(t.Sheet, name) {
			chosen = append(chosen, t)
		}
		if len(others) < maxNamed && !slices.Contains(others, t.Sheet) {
			others = append(others, t.Sheet)
		}
	}
	if len(chosen) == 0 {
		return nil, refused("has no sheet %s that holds something; it has %s", quoteShort(name), strings.Join(others, ", "))
	}
	return chosen, nil
}
