package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"quern"
)

const runColumns = `id, conversation_id, actor_id, token_id, scopes, agent, namespace_owner, namespace, task, status, failure,
	after_id, thread_id, message_id, last_event, attempt, created_at, updated_at, ended_at`

// RunEvent is an event with what only the server needs of it, as JSON; nil when
// there is nothing.
type RunEvent struct {
	quern.RunEvent
	Kept json.RawMessage
}

// LockRuns keeps other transactions that lock a user's runs waiting until the
// end of this one.
func (tx *Tx) LockRuns(ctx context.Context, user quern.UserID) error {
	var id quern.UserID
	return tx.row(ctx, tx.lock(`SELECT id FROM users WHERE id = $1`), user)(&id)
}

// CountRunning counts a user's runs that have not ended.
func (tx *Tx) CountRunning(ctx context.Context, user quern.UserID) (n int, err error) {
	err = tx.row(ctx, `SELECT count(*) FROM runs WHERE actor_id = $1 AND status = 'running'`, user)(&n)
	return n, err
}

// InsertRun adds a run with its first events. It is held by l's holder until l
// ends; with no holder it can be taken from then on.
func (tx *Tx) InsertRun(ctx context.Context, r quern.Run, l quern.Lease, events []RunEvent) error {
	scopes, err := encode(r.Scopes)
	if err != nil {
		return err
	}
	task, err := encode(r.Task)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `INSERT INTO runs (id, conversation_id, actor_id, token_id, scopes, agent, namespace_owner, namespace, task, status,
		last_event, attempt, holder, due_at, created_at, updated_at, after_id, thread_id, message_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17, $18)`,
		r.ID, r.Conversation, r.Actor, r.Token, scopes, r.Agent, r.In.Owner, r.In.Namespace, task, r.Status,
		r.Last, r.Attempt, l.Holder, micros(l.Until), micros(r.CreatedAt), orNull(r.After), orNull(r.Thread), r.Message)
	if err != nil {
		return err
	}
	return tx.insertRunEvents(ctx, r.ID, events)
}

func (tx *Tx) insertRunEvents(ctx context.Context, id quern.RunID, events []RunEvent) error {
	for _, e := range events {
		kept := sql.NullString{String: string(e.Kept), Valid: e.Kept != nil}
		if _, err := tx.exec(ctx, `INSERT INTO run_events (run_id, seq, type, data, kept, at) VALUES ($1, $2, $3, $4, $5, $6)`,
			id, e.Seq, e.Type, string(e.Data), kept, micros(e.At)); err != nil {
			return err
		}
	}
	return nil
}

func scanRun(scan func(...any) error, more ...any) (r quern.Run, err error) {
	var scopes, task, failure, after, thread sql.NullString
	var created, updated, ended sql.NullInt64
	if err := scan(append([]any{&r.ID, &r.Conversation, &r.Actor, &r.Token, &scopes, &r.Agent, &r.In.Owner, &r.In.Namespace, &task,
		&r.Status, &failure,
		&after, &thread, &r.Message, &r.Last, &r.Attempt, &created, &updated, &ended}, more...)...); err != nil {
		return r, err
	}
	r.After, r.Thread = quern.RunID(after.String), quern.RunID(thread.String)
	r.CreatedAt, r.UpdatedAt, r.EndedAt = instant(created), instant(updated), instant(ended)
	if err := decode(scopes, &r.Scopes); err != nil {
		return r, err
	}
	if err := decode(task, &r.Task); err != nil {
		return r, err
	}
	return r, decode(failure, &r.Failure)
}

// Run returns a run without what its events hold, or NotFound.
func (tx *Tx) Run(ctx context.Context, id quern.RunID) (quern.Run, error) {
	return scanRun(tx.row(ctx, `SELECT `+runColumns+` FROM runs WHERE id = $1`, id))
}

// LockRun is Run for a change, with the run's holder: it stays as it is until the
// transaction ends.
func (tx *Tx) LockRun(ctx context.Context, id quern.RunID) (r quern.Run, holder string, err error) {
	r, err = scanRun(tx.row(ctx, tx.lock(`SELECT `+runColumns+`, holder FROM runs WHERE id = $1`), id), &holder)
	return r, holder, err
}

// RunContent fills a run with what its events hold: the plan, the steps, the result.
// Without rows, of each only what the server keeps for itself.
func (tx *Tx) RunContent(ctx context.Context, r *quern.Run, rows bool) error {
	r.Plan, r.Steps, r.Result = nil, nil, nil
	data := `'{}'`
	if rows {
		data = `data`
	}
	return tx.each(ctx, `SELECT type, `+data+`, kept FROM run_events WHERE run_id = $1 AND type IN ('plan', 'step', 'answer') ORDER BY seq`,
		[]any{r.ID}, func(scan func(...any) error) error {
			var kind quern.RunEventType
			var data, kept sql.NullString
			if err := scan(&kind, &data, &kept); err != nil {
				return err
			}
			var dest any
			switch kind {
			case quern.EventPlan:
				r.Plan = &quern.Plan{}
				dest = r.Plan
			case quern.EventStep:
				r.Steps = append(r.Steps, quern.Step{})
				dest = &r.Steps[len(r.Steps)-1]
			default:
				r.Result = &quern.Result{}
				dest = r.Result
			}
			// What is kept lies on top of what is shown.
			return errors.Join(decode(data, dest), decode(kept, dest))
		})
}

