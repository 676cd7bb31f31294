package quern

import "time"

type (
	// EvaluationID identifies an evaluation.
	EvaluationID string
	// EvaluationStatus is where an evaluation has got to.
	EvaluationStatus string
	// Mark is how a question of an evaluation went.
	Mark string
)

// The statuses. The last two are final.
const (
	EvaluationPending    EvaluationStatus = "pending"
	EvaluationProcessing EvaluationStatus = "processing"
	EvaluationCompleted  EvaluationStatus = "completed"
	EvaluationFailed     EvaluationStatus = "failed"
)

// The marks.
const (
	MarkGood   Mark = "good"
	MarkBad    Mark = "bad"
	MarkReview Mark = "review" // somebody should look at it
)

// Evaluation asks the questions of a namespace whose answers are known, and keeps how
// each went.
type Evaluation struct {
	ID        EvaluationID
	Namespace NamespaceID
	In        NamespacePath
	// Actor asked for it, with Token where an API token was used: questions are asked
	// under these rights, as they are when they are asked.
	Actor   UserID
	Token   TokenID
	By      string // the actor's username
	Status  EvaluationStatus
	Attempt int    // how often the work was begun
	Message string // why it failed, or what its reader should know
	Subject EvaluationSubject
	// Total is how many questions there are and Done how many were asked; of these so
	// many are good, bad and for review.
	Total, Done       int
	Good, Bad, Review int
	CreatedAt         time.Time
	EndedAt           time.Time // zero until the status is final
}

// EvaluationSubject is what an evaluation is of. Two evaluations of the same subject
// should go alike.
type EvaluationSubject struct {
	Knowledge int64  // the version
	Data      string // a digest of the datasets and their versions
	Release   string // of the server
	Model     string // that read the questions
}

// Verdict is how one question of an evaluation went.
type Verdict struct {
	Kind     string // tests or verified
	Entry    string // what the entry is called
	Question string
	Mark     Mark
	Reason   string // why it is not good
	Query    string // how the question was read; empty: it was not
}
