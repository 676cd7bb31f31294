package feedback

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/store"
)

// Filter narrows a list of rated runs. Zero members do not narrow.
type Filter struct {
	ThumbsUp *bool
	In       quern.NamespacePath
	After    string // Next of the page before
	Limit    int
}

// Rated is a run that was rated, with its queries but without rows.
type Rated struct {
	Run      quern.Run
	Feedback quern.Feedback
}

// Page is some of the rated runs, latest rated first.
type Page struct {
	Rated []Rated
	Next  string // empty on the last page
}

// Rated lists the runs that the principal rated, latest rated first. Malformed
// when After is not from a page.
func (s *Service) Rated(ctx context.Context, p quern.Principal, f Filter) (page Page, err error) {
	before, err := position(f.After)
	if err != nil {
		return page, err
	}
	in := store.FeedbackFilter{Actor: p.User.ID, In: f.In, ThumbsUp: f.ThumbsUp, Token: p.OnlyToken(), Before: before, Limit: f.Limit + 1}
	if in.In.Owner == quern.Self || in.In.Owner == "" {
		in.In.Owner = p.User.Username
	}
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		page = Page{}
		runs, err := tx.RatedRuns(ctx, in)
		if err != nil {
			return err
		}
		if len(runs) > f.Limit {
			runs = runs[:f.Limit]
			last := runs[f.Limit-1].Feedback
			page.Next = fmt.Sprintf("%d.%s", last.GivenAt.UnixMicro(), last.Run)
		}
		for _, one := range runs {
			if one.Run.Steps, err = tx.RunQueries(ctx, one.Run.ID); err != nil {
				return err
			}
			page.Rated = append(page.Rated, Rated(one))
		}
		return nil
	})
	return page, err
}

func position(cursor string) (store.Position, error) {
	if cursor == "" {
		return store.Position{}, nil
	}
	at, id, _ := strings.Cut(cursor, ".")
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil || !quern.ValidID(id) {
		return store.Position{}, quern.E(quern.Malformed, quern.CodeMalformedParameter, "the cursor is not one that a page gave")
	}
	return store.Position{At: time.UnixMicro(micros).UTC(), ID: id}, nil
}

// exportPage is how many runs an export reads at once.
const exportPage = 50

// Export returns a case for every query of the runs that Rated lists. A run of
// several steps has one for each, whose question is the step's instruction; one
// that asked back, and so has no query, has none.
func (s *Service) Export(ctx context.Context, p quern.Principal, f Filter) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		for f.Limit = exportPage; ; {
			page, err := s.Rated(ctx, p, f)
			if err != nil {
				yield(Case{}, err)
				return
			}
			for _, one := range page.Rated {
				for _, c := range cases(one) {
					if !yield(c, nil) {
						return
					}
				}
			}
			if f.After = page.Next; f.After == "" {
				return
			}
		}
	}
}