// RunFilter narrows a list of runs, in which those of unlisted conversations are
// not. Members after Actor do not narrow when they
// are empty.
type RunFilter struct {
	Actor        quern.UserID
	Token        quern.TokenID // only those that this token asked
	Conversation quern.ConversationID
	Agent        quern.AgentKind
	Status       quern.RunStatus
	AskedBack    *bool
	Since        time.Time // only those that changed at or after it
	Latest       bool      // only those that no other run comes after
	Failed       bool      // only those that failed or expired
	// Before is the last entry of the page before.
	Before Position
	Limit  int
}

func (f RunFilter) where() (w where) {
	w.add("actor_id = ", f.Actor)
	w.also("NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = runs.conversation_id AND c.unlisted = 1)")
	if f.Token != "" {
		w.add("token_id = ", f.Token)
	}
	if f.Conversation != "" {
		w.add("conversation_id = ", f.Conversation)
	}
	if f.Agent != "" {
		w.add("agent = ", f.Agent)
	}
	if f.Status != "" {
		w.add("status = ", f.Status)
	}
	if f.AskedBack != nil {
		asked := 0
		if *f.AskedBack {
			asked = 1
		}
		w.add("asked_back = ", asked)
	}
	if !f.Since.IsZero() {
		w.add("updated_at >= ", micros(f.Since))
	}
	if f.Failed {
		w.also("status IN ('failed', 'expired')")
	}
	if f.Latest {
		w.also("NOT EXISTS (SELECT 1 FROM runs later WHERE later.after_id = runs.id)")
	}
	return w
}

// Runs lists runs without what their events hold, latest change first.
func (tx *Tx) Runs(ctx context.Context, f RunFilter) ([]quern.Run, error) {
	w := f.where()
	w.before(f.Before)
	return tx.runs(ctx, w.text+` ORDER BY updated_at DESC, id DESC`+w.limit(f.Limit), w.args)
}

// CountRuns counts what all pages of Runs hold together.
func (tx *Tx) CountRuns(ctx context.Context, f RunFilter) (n int, err error) {
	w := f.where()
	err = tx.row(ctx, `SELECT count(*) FROM runs`+w.text, w.args...)(&n)
	return n, err
}

// TurnFilter says which turns of a conversation are wanted.
type TurnFilter struct {
	Conversation quern.ConversationID
	Token        quern.TokenID // only those that this token asked; empty: all
	// After is the last entry of the page before.
	After Position
	Limit int // 0: all
}

// Turns lists the runs of a conversation, oldest first.
func (tx *Tx) Turns(ctx context.Context, f TurnFilter) ([]quern.Run, error) {
	var w where
	w.add("conversation_id = ", f.Conversation)
	if f.Token != "" {
		w.add("token_id = ", f.Token)
	}
	if f.After.ID != "" {
		w.also("(created_at, id) > (" + w.arg(micros(f.After.At)) + ", " + w.arg(f.After.ID) + ")")
	}
	tail := w.text + ` ORDER BY created_at, id`
	if f.Limit > 0 {
		tail += w.limit(f.Limit)
	}
	return tx.runs(ctx, tail, w.args)
}

// CompletedTurns lists the last completed runs of a conversation that were asked
// before a run of it, newest first; where a token is named, only those that it
// asked.
func (tx *Tx) CompletedTurns(ctx context.Context, r quern.Run, token quern.TokenID, limit int) ([]quern.Run, error) {
	var w where
	w.add("conversation_id = ", r.Conversation)
	w.also("status = 'completed'")
	w.also("(created_at, id) < (" + w.arg(micros(r.CreatedAt)) + ", " + w.arg(r.ID) + ")")
	if token != "" {
		w.add("token_id = ", token)
	}
	return tx.runs(ctx, w.text+` ORDER BY created_at DESC, id DESC`+w.limit(limit), w.args)
}

func (tx *Tx) runs(ctx context.Context, tail string, args []any) (all []quern.Run, err error) {
	err = tx.each(ctx, `SELECT `+runColumns+` FROM runs`+tail, args, func(scan func(...any) error) error {
		r, err := scanRun(scan)
		all = append(all, r)
		return err
	})
	return all, err
}

// errEnough ends the reading of events.
var errEnough = errors.New("enough events")

