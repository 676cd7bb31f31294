package structure

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"quern"
	"quern/english"
)

// The modes of validate: by regular expressions and looks alone; column by column;
// or whole rows, which must also be complete.
const (
	modeRegex  = "regex"
	modeFields = "fields"
	modeRows   = "rows"
)

// validateStep tells for each row whether it is valid.
type validateStep struct {
	about
	rules []rule
}

// rule is what a column's values must be.
type rule struct {
	column   string
	field    field
	pattern  *regexp.Regexp // nil: none is given
	min, max *float64
	beyond   bool // min and max are not values themselves
	choices  []string
	required bool
}

func newValidateStep(a about, schema map[string]string) (*validateStep, error) {
	s := &validateStep{about: a}
	if len(a.Columns) == 0 {
		return nil, invalid(quern.Fault("minItems", a.at("columns"), "must name a column"))
	}
	for _, column := range a.Columns {
		description := a.describe(column, schema)
		r, err := newRule(column, description)
		if err != nil {
			return nil, invalid(quern.Fault("pattern", a.at("columns"), "the description of "+quern.Clip(column, 80)+" has a regular expression that cannot be read"))
		}
		s.rules = append(s.rules, r)
	}
	return s, nil
}

// describe returns what is said of a column: by the definition, or by the step that
// brings columns to their names.
func (a *about) describe(column string, schema map[string]string) string {
	for _, some := range append([]map[string]string{schema}, targets(a.work.job.Steps)...) {
		for name, text := range some {
			if strings.EqualFold(name, column) && text != "" {
				return text
			}
		}
	}
	return ""
}

func targets(steps []quern.InferStep) (all []map[string]string) {
	for _, s := range steps {
		all = append(all, s.TargetCols)
	}
	return all
}

const numberText = `(?P<n>[-+]?\d[\d,]*(?:\.\d+)?)`

var (
	givenPattern = regexp.MustCompile(`(?i)(?:/(?P<slashed>\^?[^/\s][^/]*)/|(?:regex|regexp|regular expression|pattern|matches|matching|format)\s*:?\s*(?P<bare>\^\S*\$|[\[\\(]\S+))`)
	between      = regexp.MustCompile(`(?i)(?:between|from|range(?: of)?|scale(?: of| from)?)\s+(?P<low>[-+]?\d[\d,]*(?:\.\d+)?)\s*(?:and|to|[-–])\s*(?P<high>[-+]?\d[\d,]*(?:\.\d+)?)`)
	atLeast      = regexp.MustCompile(`(?i)(?:at least|minimum(?: of)?|min\.?|no less than|>=|≥)\s*` + numberText)
	atMost       = regexp.MustCompile(`(?i)(?:at most|maximum(?: of)?|max\.?|no more than|up to|<=|≤)\s*` + numberText)
	above        = regexp.MustCompile(`(?i)(?:greater than|more than|above|over|>)\s*` + numberText)
	below        = regexp.MustCompile(`(?i)(?:less than|fewer than|below|under|<)\s*` + numberText)
	oneOf        = regexp.MustCompile(`(?i)(?:one of|either|any of|must be|allowed values?(?: are)?:?)\s+(?P<list>[^.;()]+)`)
	sizedText    = regexp.MustCompile(`(?i)\b(?P<n>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)[ -](?P<of>digits?|letters?|characters?)\b`)
	notEmpty     = regexp.MustCompile(`(?i)\b(?:required|mandatory|never empty|not empty|must not be (?:empty|null))\b`)
	positive     = regexp.MustCompile(`(?i)\b(?P<not>non-?|not )?(?P<sign>positive|negative)\b`)
	smallNumbers = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10"}
)

// newRule reads what a description asks of values. It fails when a regular
// expression in it is none.
func newRule(column, description string) (rule, error) {
	r := rule{column: column, field: newField(column, description), required: notEmpty.MatchString(description)}
	if m, ok := english.Groups(givenPattern, description); ok {
		text := m.Text("slashed") + m.Text("bare")
		pattern, err := regexp.Compile(text)
		if err != nil {
			return r, err
		}
		r.pattern = pattern
		return r, nil
	}
	r.readRange(description)
	if m, ok := english.Groups(sizedText, description); ok && r.pattern == nil {
		n := m.Text("n")
		if spelled := smallNumbers[strings.ToLower(n)]; spelled != "" {
			n = spelled
		}
		class := map[byte]string{'d': `\d`, 'l': `\pL`, 'c': `.`}[strings.ToLower(m.Text("of"))[0]]
		r.pattern = regexp.MustCompile(`^` + class + `{` + n + `}$`)
	}
	if m, ok := english.Groups(oneOf, description); ok {
		for choice := range strings.SplitSeq(strings.NewReplacer(" or ", ",", " and ", ",", "/", ",").Replace(m.Text("list")), ",") {
			if choice = strings.Trim(strings.TrimSpace(choice), `"'`); choice != "" {
				r.choices = append(r.choices, strings.ToLower(choice))
			}
		}
		if len(r.choices) < 2 {
			r.choices = nil
		}
	}
	return r, nil
}

func (r *rule) readRange(text string) {
	limit := func(re *regexp.Regexp, group string) *float64 {
		m, ok := english.Groups(re, text)
		if !ok {
			return nil
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(m.Text(group), ",", ""), 64)
		if err != nil {
			return nil
		}
		return &n
	}
	if r.min, r.max = limit(between, "low"), limit(between, "high"); r.min != nil {
		return
	}
	r.min, r.max = limit(atLeast, "n"), limit(atMost, "n")
	if more, less := limit(above, "n"), limit(below, "n"); r.min == nil && r.max == nil && (more != nil || less != nil) {
		r.min, r.max, r.beyond = more, less, true
	}
	if m, ok := english.Groups(positive, text); ok && r.min == nil && r.max == nil {
		zero, not := 0.0, m.Text("not") != ""
		switch negative := strings.EqualFold(m.Text("sign"), "negative"); {
		case negative && not:
			r.min = &zero
		case negative:
			r.max, r.beyond = &zero, true
		case !not:
			r.min, r.beyond = &zero, true
		}
	}
}

