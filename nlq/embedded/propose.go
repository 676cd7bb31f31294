package embedded

import (
	"cmp"
	"context"
	"math"
	"slices"

	"quern/nlq"
	"quern/nlq/absurd"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/net"
	"quern/nlq/settle"
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
	used, ok := r.Whole.Expand(q, r.Question.Text)
	if !ok {
		return nil, false
	}
	r.Whole.AllSpellings(q)
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
	sql, err := grammar.SQL(r.Whole.Schema, q)
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
	said := grammar.Question{Text: g.Text, Tokens: g.Features.Tokens, Now: g.Question.Now, Repeats: !g.Uses(ground.CountedOnce), Sense: g.Vectors.Sense}
	all := g.built(said, read.Hypotheses, absurd.Of(g.Grounding).CannotMean)
	if len(all) == 0 && g.evidence() >= knownEvidence { // rather what no word asks for than nothing
		all = g.built(said, read.Hypotheses, absurd.Of(g.Grounding).IsAbsurd)
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
		tokens := settle.Tokens(g.Grounding, h.Tokens)
		reading, err := grammar.Build(g.View.Schema, said, tokens)
		if err != nil || leftOut(tokens, reading.Query) {
			continue
		}
		settle.Query(g.Grounding, reading.Query)
		if absurd.Contradicts(reading.Query) || absurd.LeavesNothing(reading.Query) || g.Rows != nil && !g.Rows.Restrict(reading.Query) {
			continue
		}
		c, ok := g.candidate(reading.Query, reading.Score)
		if !ok {
			continue
		}
		c.logProb, c.tokens = h.LogProb, tokens
		c.misplaced, _ = g.Accounts().Misplaced(c.asRead)
		c.supposed, _ = g.Accounts().Supposed(c.asRead)
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

// nearWorth is what verified questions near the text are worth, in the logarithm of a
// reading's probability.
const nearWorth = 1.5

// followVerified raises the readings that name what the queries of verified questions
// near the text name, and lowers those that do not.
func (g *grounding) followVerified(all []*candidate) {
	worth := g.Whole.Near(g.Text)
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
			of[g.View.Columns[t.ID].Table] = true
		case grammar.Table:
			of[t.ID] = true
		}
	}
	return len(of)
}

// input returns the text and its schema as the networks take them.
func (g *grounding) input() net.Input {
	s, f := g.View.Schema, g.Features
	n := min(len(f.Tokens), maxWords)
	in := net.Input{Words: f.WordIDs[:n], Kinds: f.Kinds[:n], TokenColumns: f.Columns[:n], TokenTables: f.Tables[:n], Meanings: g.meanings}
	related := feature.Relations(s)
	columns, tables := feature.NameIDs(s, g.Vectors)
	for i, c := range s.Columns {
		in.Columns = append(in.Columns, net.Column{Words: columns[i], Type: related.Types[i], Flags: related.Flags[i], Table: c.Table})
	}
	in.Tables = tables
	for _, l := range s.Links {
		in.Links = append(in.Links, [2]int{l.From, l.To})
	}
	return in
}

// withoutVain leaves out the readings that look for a text that no value has, where there
// are others and nobody wrote the text in quotes.
func (g *grounding) withoutVain(all []*candidate) []*candidate {
	isVain := func(c *candidate) bool { return absurd.Of(g.Grounding).MatchesNothing(c.query) }
	hasOthers := slices.ContainsFunc(all, func(c *candidate) bool { return !isVain(c) })
	if !hasOthers || slices.Contains(g.Features.Kinds, feature.Quoted) {
		return all
	}
	return slices.DeleteFunc(all, isVain)
}
