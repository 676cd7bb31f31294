package ask

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/ask/prose"
	"quern/catalog"
	"quern/english"
	"quern/tree"
)

// The kinds of talk that need no query. They are matched against the whole of what
// was said, in lower case.
var (
	greeting = said(english.Greetings.Pattern() + `(?:,? ` + english.Greeted.Pattern() + `)?`)
	thanks   = said(`(?:` + english.BeforeThanks.Pattern() + `,? )?` + english.Thanks.Pattern() +
		`(?:,? ` + english.BehindThanks.Pattern() + `)?`)
	help = said(
		`(?:please )?help(?: me)?(?: please)?`,
		`what (?:can|do) you do`,
		`what can i (?:do|ask)(?: you)?(?: here)?`,
		`how (?:does|do) (?:this|it|you) work`,
		`(?:who|what) are you`,
		`what is this`,
		`how can you help(?: me)?`,
		`how do i (?:use this|ask|start)`)
	about = said(
		`(?:what|which)(?: kinds? of)? (?:data|datasets?|data sets?|tables?|information)`+
			`(?: (?:do|can) (?:you|we|i) (?:have|see|ask about|query|know|use)| (?:is|are) (?:there|here|available|stored)| exists?)?`+
			`(?: (?:here|in here|in (?:this|the) (?:namespace|database)))?`,
		`(?:list|show|name|display)(?: me)?(?: all)?(?: the| my)?(?: available)? (?:datasets?|data sets?|tables?)`+
			`(?: (?:you have|there are|here|in (?:this|the) (?:namespace|database)))?`,
		`what(?:'s| is) (?:in )?(?:here|this namespace|the namespace|this database|the database)`,
		`what do you (?:have|know)(?: about)?`)
	// columns are the ways to ask what a dataset holds; their group is its name.
	columns = []*regexp.Regexp{
		said(`(?:what|which) (?:columns|fields|attributes)(?: (?:does|do|are in|are there in|has|in|of|are of))?(?: the)?(?: dataset| table)?` +
			` (?P<dataset>.+?)(?: (?:have|has|contain|hold))?`),
		said(`(?:list|show|give)(?: me)?(?: all)?(?: the)? (?:columns|fields|schema|structure) (?:of|in|for)(?: the)?(?: dataset| table)?` +
			` (?P<dataset>.+)`),
		said(`describe(?: the)?(?: dataset| table)? (?P<dataset>.+)`),
		said(`what(?:'s| is) in(?: the)?(?: dataset| table)? (?P<dataset>.+)`),
		said(`what does(?: the)?(?: dataset| table)? (?P<dataset>.+?) (?:contain|hold|have|look like)`),
	}
)

// said returns an expression for a whole sentence in one of some forms.
func said(forms ...string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join(forms, "|") + `)$`)
}

// The most datasets, and columns of one, that an answer names.
const (
	namedDatasets = 20
	namedColumns  = 40
)

// talk is a question that needs no query.
type talk struct {
	kind    talkKind
	dataset quern.Dataset // of talkColumns
}

type talkKind uint8

const (
	talkNone talkKind = iota
	talkGreeting
	talkThanks
	talkHelp
	talkData
	talkColumns
)

// isTalk reports whether a sentence is one of politeness alone.
func isTalk(sentence string) bool {
	text := plain(sentence)
	return greeting.MatchString(text) || thanks.MatchString(text) || english.Politeness.Has(text)
}

// talk finds out whether a question needs no query.
func (e *embeddedPlanner) talk(ctx context.Context, w Work) (talk, error) {
	text := plain(w.Task.Question)
	switch {
	case greeting.MatchString(text):
		return talk{kind: talkGreeting}, nil
	case thanks.MatchString(text):
		return talk{kind: talkThanks}, nil
	case help.MatchString(text):
		return talk{kind: talkHelp}, nil
	case about.MatchString(text):
		return talk{kind: talkData}, nil
	}
	named := described(text)
	if named == "" {
		return talk{}, nil
	}
	listed, _, err := e.datasets(ctx, w)
	for _, l := range listed {
		if sameNoun(l.Path.Dataset, named) {
			d, err := e.catalog.Dataset(ctx, w.Principal, l.Path, catalog.Read)
			return talk{talkColumns, d}, err
		}
	}
	return talk{}, err
}

// described returns what a question calls the dataset whose columns it asks for;
// empty when it asks for none.
func described(text string) string {
	for _, form := range columns {
		if m, ok := english.Groups(form, text); ok {
			return strings.TrimSuffix(strings.TrimSuffix(m.Text("dataset"), " table"), " dataset")
		}
	}
	return ""
}

// sameNoun reports whether a name and what people call it are the same.
func sameNoun(name, said string) bool {
	words := func(s string) string { return strings.Join(singulars(s), "") }
	return tree.SameName(name, said) || words(name) == words(said)
}

