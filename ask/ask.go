// Package ask owns the agents: how a question becomes a plan, each step of it a
// query, and the rows of the steps an answer in words.
//
// It keeps nothing: what a run has done so far comes in with every call, so that
// a run can be taken up after any of them. It never runs a query but as the
// asker, and never writes a number into an answer that is not in the rows. The
// failure it is built around is the fluent invention.
package ask

import (
	"context"
	"time"

	"quern"
	"quern/nlq"
)

// Agent answers questions. Calls come in order (Plan, then Step for each index,
// then Answer) but may come from different servers.
type Agent interface {
	// Plan says which steps should answer the question.
	Plan(ctx context.Context, w Work) (quern.Plan, error)
	// Step does one step of the plan. A step that cannot be read with
	// confidence has a Clarification, and the steps after it are not done.
	Step(ctx context.Context, w Work, index int) (quern.Step, error)
	// Answer writes the answer from the steps.
	Answer(ctx context.Context, w Work) (quern.Result, error)
}

// Work is a run as far as it has got, as its agent sees it.
type Work struct {
	Run          quern.RunID
	Conversation quern.ConversationID
	AskedAt      time.Time       // what "today" is relative to, whenever the work is done
	Principal    quern.Principal // as the asker's rights are now
	In           quern.NamespacePath
	Task         quern.Task
	Model        Model // the one that the task names
	// Earlier are the completed turns before this one, oldest first, and Choices
	// the readings that the last of them offered, if it asked back.
	Earlier []nlq.Turn
	Choices []quern.Choice
	Plan    quern.Plan   // zero before it is made
	Steps   []quern.Step // those done
	// Rows, if not nil, is where the rows of a step go beside those that are kept.
	Rows *Delivery
}
