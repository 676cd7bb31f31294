package embedded

import (
	"context"
	"fmt"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/apart"
	"quern/nlq/feature"
	"quern/nlq/follow"
	"quern/nlq/ground"
	"quern/nlq/plain"
	"quern/nlq/schema"
	"quern/nlq/settle/absence"
	"quern/nlq/settle/amount"
	"quern/nlq/settle/label"
	"quern/nlq/settle/period"
	"quern/nlq/sign"
	"quern/tree"
)

// reader reads one question of one asker.
type reader struct {
	*Translator
	*ground.Asked
	principal quern.Principal
	known     tree.Schema // all that the asker sees, as queries are validated
}

// read returns how the question is read: as a reading that was offered, as a
// change of the previous query, together with the questions before it, as a question
// about the previous rows, or by itself.
func (r *reader) read(ctx context.Context) (nlq.Translation, error) {
	if !hasColumns(r.Whole.Schema) {
		return ask(nothingThere(r.Whole.Schema)), nil
	}
	t, err := r.readThere(ctx)
	if err == nil {
		r.noteRowless(&t)
	}
	return t, err
}

// readThere reads a question about datasets that have columns.
func (r *reader) readThere(ctx context.Context) (nlq.Translation, error) {
	if c, ok := r.offered(); ok {
		return c.translation(1), nil
	}
	if c, ok := r.outOfScope(); ok {
		return ask(c), nil
	}
	if c, ok := r.verified(); ok {
		return c, nil
	}
	return r.readSpelled(ctx)
}

// readAnew reads a question that nobody has answered before.
func (r *reader) readAnew(ctx context.Context) (nlq.Translation, error) {
	if t, ok := r.readChange(); ok {
		return t, nil
	}
	if c, ok := r.declines(r.Question.Text); ok {
		return ask(c), nil
	}
	if c, unclear, ok := r.askMeaning(); ok {
		back := ask(c)
		back.Words = []quern.Word{unclear}
		return back, nil
	}
	if t, ok, err := r.readTogether(ctx); ok || err != nil {
		return t, err
	}
	plain, read := plain.Of(r.Asked).Text()
	said := ground.Wording{Text: plain}
	if previous := r.Question.Previous; previous != nil {
		ref, lost := follow.Refer(r.Whole, *previous, r.Question.Text)
		if lost {
			return ask(r.unrelated()), nil
		}
		if ref != nil {
			said = ground.Wording{Text: ref.Text, Rows: ref.Rows}
		}
	}
	t, err := r.alone(ctx, said)
	switch {
	case err != nil || t.Query == nil:
	case r.foretells(t.Query):
		return ask(r.refuse(noFuture)), nil
	case english.IntentOf(r.Question.Text) == english.Reason && !r.readsReasons(t.Query):
		return ask(r.refuse(noReason)), nil
	}
	t.Words = ground.Place(asSaid(&t, read), said.Text, r.Question.Text)
	if err == nil {
		r.noteWords(&t)
		absence.NoteVoid(r.Asked, &t)
		absence.NotePresent(r.Asked, &t)
		label.NoteOwner(r.Asked, &t)
		label.NoteNamesakes(r.Asked, &t)
		absence.NoteNeither(r.Asked, &t)
		absence.NoteCame(r.Asked, &t)
		absence.NoteTook(r.Asked, &t)
		amount.NoteSigned(r.Asked, &t)
		absence.NoteOut(r.Asked, &t)
		period.NoteEvery(r.Asked, &t)
		r.noteBefore(&t, said.Rows != nil)
	}
	return t, err
}

// readChange reads a question that changes the query before it, as rules know it; ok is
// false when it is none.
func (r *reader) readChange() (t nlq.Translation, ok bool) {
	if r.Question.Previous == nil || !r.Uses(ground.FollowedUp) {
		return t, false
	}
	switch edited, doubts := r.edited(*r.Question.Previous); len(edited) {
	case 0:
		return t, false
	case 1:
		return r.accountEdited(edited[0].translation(follow.Confidence), doubts), true
	default:
		return ask(r.which(edited)), true
	}
}

// noteBefore says of a reading that no rule made of the query before, be it of the questions
// together or of one alone, why it is to be doubted in a conversation: what it goes on from was in doubt, or it goes on from
// nothing though its words do.
func (r *reader) noteBefore(t *nlq.Translation, refers bool) {
	if r.Question.Previous == nil || t.Query == nil {
		return
	}
	var notes []string
	if refers {
		notes = r.doubtsBefore()
	} else if follow.Hangs(r.Whole, r.Question.Text) {
		notes = []string{"I read this as a question of its own. If it goes on from the one before, please ask the whole question."}
	}
	t.Notes, t.Doubt = append(t.Notes, notes...), t.Doubt || len(notes) > 0
}

