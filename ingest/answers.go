package ingest

import (
	"bytes"
	"context"
	"io"
	"time"

	"quern"
	"quern/store"
)

// answerLife is how long answers of models are kept for work that is begun again.
const answerLife = 24 * time.Hour

// keptAnswers keeps what models answered for an ingestion as objects, so that work
// that a crash cut off goes on where it was. They are swept like all that nobody
// claims.
type keptAnswers struct {
	service   *Service
	ingestion quern.IngestionID
}

func (k keptAnswers) key(name string) string {
	return "answers/" + string(k.ingestion) + "/" + name
}

// Answer returns what was kept.
func (k keptAnswers) Answer(ctx context.Context, key string) (answer []byte, ok bool, err error) {
	in, err := k.service.objects.Open(ctx, k.key(key), 0, -1)
	if quern.Is(err, quern.NotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer in.Close()
	const most = 16 << 20
	answer, err = io.ReadAll(io.LimitReader(in, most))
	return answer, err == nil, err
}

// Keep keeps an answer.
func (k keptAnswers) Keep(ctx context.Context, key string, answer []byte) error {
	object := k.key(key)
	err := k.service.store.Update(ctx, func(tx *store.Tx) error {
		return tx.InsertGarbage(ctx, object, k.service.now().Add(answerLife))
	})
	if err != nil {
		return err
	}
	return k.service.objects.Put(ctx, object, bytes.NewReader(answer), int64(len(answer)))
}
