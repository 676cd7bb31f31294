package tree

import (
	"strings"

	"quern/english"
)

// belonging says a condition that rows of the first dataset have, or have not, rows
// of another: " with orders whose status is 'open'", " of customers whose city is
// 'Oslo'". ok is false where the columns do not say that they belong together.
func (w *wording) belonging(c Cond) (text string, ok bool) {
	not, negated := c.(Not)
	if negated {
		c = not.Cond
	}
	own, theirs, q, ok := linkedColumns(c)
	if !ok || own.Source != w.first && own.Source != "" {
		return "", false
	}
	other := w.inside(q.Select)
	other.bare = false
	if !negated && SameName(own.Name, theirs.Name) && other.firstNoun == w.firstNoun {
		other.one = w.one // the rows themselves
		return other.beside(q) + other.conditions(q.Select.Where), true
	}
	has := refersTo(theirs.Name, w.firstNoun)
	isOf := refersTo(own.Name, other.firstNoun)
	preposition := " with "
	switch {
	case theirs.Source != other.first && theirs.Source != "":
		return "", false
	case has || SameName(own.Name, theirs.Name) && !isOf:
		if negated {
			preposition = " without "
		}
	case isOf && negated:
		preposition = " not of "
	case isOf:
		preposition = " of "
	default:
		return "", false
	}
	return preposition + other.rows(q), true
}

// linkedColumns returns the columns of a condition that one is among the other in the
// rows of a query.
func linkedColumns(c Cond) (own, theirs Column, q *Query, ok bool) {
	in, ok := c.(In)
	if !ok || in.Query == nil || in.Query.Select == nil || in.Query.Limit != nil {
		return own, theirs, nil, false
	}
	s := in.Query.Select
	if len(s.Items) != 1 || len(s.Group) > 0 {
		return own, theirs, nil, false
	}
	own, ok = in.Expr.(Column)
	theirs, also := s.Items[0].Expr.(Column)
	return own, theirs, in.Query, ok && also
}

// refersTo reports whether a column is named like the things that a dataset is of:
// customer_id, customer and customer_name, of customers.
func refersTo(column, noun string) bool {
	words, thing := english.NameWords(column), strings.Fields(strings.ToLower(noun))
	for len(words) > 1 && english.GenericNames.Has(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || len(thing) == 0 {
		return false
	}
	return english.Singular(words[len(words)-1]) == english.Singular(thing[len(thing)-1])
}

// joinedNoun names the rows that joined sources make, going by the names of the columns
// that join them: those of the dataset that refers to the others. It is "rows" where
// the names do not tell.
func (w *wording) joinedNoun(from []Source) string {
	noun := w.firstNoun
	for _, source := range from[1:] {
		if len(source.On) != 1 {
			return "rows"
		}
		before, own := source.On[0].Left, source.On[0].Right
		if own.Source != source.Ref() {
			before, own = own, before
		}
		theirs, its := w.datasets[before.Source], w.datasets[source.Ref()]
		isParent, isChild := refersTo(before.Name, its), refersTo(own.Name, theirs)
		switch {
		case isParent == isChild:
			return "rows"
		case isChild:
			noun = its
		}
	}
	return noun
}

// happening says a condition on when something happened to the rows of the first
// dataset: " ordered in 2024", " built before 1990". ok is false where the column's
// name says nothing of the sort.
func (w *wording) happening(c Cond) (text string, ok bool) {
	switch c := c.(type) {
	case Period:
		verb, ok := w.happened(c.Expr)
		return verb + " " + periodWords(c.From, c.Until), ok
	case Compare:
		at, isLiteral := c.Right.(Literal)
		verb, ok := w.happened(c.Left)
		isTime := at.Kind == Date || at.Kind == Timestamp
		words := yearComparisons[c.Op]
		if isTime {
			words = dayComparisons[c.Op]
		}
		year := at.Kind == Number && isYear(at.Text)
		return verb + " " + words + " " + literalWords(at), ok && isLiteral && words != "" && (isTime || year)
	}
	return "", false
}

var (
	yearComparisons = map[CompareOp]string{Equal: "in", Less: "before", Greater: "after", LessEq: "in or before", GreaterEq: "in or after"}
	dayComparisons  = map[CompareOp]string{Equal: "on", Less: "before", Greater: "after", LessEq: "on or before", GreaterEq: "on or after"}
)

// happened returns what happened to rows of the first dataset at the times of a value,
// with a space before it; nothing where their own noun says it. ok is false where the
// value is no column of such times.
func (w *wording) happened(when Expr) (verb string, ok bool) {
	column, isColumn := when.(Column)
	if !isColumn || column.Source != w.first && column.Source != "" {
		return "", false
	}
	verb = english.Happening(english.Spaced(column.Name))
	switch {
	case english.Moments.Has(strings.ToLower(column.Name)), verb != "" && isOneOrigin(verb, w.firstNoun):
		return "", true // arrivals in 2025 arrived then
	case verb == "":
		return "", false
	}
	return " " + verb, true
}

// isOneOrigin reports whether a noun is made of a verb in the past: arrivals, of
// arrived.
func isOneOrigin(verb, noun string) bool {
	root := strings.TrimSuffix(verb, "ed")
	return root != verb && strings.HasPrefix(strings.ToLower(noun), root)
}

// naming says a condition on what rows of the first dataset are called: " called
// 'Dunlin'". ok is false where the column is none by which they are.
func (w *wording) naming(c Cond) (text string, ok bool) {
	is, ok := c.(Compare)
	column, isColumn := is.Left.(Column)
	name, isText := is.Right.(Literal)
	if !ok || is.Op != Equal || !isColumn || !isText || name.Kind != Text || column.Source != w.first && column.Source != "" {
		return "", false
	}
	words := english.NameWords(column.Name)
	if n := len(words); n > 1 && english.Labels.Has(words[n-1]) {
		words = words[:n-1]
	}
	one := english.Singular(strings.ToLower(w.firstNoun))
	if label := strings.Join(words, " "); label != one && !english.Labels.Has(label) {
		return "", false
	}
	return " called " + literalWords(name), true
}

// isYear reports whether a number could be a year.
func isYear(number string) bool {
	return len(number) == 4 && number >= "1500" && number <= "2099" && strings.Trim(number, "0123456789") == ""
}

// differentThings names the different values of a column: different ships, different
// customers of customer_id, different values of price.
func (w *wording) differentThings(e Expr) string {
	c, ok := e.(Column)
	if !ok {
		return "different " + w.operand(e)
	}
	words := strings.Fields(w.column(c))
	for len(words) > 1 && english.GenericNames.Has(strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	last := len(words) - 1
	if last < 0 || !isWords(words[last]) || english.NotNouns.Has(words[last]) || english.Happening(words[last]) != "" {
		return "different values of " + w.column(c)
	}
	words[last] = english.Plural(english.Singular(words[last]))
	return "different " + strings.Join(words, " ")
}

// countedThings returns the plural noun of what a count counts, where that is known:
// rows, or keys, each once. ok is false where it counts values.
func (w *wording) countedThings(e Aggregate) (noun string, ok bool) {
	if e.Func != Count {
		return "", false
	}
	switch arg := e.Arg.(type) {
	case Star:
		return w.rowNoun, true
	case Column:
		name := w.datasets[arg.Source]
		words := english.NameWords(arg.Name)
		numbers := len(words) > 0 && english.GenericNames.Has(words[len(words)-1]) || len(words) == 1
		if e.Distinct && name != "" && numbers && (refersTo(arg.Name, name) || len(words) == 1 && english.GenericNames.Has(words[0])) {
			return name, true
		}
	}
	return "", false
}
