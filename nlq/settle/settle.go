// Package settle makes what the networks read what the text says: their derivations, and the
// queries that these are built to. Networks err in the same few ways for everybody; what a text says
// plainly is put right here, in one order, by rules about times (period), numbers (amount), what is
// counted (tally), what is not there (absence) and what rows are called (label).
//
// A rule changes a query only where the text and the data leave one meaning, and runs nothing; what is
// to be told of it, the Note functions of its room add to the answer. The failure it is built around is the rule that holds for its example
// and breaks other questions: each says where it does not hold, and has questions that must not change.
package settle

import (
	"reflect"
	"slices"

	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/settle/absence"
	"quern/nlq/settle/amount"
	"quern/nlq/settle/label"
	"quern/nlq/settle/period"
	"quern/nlq/settle/tally"
	"quern/tree"
)

// settler has the rules for one text.
type settler struct {
	periods  period.Rules
	amounts  amount.Rules
	tallies  tally.Rules
	absences absence.Rules
	labels   label.Rules
}

func newSettler(g *ground.Grounding) settler {
	return settler{period.Of(g), amount.Of(g), tally.Of(g), absence.Of(g), label.Of(g)}
}

// Tokens returns a derivation as the text means it. What is said behind other
// questions is left as it was read but for measures that are taught: what the text says is
// not all its own.
func Tokens(g *ground.Grounding, tokens []grammar.Token) []grammar.Token {
	s := newSettler(g)
	tokens = s.amounts.UseMeasure(tokens)
	if g.Own > 0 {
		return tokens
	}
	for _, settle := range []func([]grammar.Token) []grammar.Token{
		s.periods.Clock, s.periods.Bounds, s.periods.Peers, s.absences.TestTruth, s.absences.Affirm, s.absences.ShowTruth, s.absences.DenyOnce,
		s.amounts.Product, s.amounts.Arithmetic, s.amounts.Per, s.amounts.Area,
	} {
		tokens = settle(tokens)
	}
	return tokens
}

// Query makes a query what the text means.
func Query(g *ground.Grounding, q *tree.Query) {
	s := newSettler(g)
	dropRepeats(q)
	label.Texts(q)
	label.Either(q)
	label.Ranges(q)
	period.Overnight(q)
	if g.Own > 0 {
		s.labels.TellApart(q)
		s.tallies.Popular(q)
		return
	}
	s.labels.Role(q)
	s.labels.HalfName(q)
	s.when(q)
	s.measures(q)
	s.absence(q)
	s.counts(q)
	s.tallies.Kind(q)
	s.tallies.Each(q)
	s.tallies.NamedGroups(q)
	s.labels.Key(q)
	s.labels.DropWhole(q)
	s.reckoned(q)
	s.amounts.Outstanding(q)
	s.amounts.Owed(q)
	s.amounts.Owing(q)
	s.labels.List(q)
	s.labels.Own(q)
	s.tallies.Sorted(q)
	if g.Asked.Uses(ground.Named) {
		s.tallies.Shown(q)
		s.tallies.Set(q)
		s.labels.NameRows(q)
	}
	s.amounts.InFull(q)
	s.labels.NameParts(q)
	s.periods.ShowWhen(q)
	s.labels.Value(q)
	s.absences.ExcludeUnknown(q)
	s.amounts.Signed(q)
	tally.UngroupDivisors(q)
	tally.OrderPeriods(q)
	s.labels.Called(q)
	s.labels.Nearer(q)
	s.labels.DropUnused(q)
}

// when takes the times, and the ends of orders, that the text means.
func (s settler) when(q *tree.Query) {
	s.periods.Weekend(q)
	s.periods.Times(q)
	s.periods.Agreed(q)
	s.periods.Waiting(q)
	s.periods.Birthday(q)
	s.periods.Year(q)
	s.periods.BirthYear(q)
	s.amounts.Cost(q)
	amount.DropSquares(q)
	s.amounts.Percent(q)
	s.amounts.PartSum(q)
	s.amounts.PartDone(q)
	amount.AddApart(q) // what is not a percentage of the other
	s.periods.Stretch(q)
	s.periods.Tenure(q)
	s.periods.Durations(q)
	s.periods.Stay(q)
	s.periods.Allowed(q)
	s.periods.End(q)
	s.periods.Oldest(q)
	s.tallies.Place(q)
}

// measures takes the numbers that the text means.
func (s settler) measures(q *tree.Query) {
	s.amounts.Adjective(q)
	s.amounts.Measured(q)
	s.amounts.Named(q)
	s.amounts.Sum(q)
	s.amounts.Earned(q)
	s.amounts.Spent(q)
	s.amounts.SpentShare(q)
	s.amounts.UnitPrice(q)
	s.amounts.Parts(q)
	s.tallies.TopKinds(q)
	s.amounts.Largest(q)
	s.amounts.ShowMeasure(q)
	s.tallies.Counted(q)
	s.tallies.Amounts(q)
	s.tallies.Different(q)
	s.tallies.Difference(q)
	s.amounts.Average(q)
	s.amounts.AverageDeal(q)
	s.amounts.AverageTotal(q)
	s.amounts.HasPaid(q)
	s.periods.Next(q)
	s.amounts.Readings(q)
	s.tallies.BestPlace(q)
	s.periods.Newest(q)
}

// counts counts what the text counts.
func (s settler) counts(q *tree.Query) {
	s.tallies.Tally(q)
	s.tallies.Things(q)
	s.tallies.Number(q)
	s.tallies.Often(q)
	s.tallies.Popular(q)
	s.tallies.Sold(q)
	s.tallies.Pieces(q)
}

// absence tests for what is not there, did not happen or is not so as the text means it.
func (s settler) absence(q *tree.Query) {
	s.absences.Itself(q)
	s.absences.None(q)
	s.absences.Never(q)
	s.absences.Denial(q)
	s.absences.Affirmed(q)
	s.absences.Longer(q)
	s.absences.Pair(q)
	s.absences.Others(q)
	s.absences.LastAgo(q)
	s.absences.ToBe(q)
	s.absences.Denied(q)
	s.absences.PartTime(q)
	s.tallies.Once(q)
	s.periods.KindsSince(q)
	s.periods.Since(q)
	s.periods.NotWithin(q)
	s.periods.Ago(q)
}

// reckoned reckons in the units, times and groups that the text speaks of.
func (s settler) reckoned(q *tree.Query) {
	s.periods.Hours(q)
	s.periods.Weeks(q)
	s.amounts.Scale(q)
	s.periods.Yearly(q)
	s.amounts.Over(q)
	s.amounts.Margin(q)
	s.tallies.Alike(q)
	s.periods.Growth(q)
	s.periods.Held(q)
	s.absences.Out(q)
	s.periods.Change(q)
	period.WithinPeriods(q)
	s.periods.DayPart(q)
	s.periods.SoFar(q)
	s.periods.Ahead(q)
	s.absences.Present(q)
	s.absences.Came(q)
	s.absences.Took(q)
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