// RunEvents lists a run's events behind a number, in order: up to a count, and
// no more once they hold some bytes.
func (tx *Tx) RunEvents(ctx context.Context, id quern.RunID, after int64, count, bytes int) (all []quern.RunEvent, err error) {
	err = tx.each(ctx, `SELECT seq, type, data, at FROM run_events WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
		[]any{id, after, count}, func(scan func(...any) error) error {
			var e quern.RunEvent
			var data string
			var at sql.NullInt64
			if err := scan(&e.Seq, &e.Type, &data, &at); err != nil {
				return err
			}
			e.Data, e.At = json.RawMessage(data), instant(at)
			all = append(all, e)
			if bytes -= len(data); bytes <= 0 {
				return errEnough
			}
			return nil
		})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return all, err
}

// takeRun is how runs are taken.
var takeRun = taking{table: "runs", working: "'running'", columns: runColumns}

// TakeRun takes a run for the holder that is due, but none of those in hand: of
// whoever has the fewest in hand, the one that has been due longest. NotFound
// when none is due.
func (tx *Tx) TakeRun(ctx context.Context, c quern.Claim, inHand []string) (r quern.Run, s quern.Suspicion, err error) {
	r, err = scanRun(tx.take(ctx, takeRun, c, inHand), &s)
	return r, s, err
}

// KeepRun extends a lease and reports whether it still held.
func (tx *Tx) KeepRun(ctx context.Context, id quern.RunID, l quern.Lease, onTrial bool) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE runs SET due_at = $3, `+endTrial(onTrial)+` WHERE id = $1 AND holder = $2 AND status = 'running'`,
		id, l.Holder, micros(l.Until))
	return n == 1, err
}

// PutBackRun ends a lease so that the run may be taken again at once; the attempt
// does not count.
func (tx *Tx) PutBackRun(ctx context.Context, id quern.RunID, holder string, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE runs SET holder = '', due_at = $3, attempt = attempt - 1, `+endTrial(false)+`
		WHERE id = $1 AND holder = $2 AND status = 'running'`, id, holder, micros(at))
	return err
}

// FreeRuns ends all leases, for a server that knows that it is alone.
func (tx *Tx) FreeRuns(ctx context.Context, now time.Time) error {
	_, err := tx.exec(ctx, `UPDATE runs SET due_at = $1 WHERE status = 'running' AND due_at > $1`, micros(now))
	return err
}

// AdvanceRun adds events to a run that has not ended and moves it to r's status.
// It reports whether the holder still had it and nobody else added an event. What
// was held against the run before is forgotten.
func (tx *Tx) AdvanceRun(ctx context.Context, r quern.Run, holder string, events []RunEvent) (bool, error) {
	failure, err := encode(r.Failure)
	if err != nil {
		return false, err
	}
	asked := 0
	if r.AskedBack() {
		asked = 1
	}
	n, err := tx.exec(ctx, `UPDATE runs SET status = $4, failure = $5, asked_back = $6, last_event = $7, suspicion = 0,
		updated_at = $8, ended_at = $9
		WHERE id = $1 AND holder = $2 AND status = 'running' AND last_event = $3`,
		r.ID, holder, r.Last-int64(len(events)), r.Status, failure, asked, r.Last, micros(r.UpdatedAt), micros(r.EndedAt))
	if err != nil || n == 0 {
		return false, err
	}
	return true, tx.insertRunEvents(ctx, r.ID, events)
}

// DeleteRun removes a run with its events.
func (tx *Tx) DeleteRun(ctx context.Context, id quern.RunID) error {
	_, err := tx.exec(ctx, `DELETE FROM runs WHERE id = $1`, id)
	return err
}

// OverdueRuns lists runs that were asked before a time and have not ended.
func (tx *Tx) OverdueRuns(ctx context.Context, before time.Time, limit int) (ids []quern.RunID, err error) {
	err = tx.each(ctx, `SELECT id FROM runs WHERE status = 'running' AND created_at < $1 ORDER BY created_at LIMIT $2`,
		[]any{micros(before), limit}, func(scan func(...any) error) error {
			var id quern.RunID
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
	return ids, err
}

// DeleteEndedRuns removes runs that ended before a time, a number of them at most,
// and the conversations that are then empty and as old. It returns how many runs
// it removed.
func (tx *Tx) DeleteEndedRuns(ctx context.Context, before time.Time, limit int) (int64, error) {
	n, err := tx.exec(ctx, `DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)`,
		micros(before), limit)
	if err != nil || n == 0 {
		return n, err
	}
	_, err = tx.exec(ctx, `DELETE FROM conversations WHERE updated_at < $1
		AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.conversation_id = conversations.id)`, micros(before))
	return n, err
}

// LastStepEvent returns the number of the event of the last step that a run has
// done, 0 when it has done none.
func (tx *Tx) LastStepEvent(ctx context.Context, id quern.RunID) (seq int64, err error) {
	err = tx.row(ctx, `SELECT coalesce(max(seq), 0) FROM run_events WHERE run_id = $1 AND type = 'step'`, id)(&seq)
	return seq, err
}
