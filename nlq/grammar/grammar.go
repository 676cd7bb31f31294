// Package grammar owns the language that the model writes: a flat derivation of
// a query tree, in which columns and tables are pointers into a schema and
// constants are spans of the question.
//
//	tree ──Linearise──► tokens ──Build──► tree
//
// Joins are not part of it: the links between the tables it names imply them. It
// never scores a token. The failure it is built around is the derivation that
// has no meaning: whatever the automaton lets through, Build can read, up to
// constants that do not fit their columns.
//
// The automaton is a stack of states; a token is allowed when the rule of the
// topmost state has it, and replaces that state with those the rule pushes.
//
//	query   SEL [DISTINCT|ZERO] item… [WHERE cond…] [GROUP group… [HAVING cond…]]
//	        [ASC|DESC item… [LIMIT value]] [EXTRA table|column…]
//	        (END | UNION query | INTERSECT query | EXCEPT query)
//	item    aggregate? DIST? value | STAR table | arithmetic item item | percentile value value
//	        | percent test measure | portion measure | only test measure | change test test measure
//	value   column | part column | unit moment moment | arithmetic value value
//	group   column | part column
//	cond    item operator (VAL first last | constant | column | query | peers aggregate column column),
//	        joined by AND, OR
//	test    (column | part column | unit moment moment) operator …
//	measure an aggregate with what it is of
//	moment  column | NOW
//
// A part is a part of a time (its month, its weekday), a unit counts the time
// between two moments. ZERO keeps groups that have no rows. percent is how much of a
// measure the rows that pass a test have, portion how much of it a group has, only a
// measure of the rows that pass a test, change that of two tests and the
// difference. peers is an aggregate over the rows that are alike in a column.
//
// Weights know the symbols and states of the day they were trained: new ones stand
// behind the others, and no token of before leads to a new state.
package grammar

import "slices"

// State is what the automaton expects next.
type State uint8

// The states. The tails are a query after its items so far: what may still
// follow grows less from one to the next.
const (
	query State = iota
	firstItem
	item
	aggregated
	columnOrStar
	column
	table
	cond
	operator
	value
	rightSide
	listSide
	spanFirst
	spanLast
	tailSelect
	tailWhere
	tailGroup
	tailHaving
	tailOrder
	tailLimit
	tailExtra
	extra
	bare    // a column
	operand // a value inside an aggregate
	moment
	measure
	test
	peer
	states // their number
)

// The symbols that the code names.
const (
	symSelect   = "SEL"
	symDistinct = "DISTINCT"
	symWhere    = "WHERE"
	symGroup    = "GROUP"
	symHaving   = "HAVING"
	symAsc      = "ASC"
	symDesc     = "DESC"
	symLimit    = "LIMIT"
	symExtra    = "EXTRA"
	symEnd      = "END"
	symStar     = "STAR"
	symDist     = "DIST"
	symSpan     = "VAL"
	symAnd      = "AND"
	symOr       = "OR"
	symBegin    = "BEGIN" // before the first token; no rule has it

	symZero       = "ZERO"
	symNow        = "NOW"
	symPercentile = "percentile"
	symPercent    = "percent"
	symPortion    = "portion"
	symOnly       = "only"
	symChange     = "change"
	symPeers      = "peers"
)

var (
	aggregates  = []string{"count", "sum", "avg", "min", "max", "median"}
	arithmetic  = []string{"+", "-", "*", "/"}
	setOps      = []string{"UNION", "INTERSECT", "EXCEPT"}
	comparisons = []string{"=", "<>", ">", "<", ">=", "<="}
	matches     = []string{"contains", "starts", "ends", "like", "!contains", "!starts", "!ends", "!like"}
	// constants are what questions mean without saying it.
	constants = []string{
		"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "100",
		"'yes'", "'no'", "'true'", "'false'", "'y'", "'n'", "'t'", "'f'", "'m'", "'male'", "'female'", "''",
	}
	symbols = slices.Concat(
		[]string{
			symBegin, symSelect, symDistinct, symWhere, symGroup, symHaving, symAsc, symDesc,
			symLimit, symExtra, symEnd, symStar, symDist, symSpan, symAnd, symOr,
		},
		setOps, aggregates[:5], arithmetic, comparisons,
		[]string{"between", "in", "!in", "null", "!null"},
		matches, constants,
		aggregates[5:], parts, units,
		[]string{symZero, symNow, symPercentile, symPercent, symPortion, symOnly, symChange, symPeers},
	)
)

// rules say, for each state, which tokens are allowed and which states replace
// it, topmost first. Pointers stand under their letters.
var rules = makeRules()

