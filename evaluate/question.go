package evaluate

import (
	"context"
	"fmt"
	"strings"

	"quern"
	"quern/ask"
	"quern/knowledge"
	"quern/nlq"
	"quern/nlq/judge"
	"quern/query"
)

// mostRows is how many rows are compared.
const mostRows = 5_000

// question is a question whose answer is known.
type question struct {
	kind, entry string
	text        string
	query       *string // nil: the data do not answer it
	without     string  // the verified question that is left out; empty: none
}

// questionsOf returns what an evaluation asks: the tests, and every wording of the
// verified questions, each without the entry that it is of.
func questionsOf(d *knowledge.Document) []question {
	var all []question
	for _, t := range d.Tests {
		all = append(all, question{kind: "tests", entry: t.Question, text: t.Question, query: t.Query})
	}
	for _, v := range d.Verified {
		for _, wording := range v.Questions {
			all = append(all, question{kind: "verified", entry: v.Name, text: v.Filled(wording), query: &v.Query, without: v.Name})
		}
	}
	return all
}

// asker puts the questions of one evaluation.
type asker struct {
	service   *Service
	principal quern.Principal
	in        quern.NamespacePath
	model     ask.Model
	questions []question
	left      int // how many were left out
	subject   quern.EvaluationSubject
}

// put asks a question and says how it went. It fails where that cannot be told now.
func (a *asker) put(ctx context.Context, q question) (quern.Verdict, error) {
	v := quern.Verdict{Kind: q.kind, Entry: q.entry, Question: q.text}
	var want [][]any
	if q.query != nil {
		var err error
		if want, err = a.rows(ctx, *q.query); err != nil {
			if passing(err) {
				return v, err
			}
			v.Mark, v.Reason = quern.MarkBad, "its own query does not run: "+err.Error()
			return v, nil
		}
	}
	t, err := a.model.Translator.Translate(ctx, a.principal, nlq.Question{In: a.in, Text: q.text, Now: a.service.o.Now(), Without: q.without})
	if err != nil {
		return v, err
	}
	v.Query = t.SQL
	v.Mark, v.Reason, err = a.mark(ctx, q, t, want)
	return v, err
}

// mark says how a question went that was read in a way.
func (a *asker) mark(ctx context.Context, q question, t nlq.Translation, want [][]any) (quern.Mark, string, error) {
	switch {
	case t.Clarification != nil && q.query == nil:
		return quern.MarkGood, "", nil
	case q.query == nil:
		return quern.MarkBad, "it was answered, though the data do not tell", nil
	case t.Clarification != nil && len(t.Clarification.Choices) > 0:
		return quern.MarkReview, "it was asked back: " + t.Clarification.Question, nil
	case t.Clarification != nil:
		return quern.MarkBad, "it was not answered: " + t.Clarification.Question, nil
	}
	got, err := a.rows(ctx, t.SQL)
	if err != nil {
		if passing(err) {
			return "", "", err
		}
		return quern.MarkBad, "the query does not run: " + err.Error(), nil
	}
	switch {
	case len(want) > mostRows || len(got) > mostRows:
		return quern.MarkReview, fmt.Sprintf("there are more than %d rows, which are not compared", mostRows), nil
	case !judge.Same(want, got, judge.OrderOf(*q.query)):
		return quern.MarkBad, fmt.Sprintf("it has other rows: %s instead of %s", count(got), count(want)), nil
	case len(want) == 0:
		return quern.MarkReview, "both queries find nothing, which says little", nil
	case t.Doubt:
		return quern.MarkReview, "it has the right rows, with a note of doubt: " + strings.Join(t.Notes, " "), nil
	}
	return quern.MarkGood, "", nil
}

// count writes how many rows there are, or the one value of one row.
func count(rows [][]any) string {
	if len(rows) == 1 && len(rows[0]) == 1 {
		return quern.Clip(fmt.Sprint(rows[0][0]), 40)
	}
	return fmt.Sprintf("%d rows", len(rows))
}

// rows runs a query as the asker.
func (a *asker) rows(ctx context.Context, sql string) ([][]any, error) {
	return judge.Rows(ctx, a.service.o.Query, a.principal, query.Request{In: a.in, SQL: sql, MaxRows: mostRows + 1})
}
