package embedded

import (
	"cmp"
	"context"
	"math"
	"reflect"
	"slices"

	"quern/nlq"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/net"
	"quern/query"
	"quern/tree"
)

const (
	// maxWords is how many words of a question the networks see.
	maxWords = 120
	// maxColumns is how many columns of a namespace the networks see.
	maxColumns = 160
	// beam is how many readings are kept while reading.
	beam = 8
)

// candidate is one reading of a question.
type candidate struct {
	query *tree.Query
	// asRead is the query before what is taught was written out: its words are of it.
	asRead  *tree.Query
	tokens  []grammar.Token
	sql     string
	score   float64 // how well its constants match values
	logProb float64
	// misplaced is a constant that is compared with a column to which no word points.
	misplaced string
	// supposed is a column of yes and no that is tested and to which no word points.
	supposed string
	// completes is the reading of the networks that this one adds to what the text says
	// besides; nil: it is one of theirs itself.
	completes *candidate
	outcome   *outcome      // what running it showed; nil: it was not run
	result    *query.Result // all that running it found; nil: it was not run, or found more than is kept
	used      []string      // what it uses of what is taught, in sentences
}

// translation returns the candidate as the answer.
func (c *candidate) translation(confidence float64) nlq.Translation {
	return nlq.Translation{
		Query: c.query, SQL: c.sql, Result: c.result, Reading: tree.English(c.query), Confidence: confidence, Score: c.score,
		Notes: slices.Clone(c.used),
	}
}

// addProbability adds the probability of another derivation of the same query.
func (c *candidate) addProbability(logProb float64) {
	c.logProb = math.Log(math.Exp(c.logProb) + math.Exp(logProb))
}

// candidate writes out what is taught and validates a query against the schema; ok
// is false when it does not fit.
func (r *reader) candidate(q *tree.Query, score float64) (c *candidate, ok bool) {
	asRead := tree.Clone(q)
	used, ok := r.whole.Expand(q, r.question.Text)
	if !ok {
		return nil, false
	}
	r.whole.AllSpellings(q)
	if c, ok = r.validated(q, score); ok {
		c.asRead, c.used = asRead, used
	}
	return c, ok
}

// validated returns a query as a reading if it fits the schema.
func (r *reader) validated(q *tree.Query, score float64) (c *candidate, ok bool) {
	if err := tree.Validate(q, r.known); err != nil {
		return nil, false
	}
	sql, err := grammar.SQL(r.whole.Schema, q)
	if err != nil {
		return nil, false
	}
	return &candidate{query: q, sql: sql, score: score}, true
}

// candidates returns the readings that the networks find likeliest, each once.
func (g *grounding) candidates(ctx context.Context) ([]*candidate, error) {
	read, err := g.Nets.Read(ctx, g.input(), beam, leastShare)
	if err != nil {
		return nil, err
	}
	g.told = read.Doubts
	said := grammar.Question{Text: g.text, Tokens: g.features.Tokens, Now: g.question.Now, Repeats: !g.uses(CountedOnce), Sense: g.vectors.Sense}
	all := g.built(said, read.Hypotheses, g.cannotMean)
	if len(all) == 0 && g.evidence() >= knownEvidence { // rather what no word asks for than nothing
		all = g.built(said, read.Hypotheses, g.isAbsurd)
	}
	all = g.withoutVain(all)
	g.followVerified(all)
	return all, nil
}

// built returns the candidates that derivations are, each once, but for those that are
// left out.
func (g *grounding) built(said grammar.Question, from []net.Hypothesis, leftOut func([]grammar.Token, *tree.Query) bool) []*candidate {
	var all []*candidate
	seen := map[string]*candidate{}
	for _, h := range from {
		tokens := g.settleTokens(h.Tokens)
		reading, err := grammar.Build(g.view.Schema, said, tokens)
		if err != nil || leftOut(tokens, reading.Query) {
			continue
		}
		g.settleQuery(reading.Query)
		if contradicts(reading.Query) || leavesNothing(reading.Query) || g.rows != nil && !g.rows.Restrict(reading.Query) {
			continue
		}
		c, ok := g.candidate(reading.Query, reading.Score)
		if !ok {
			continue
		}
		c.logProb, c.tokens = h.LogProb, tokens
		c.misplaced, _ = g.accounts().Misplaced(c.asRead)
		c.supposed, _ = g.accounts().Supposed(c.asRead)
		meaning := cmp.Or(meaningOf(c.asRead), c.sql)
		if same := seen[meaning]; same != nil {
			same.addProbability(h.LogProb)
			if g.tablesOf(tokens) < g.tablesOf(same.tokens) {
				same.tokens = tokens // of those that mean the same, the one that names what the query reads
			}
			continue
		}
		seen[meaning] = c
		all = append(all, c)
	}
	return all
}