func makeRules() [states]map[string][]State {
	items := itemRules()
	values := map[string][]State{symSpan: {spanFirst, spanLast}}
	for _, c := range constants {
		values[c] = []State{}
	}
	operators := map[string][]State{
		"between": {value, value}, "in": {listSide}, "!in": {listSide}, "null": {}, "!null": {},
	}
	for _, op := range comparisons {
		operators[op] = []State{rightSide}
	}
	for _, op := range matches {
		operators[op] = []State{value}
	}
	groups := with(map[string][]State{letters[Column]: {}}, partRules())
	var r [states]map[string][]State
	r[query] = map[string][]State{symSelect: {firstItem}}
	r[firstItem] = with(then(items, tailSelect), map[string][]State{symDistinct: {item, tailSelect}, symZero: {item, tailSelect}})
	r[item] = items
	r[operand] = with(map[string][]State{letters[Column]: {}}, with(durationRules(), arithmeticRules(operand)))
	r[aggregated] = with(with(r[operand], partRules()), map[string][]State{symDist: {columnOrStar}, symStar: {table}})
	r[columnOrStar] = with(groups, map[string][]State{symStar: {table}})
	r[column] = groups
	r[bare] = map[string][]State{letters[Column]: {}}
	r[moment] = map[string][]State{letters[Column]: {}, symNow: {}}
	r[measure] = each(aggregates, aggregated)
	r[peer] = each(aggregates[1:], bare, bare)
	r[test] = then(with(groups, durationRules()), operator)
	r[table] = map[string][]State{letters[Table]: {}}
	r[cond] = then(items, operator)
	r[operator] = operators
	r[value] = values
	r[rightSide] = with(values, map[string][]State{symSelect: {firstItem}, letters[Column]: {}, symPeers: {peer}})
	r[listSide] = with(values, map[string][]State{symSelect: {firstItem}})
	r[spanFirst] = map[string][]State{letters[Word]: {}}
	r[spanLast] = r[spanFirst]
	r[extra] = map[string][]State{letters[Table]: {tailExtra}, letters[Column]: {tailExtra}}
	for tail := tailSelect; tail <= tailExtra; tail++ {
		r[tail] = tailRules(tail, items)
	}
	return r
}

// itemRules are what an item begins with.
func itemRules() map[string][]State {
	items := map[string][]State{
		letters[Column]: {}, symStar: {table},
		symPercentile: {value, operand}, symPercent: {test, measure}, symPortion: {measure},
		symOnly: {test, measure}, symChange: {test, test, measure},
	}
	items = with(items, with(partRules(), durationRules()))
	return with(items, with(each(aggregates, aggregated), arithmeticRules(item)))
}

// partRules are the parts of a time.
func partRules() map[string][]State { return each(parts, bare) }

// durationRules are the units of the time between two moments.
func durationRules() map[string][]State { return each(units, moment, moment) }

// arithmeticRules are the operators between two of a state.
func arithmeticRules(s State) map[string][]State { return each(arithmetic, s, s) }

// each returns rules by which each token pushes the same states.
func each(tokens []string, pushed ...State) map[string][]State {
	all := make(map[string][]State, len(tokens))
	for _, token := range tokens {
		all[token] = pushed
	}
	return all
}

// tailRules are what may follow in a query that has come as far as tail.
func tailRules(tail State, items map[string][]State) map[string][]State {
	r := map[string][]State{symEnd: {}}
	for _, op := range setOps {
		r[op] = []State{query}
	}
	switch tail {
	case tailSelect, tailOrder:
		r = with(r, then(items, tail))
	case tailWhere, tailHaving:
		r[symAnd] = []State{cond, tail}
		r[symOr] = []State{cond, tail}
	case tailGroup:
		r = with(r, then(partRules(), tail))
		r[letters[Column]] = []State{tail}
		r[symHaving] = []State{cond, tailHaving}
	case tailExtra:
		r[letters[Table]] = []State{tail}
		r[letters[Column]] = []State{tail}
	}
	if tail < tailWhere {
		r[symWhere] = []State{cond, tailWhere}
	}
	if tail < tailGroup {
		r[symGroup] = []State{column, tailGroup}
	}
	if tail < tailOrder {
		r[symAsc] = []State{item, tailOrder}
		r[symDesc] = []State{item, tailOrder}
	}
	if tail == tailOrder {
		r[symLimit] = []State{value, tailLimit}
	}
	if tail < tailExtra {
		r[symExtra] = []State{extra}
	}
	return r
}

// then returns rules that expect s after what each of r expects.
func then(r map[string][]State, s State) map[string][]State {
	all := make(map[string][]State, len(r))
	for token, pushed := range r {
		all[token] = append(slices.Clone(pushed), s)
	}
	return all
}

// with returns the rules of both.
func with(a, b map[string][]State) map[string][]State {
	all := make(map[string][]State, len(a)+len(b))
	for _, r := range []map[string][]State{a, b} {
		for token, pushed := range r {
			all[token] = pushed
		}
	}
	return all
}