// singulars returns the words of a name, each in the form for one.
func singulars(name string) []string {
	all := english.NameWords(name)
	for i := range all {
		all[i] = english.Singular(all[i])
	}
	return all
}

// datasets lists what the asker sees in the namespace.
func (e *embeddedPlanner) datasets(ctx context.Context, w Work) (all []catalog.Listed, more bool, err error) {
	n, err := e.catalog.Namespace(ctx, w.Principal, w.In)
	if err != nil {
		return nil, false, err
	}
	return e.catalog.Datasets(ctx, w.Principal, catalog.Filter{Owner: n.Owner, Namespace: n.Name, Limit: knownDatasets})
}

// reply answers talk from the catalog.
func (e *embeddedPlanner) reply(ctx context.Context, w Work, t talk) (string, error) {
	if t.kind == talkThanks {
		return "You are welcome.", nil
	}
	if t.kind == talkColumns {
		return describe(t.dataset), nil
	}
	listed, more, err := e.datasets(ctx, w)
	if err != nil {
		return "", err
	}
	in := prose.Escape(w.In.Namespace)
	if len(listed) == 0 {
		return "There are no datasets in " + in + " yet that you can see. Once there are, ask about them in your own words.", nil
	}
	switch t.kind {
	case talkGreeting:
		return fmt.Sprintf("Hello! Ask me about the data in %s: %s.", in, named(listed, more)), nil
	case talkHelp:
		example := prose.Escape(prose.Noun(english.Spaced(listed[0].Path.Dataset), 2))
		return fmt.Sprintf("I answer questions about the data in %s: %s. "+
			"I read a question as a query, run it with your rights, show both, and answer from the rows. "+
			"Ask for counts, totals, averages, lists, the largest or the latest, per group or within a period; "+
			"ask several things at once, or to compare two; and go on from the answer before. "+
			"For example: “How many %s are there?”", in, named(listed, more), example), nil
	}
	return e.inventory(ctx, w, listed, more)
}

func named(listed []catalog.Listed, more bool) string {
	names := make([]string, 0, len(listed))
	for _, l := range listed[:min(len(listed), namedDatasets)] {
		names = append(names, prose.Escape(l.Path.Dataset))
	}
	if more || len(listed) > namedDatasets {
		return strings.Join(names, ", ") + " and others"
	}
	return english.List(names, "and")
}

// inventory is a table of the datasets.
func (e *embeddedPlanner) inventory(ctx context.Context, w Work, listed []catalog.Listed, more bool) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "These are the datasets in %s:\n\n| dataset | rows | columns |\n| --- | ---: | --- |", prose.Escape(w.In.Namespace))
	for _, l := range listed[:min(len(listed), namedDatasets)] {
		d, err := e.catalog.Dataset(ctx, w.Principal, l.Path, catalog.Read)
		if quern.Is(err, quern.NotFound) {
			continue // gone since it was listed
		}
		if err != nil {
			return "", err
		}
		names := make([]string, 0, prose.ShownColumns)
		for _, c := range d.Columns[:min(len(d.Columns), prose.ShownColumns)] {
			names = append(names, prose.EscapeCell(c.Name))
		}
		if len(d.Columns) > prose.ShownColumns {
			names = append(names, "…")
		}
		fmt.Fprintf(&b, "\n| %s | %s | %s |", prose.EscapeCell(d.Name), prose.Count(d.Rows), strings.Join(names, ", "))
	}
	if more || len(listed) > namedDatasets {
		b.WriteString("\n\nThere are others beside these.")
	}
	return b.String(), nil
}

// describe is a table of a dataset's columns.
func describe(d quern.Dataset) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s has %s %s", prose.Escape(english.Capitalize(d.Name)), prose.Count(d.Rows), prose.Rows(d.Rows))
	if d.Definition.DataDescription != nil && prose.Clean(*d.Definition.DataDescription) != "" {
		fmt.Fprintf(&b, " (%s)", prose.Escape(strings.TrimRight(*d.Definition.DataDescription, ". \n")))
	}
	if len(d.Columns) == 0 {
		return b.String() + " and no columns yet."
	}
	b.WriteString(" and these columns:\n\n| column | type | meaning |\n| --- | --- | --- |")
	shown := slices.Clone(d.Columns)[:min(len(d.Columns), namedColumns)]
	for _, c := range shown {
		meaning := prose.EscapeCell(d.Definition.SchemaDefinition[c.Name])
		fmt.Fprintf(&b, "\n| %s | %s | %s |", prose.EscapeCell(c.Name), prose.EscapeCell(string(c.Type)), meaning)
	}
	if len(d.Columns) > namedColumns {
		b.WriteString("\n\nThere are others beside these.")
	}
	return b.String()
}