// settleTokens returns a derivation as the text means it. What is said behind other
// questions is left as it was read but for measures that are taught: what the text says is
// not all its own.
func (g *grounding) settleTokens(tokens []grammar.Token) []grammar.Token {
	tokens = g.useMeasure(tokens)
	if g.own > 0 {
		return tokens
	}
	return g.settleArea(g.settlePer(g.settleArithmetic(g.settleProduct(g.denyOnce(g.showTruth(g.affirm(g.testTruth(g.settlePeers(g.settleBounds(g.settleClock(tokens)))))))))))
}

// settleQuery makes a query what the text means.
func (g *grounding) settleQuery(q *tree.Query) {
	dropRepeats(q)
	settleTexts(q)
	settleEither(q)
	settleRanges(q)
	if g.own > 0 {
		g.tellApart(q)
		return
	}
	g.settleWhen(q)
	g.settleMeasures(q)
	g.settleAbsence(q)
	g.settleCounts(q)
	g.settleKind(q)
	g.settleEach(q)
	g.settleNamedGroups(q)
	g.settleKey(q)
	g.dropWhole(q)
	g.settleReckoned(q)
	g.settleOutstanding(q)
	g.settleOwed(q)
	g.settleList(q)
	g.settleOwn(q)
	g.settleSorted(q)
	if g.uses(Named) {
		g.settleShown(q)
		g.settleSet(q)
		g.nameRows(q)
	}
	g.settleInFull(q)
	g.settleNameParts(q)
	g.showWhen(q)
	g.settleValue(q)
	g.excludeUnknown(q)
	g.settleSigned(q)
	ungroupDivisors(q)
	orderPeriods(q)
}

// settleWhen takes the times, and the ends of orders, that the text means.
func (g *grounding) settleWhen(q *tree.Query) {
	g.settleWeekend(q)
	g.settleTimes(q)
	g.settleWaiting(q)
	g.settleBirthday(q)
	g.settleYear(q)
	g.settleCost(q)
	dropSquares(q)
	g.settlePercent(q)
	g.settlePartSum(q)
	g.settlePartDone(q)
	addApart(q) // what is not a percentage of the other
	g.settleStretch(q)
	g.settleDurations(q)
	g.settleStay(q)
	g.settleAllowed(q)
	g.settleEnd(q)
	g.settleOldest(q)
	g.settlePlace(q)
}

// settleMeasures takes the numbers that the text means.
func (g *grounding) settleMeasures(q *tree.Query) {
	g.settleAdjective(q)
	g.settleMeasured(q)
	g.settleNamed(q)
	g.settleSum(q)
	g.settleEarned(q)
	g.settleSpent(q)
	g.settleSpentShare(q)
	g.settleUnitPrice(q)
	g.settleParts(q)
	g.settleTopKinds(q)
	g.settleLargest(q)
	g.showMeasure(q)
	g.settleCounted(q)
	g.settleAmounts(q)
	g.settleDifferent(q)
	g.settleDifference(q)
	g.settleAverage(q)
	g.settleAverageDeal(q)
	g.settleAverageTotal(q)
	g.settleHasPaid(q)
	g.settleNext(q)
	g.settleReadings(q)
	g.settleBestPlace(q)
	g.settleNewest(q)
}

// settleCounts counts what the text counts.
func (g *grounding) settleCounts(q *tree.Query) {
	g.settleTally(q)
	g.settleThings(q)
	g.settleNumber(q)
	g.settleOften(q)
	g.settleSold(q)
	g.settlePieces(q)
}

// settleAbsence tests for what is not there, did not happen or is not so as the text means it.
func (g *grounding) settleAbsence(q *tree.Query) {
	g.settleItself(q)
	g.settleNone(q)
	g.settleNever(q)
	g.settleDenial(q)
	g.settleAffirmed(q)
	g.settleLonger(q)
	g.settlePair(q)
	g.settleToBe(q)
	g.settleDenied(q)
	g.settlePartTime(q)
	g.settleOnce(q)
	g.settleKindsSince(q)
	g.settleSince(q)
	g.settleNotWithin(q)
	g.settleAgo(q)
}

