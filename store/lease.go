package store

import (
	"context"

	"quern"
)

// taking says how work of one kind is taken: rows of a table with the columns
// actor_id, status, holder, due_at, attempt and suspicion.
type taking struct {
	table   string
	working string // the statuses of work that is to be done
	columns string // to be read
	set     string // what else changes, if anything
}

// fresh is work that no server has died over.
const fresh = `holder = '' AND suspicion = 0`

// take takes work for a claim and reads it, with its suspicion. A holder whose
// lease ran out has died: its work is suspected, and on trial with whoever takes
// it; a death during a trial is counted, until the work is guilty. An attempt that a
// server died over does not count: it has not failed. Suspects come first,
// so that they are cleared soon; of the others those come first whose actor has
// the fewest in hand.
func (tx *Tx) take(ctx context.Context, t taking, c quern.Claim, inHand []string) func(...any) error {
	w := where{args: []any{c.Holder, micros(c.Until), micros(c.Now)}}
	due := `status IN (` + t.working + `) AND due_at <= $3`
	w.also(due)
	if !c.Suspects {
		w.also(fresh)
	}
	for _, id := range inHand {
		w.add("id <> ", id)
	}
	for _, user := range c.Busy {
		w.add("actor_id <> ", user)
	}
	set := `holder = $1, due_at = $2, attempt = CASE WHEN holder = '' THEN attempt + 1 ELSE attempt END,
		suspicion = CASE WHEN ` + fresh + ` THEN 0 WHEN holder <> '' AND suspicion > 1 THEN suspicion + 1 ELSE 2 END`
	if t.set != "" {
		set += ", " + t.set
	}
	return tx.row(ctx, `UPDATE `+t.table+` SET `+set+` WHERE id = (SELECT id FROM `+t.table+w.text+`
		ORDER BY CASE WHEN `+fresh+` THEN 1 ELSE 0 END,
			(SELECT count(*) FROM `+t.table+` other WHERE other.actor_id = `+t.table+`.actor_id
				AND other.status IN (`+t.working+`) AND other.holder <> '' AND other.due_at > $3),
			due_at, id LIMIT 1`+tx.dialect.skipLocked+`) AND `+due+`
		RETURNING `+t.columns+`, suspicion`, w.args...)
}

// endTrial is what a statement that writes for the holder of a lease sets: work
// that is no longer the only suspect of its server stays one.
func endTrial(onTrial bool) string {
	if onTrial {
		return `suspicion = suspicion`
	}
	return `suspicion = CASE WHEN suspicion > 1 THEN 1 ELSE suspicion END`
}