// doubtsBefore says why what goes on from the turn before is to be doubted.
func (r *reader) doubtsBefore() []string {
	var notes []string
	previous := r.Question.Previous
	if previous.Doubt {
		notes = append(notes, "I was not sure of the answer before, and this one goes on from it.")
	}
	if previous.Behind != "" {
		notes = append(notes, fmt.Sprintf("I had no answer to %q; this goes on from %q.", previous.Behind, previous.Question))
	}
	return notes
}

// edited returns the previous query as the question changes it, once for each way
// to understand it, and why that is to be doubted; none when the question is no
// follow-up.
func (r *reader) edited(previous nlq.Turn) (all []*candidate, doubts []string) {
	change := follow.Edit(r.Whole, previous, r.Question.Text, r.Question.Now)
	for _, q := range change.Queries {
		if c, ok := r.candidate(q, change.Score); ok {
			all = append(all, c)
		}
	}
	return all, change.Doubts
}

// alone reads a text that stands on its own, in parts where it has them.
func (r *reader) alone(ctx context.Context, w ground.Wording) (nlq.Translation, error) {
	if r.Uses(ground.Said) {
		if t, ok, err := r.parts().Read(ctx, w); ok || err != nil {
			return t, err
		}
	}
	return r.readWhole(ctx, w)
}

// parts returns what reads texts in parts, each of them by this reader.
func (r *reader) parts() apart.Reader {
	return apart.Reader{
		Asked:     r.Asked,
		ReadWhole: r.readWhole,
		ReadAlone: r.alone,
		Translate: func(q *tree.Query, score, confidence float64) (t nlq.Translation, ok bool) {
			c, ok := r.candidate(q, score)
			if ok {
				t = c.translation(confidence)
			}
			return t, ok
		},
		Ground: func(w ground.Wording) *ground.Grounding { return r.ground(w).Grounding },
	}
}

// readWhole reads a text that one query of the networks answers, and once more where
// nothing answers to a word that may mean something else.
func (r *reader) readWhole(ctx context.Context, w ground.Wording) (nlq.Translation, error) {
	g := r.ground(w)
	t, err := g.readOnce(ctx)
	if err != nil || t.Clarification == nil || g.unknown == nil || !g.Uses(ground.Reworded) {
		return t, err
	}
	return g.reword(ctx, t)
}

// readOnce reads a text as it stands.
func (g *grounding) readOnce(ctx context.Context) (nlq.Translation, error) {
	candidates, err := g.propose(ctx)
	if err != nil {
		return nlq.Translation{}, err
	}
	if g.evidence() == noEvidence && !g.isUnderstood() {
		back := ask(g.unrelated())
		back.Words = g.unknownWords()
		return back, nil
	}
	return g.choose(ctx, candidates)
}

// propose returns the readings of a text that the networks find likeliest, run.
func (g *grounding) propose(ctx context.Context) ([]*candidate, error) {
	if err := g.encode(ctx); err != nil {
		return nil, err
	}
	all, err := g.candidates(ctx)
	if err != nil {
		return nil, err
	}
	return all, g.execute(ctx, all)
}

// grounding is a text and how it relates to the data: what the networks read.
type grounding struct {
	*reader
	*ground.Grounding
	meanings []float32      // of its words, the columns and the tables; nil: the networks read none
	told     []float64      // by the networks: how likely nothing answers to each word
	asked    *sign.Question // the text as signs see it
	unknown  *account.Word  // the word to which nothing answers, where that is why it is asked back
}

// ground narrows the schema to what a text may be about, and relates the two.
func (r *reader) ground(w ground.Wording) *grounding {
	now := r.Question.Now
	narrow := feature.Narrow(r.Whole.Schema, w.Text, r.Vectors, now, maxColumns)
	features := feature.Extract(narrow, w.Text, r.Vectors, now)
	return &grounding{
		reader:    r,
		Grounding: &ground.Grounding{Asked: r.Asked, Wording: w, View: schema.View{Schema: narrow, In: r.Whole.In}, Features: features},
		asked:     sign.About(w.Text, narrow, features, r.Vectors),
	}
}