func (s *validateStep) run(ctx context.Context, rows []Row) ([]Row, error) {
	for _, r := range s.rules {
		if !hasColumn(rows, r.column) && len(rows) > 0 {
			return nil, missing(s.at("columns"), r.column, rows)
		}
	}
	usual := s.usualShapes(rows)
	for i := range rows {
		valid := true
		for n, r := range s.rules {
			at := rows[i].find(r.column)
			text, nested := "", false
			if at >= 0 {
				text = strings.TrimSpace(textOf(rows[i].Members[at].Value))
				_, nested = rows[i].Members[at].Value.(json.RawMessage)
			}
			if reason := s.problem(r, text, nested, usual[n]); reason != "" {
				valid = false
				markInvalid(&rows[i], r.column, reason)
			}
		}
		rows[i].set(Member{Name: quern.ValidColumn, Value: valid})
	}
	if s.model.Model != nil && s.Mode != modeRegex {
		s.askModel(ctx, rows)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return rows, nil
}

func hasColumn(rows []Row, name string) bool {
	for i := range rows {
		if rows[i].find(name) >= 0 {
			return true
		}
	}
	return false
}

// usualShapes are the shapes that nearly all values of the columns have.
func (s *validateStep) usualShapes(rows []Row) []shape {
	all := make([]shape, len(s.rules))
	const enough = 5
	for n, r := range s.rules {
		var values []value
		for i := range rows {
			if text := strings.TrimSpace(rows[i].text(r.column)); text != "" {
				values = append(values, value{shape: shapeOf(text)})
			}
		}
		if len(values) >= enough {
			all[n] = commonShape(values)
		}
	}
	return all
}

// problem says what is wrong with a value; empty: nothing.
func (s *validateStep) problem(r rule, text string, nested bool, usual shape) string {
	if text == "" {
		if !nested && (r.required || s.Mode == modeRows) {
			return "is missing"
		}
		return ""
	}
	if reason := r.looksWrong(text); reason != "" || s.Mode == modeRegex {
		return reason
	}
	have, told := shapeOf(text), len(r.field.shapes) > 0 || r.pattern != nil
	if !told && usual != word && usual != code && !akin(have, usual) {
		return "does not look like the other values, each of which is " + article(shapeNames[usual])
	}
	if len(r.choices) > 0 && !contains(r.choices, strings.ToLower(text)) {
		return "is none of " + strings.Join(r.choices, ", ")
	}
	return r.outOfRange(text)
}

// looksWrong says what is wrong with the looks of a value; empty: nothing.
func (r rule) looksWrong(text string) string {
	if r.pattern != nil {
		if r.pattern.MatchString(text) {
			return ""
		}
		return "does not match " + r.pattern.String()
	}
	have := shapeOf(text)
	number := have == code && r.field.takes(number)
	if len(r.field.shapes) == 0 || r.field.takes(have) || number {
		return ""
	}
	return "does not look like " + article(shapeNames[r.field.shapes[0]])
}

func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") && noun != "url" {
		return "an " + noun
	}
	return "a " + noun
}

// akin reports whether two shapes can be those of one column.
func akin(a, b shape) bool {
	group := func(s shape) int {
		switch s {
		case number, money, percent:
			return 1
		case day, instant:
			return 2
		}
		return -1 - int(s)
	}
	return group(a) == group(b)
}

func contains(list []string, text string) bool {
	for _, one := range list {
		if one == text {
			return true
		}
	}
	return false
}

func (r rule) outOfRange(text string) string {
	if r.min == nil && r.max == nil {
		return ""
	}
	n, ok := numberIn(text)
	if !ok {
		return "is not a number"
	}
	low := r.min != nil && (n < *r.min || r.beyond && n == *r.min)
	high := r.max != nil && (n > *r.max || r.beyond && n == *r.max)
	switch {
	case low:
		return "is less than it may be"
	case high:
		return "is more than it may be"
	}
	return ""
}

// numberIn returns the number that a text is, without its unit.
func numberIn(text string) (float64, bool) {
	trimmed := strings.Trim(text, " $€£¥₹%()ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if n, err := strconv.ParseFloat(trimmed, 64); err == nil {
		return n, true
	}
	plain := strings.NewReplacer(",", "", "'", "", " ", "").Replace(trimmed)
	if comma := strings.LastIndexByte(trimmed, ','); comma > strings.LastIndexByte(trimmed, '.') && len(trimmed)-comma-1 != 3 {
		plain = strings.NewReplacer(".", "", "'", "", " ", "", ",", ".").Replace(trimmed)
	}
	n, err := strconv.ParseFloat(plain, 64)
	return n, err == nil
}

// markInvalid tells with the value's provenance why it is not valid.
func markInvalid(r *Row, column, reason string) {
	name := quern.ProvenancePrefix + column
	told := map[string]any{}
	if at := r.find(name); at >= 0 {
		if raw, ok := r.Members[at].Value.(json.RawMessage); ok {
			_ = json.Unmarshal(raw, &told) // ours
		}
	}
	told["invalid"] = reason
	raw, _ := json.Marshal(told) // of text and numbers
	r.set(Member{Name: name, Value: json.RawMessage(raw)})
}