// settleReckoned reckons in the units, times and groups that the text speaks of.
func (g *grounding) settleReckoned(q *tree.Query) {
	g.settleHours(q)
	g.settleWeeks(q)
	g.settleScale(q)
	g.settleYearly(q)
	g.settleOver(q)
	g.settleAlike(q)
	g.settleGrowth(q)
	g.settleHeld(q)
	g.settleOut(q)
	g.settleChange(q)
	settleWithinPeriods(q)
	g.settleDayPart(q)
	g.settleSoFar(q)
	g.settleAhead(q)
	g.settlePresent(q)
	g.settleCame(q)
	g.settleTook(q)
}

// nearWorth is what verified questions near the text are worth, in the logarithm of a
// reading's probability.
const nearWorth = 1.5

// followVerified raises the readings that name what the queries of verified questions
// near the text name, and lowers those that do not.
func (g *grounding) followVerified(all []*candidate) {
	worth := g.whole.Near(g.text)
	if worth == nil {
		return
	}
	for _, c := range all {
		c.logProb += nearWorth * worth(c.asRead)
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.logProb, a.logProb) })
}

// tablesOf returns of how many datasets the columns of a derivation are.
func (g *grounding) tablesOf(tokens []grammar.Token) int {
	of := map[int]bool{}
	for _, t := range tokens {
		switch t.Kind {
		case grammar.Column:
			of[g.view.Columns[t.ID].Table] = true
		case grammar.Table:
			of[t.ID] = true
		}
	}
	return len(of)
}

// cannotMean reports whether nobody who says the text means a reading.
func (g *grounding) cannotMean(tokens []grammar.Token, q *tree.Query) bool {
	return g.own == 0 && g.reckonsUnasked(tokens) || g.isAbsurd(tokens, q)
}

// isAbsurd reports whether nobody means a reading, whatever the words of the text ask for.
func (g *grounding) isAbsurd(tokens []grammar.Token, q *tree.Query) bool {
	return g.own == 0 && (g.excludesUnasked(tokens) || g.asksClockOfDay(tokens) || g.negatesTwice(tokens) || g.countsSingleRows(q) ||
		g.ranksNames(q) || g.endsAlphabet(q) || g.showsWhatIsSaid(q) || g.addsUpNames(q) ||
		g.addsUpForNumber(q) || g.countsWithoutTimes(q) || g.countsForDegree(q) || g.takesVerb(q) || g.testsRate(q))
}

// dropRepeats leaves out of a result the columns that it has already, and the conditions
// that are there twice.
func dropRepeats(q *tree.Query) {
	if q.Select == nil {
		return
	}
	var kept []tree.Item
	for _, i := range q.Select.Items {
		_, column := i.Expr.(tree.Column)
		if !slices.ContainsFunc(kept, func(k tree.Item) bool {
			star, all := k.Expr.(tree.Star)
			covered := column && all && star.Source == "" && len(q.Select.From) == 1
			return covered || reflect.DeepEqual(k, i)
		}) {
			kept = append(kept, i)
		}
	}
	q.Select.Items = kept
	var conds []tree.Cond
	for _, c := range tree.Conjuncts(q.Select.Where) {
		if !slices.ContainsFunc(conds, func(k tree.Cond) bool { return reflect.DeepEqual(k, c) }) {
			conds = append(conds, c)
		}
	}
	q.Select.Where = tree.All(conds...)
}

// input returns the text and its schema as the networks take them.
func (g *grounding) input() net.Input {
	s, f := g.view.Schema, g.features
	n := min(len(f.Tokens), maxWords)
	in := net.Input{Words: f.WordIDs[:n], Kinds: f.Kinds[:n], TokenColumns: f.Columns[:n], TokenTables: f.Tables[:n], Meanings: g.meanings}
	related := feature.Relations(s)
	columns, tables := feature.NameIDs(s, g.vectors)
	for i, c := range s.Columns {
		in.Columns = append(in.Columns, net.Column{Words: columns[i], Type: related.Types[i], Flags: related.Flags[i], Table: c.Table})
	}
	in.Tables = tables
	for _, l := range s.Links {
		in.Links = append(in.Links, [2]int{l.From, l.To})
	}
	return in
}
