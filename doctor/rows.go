package doctor

import (
	"context"
	"fmt"

	"quern"
	"quern/store"
)

// rowsFrom is the first version of the schema that has a journal.
const rowsFrom = 28

// rows looks whether datasets have as many rows as their segments and the journal.
func (e *examination) rows(ctx context.Context, check string) error {
	if e.schema < rowsFrom {
		e.add(Finding{Check: check, Level: Note, Text: "not looked at: the metadata are from before there was a journal"})
		return nil
	}
	var wrong []quern.DatasetID
	err := e.Store.View(ctx, func(tx *store.Tx) (err error) {
		wrong, err = tx.MiscountedDatasets(ctx)
		return err
	})
	if err != nil || len(wrong) == 0 {
		return err
	}
	f := Finding{Check: check, Level: Problem, Count: len(wrong),
		Text: fmt.Sprintf("%d datasets do not have the rows that the metadata say: restore a backup that has them", len(wrong))}
	for _, id := range wrong[:min(len(wrong), mostKeys)] {
		f.Keys = append(f.Keys, string(id))
	}
	e.add(f)
	return nil
}
