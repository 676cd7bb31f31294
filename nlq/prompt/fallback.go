package prompt

import (
	"context"
	"log/slog"

	"quern"
	"quern/llm"
	"quern/nlq"
)

// Fallback reads questions with a model, and with the embedded translator when
// the model cannot be had: it is away, slow, busy, over its budget, or writes nothing that
// can be used. The translation says so.
type Fallback struct {
	Model, Embedded nlq.Translator
	Log             *slog.Logger
}

var _ nlq.Translator = Fallback{}

// Translate asks the model first.
func (f Fallback) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	got, err := f.Model.Translate(ctx, p, q)
	note, ok := Without(ctx, err, f.Log)
	if !ok {
		return got, err
	}
	if got, err = f.Embedded.Translate(ctx, p, q); err == nil {
		got.Notes = append(got.Notes, note+"; the embedded translator answered")
	}
	return got, err
}

// Without reports whether an error is one that the embedded parts can stand in
// for, says why in a clause, and leaves the cause in the log. What is not the
// model's failure, the asker's leaving included, stays an error.
func Without(ctx context.Context, err error, log *slog.Logger) (note string, ok bool) {
	f, isFault := llm.FaultOf(err)
	if !isFault || ctx.Err() != nil {
		return "", false
	}
	log.WarnContext(ctx, "a model could not be used", "error", err)
	return f.Reason.Note(), true
}
