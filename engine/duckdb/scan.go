package duckdb

import (
	"context"
	"fmt"
	"sync"

	"quern/engine"
	"quern/queue"
)

// newOwnJob makes a job that no time limit ends.
func (e *Engine) newOwnJob(ctx context.Context, at *queue.Queue) (*job, error) {
	leave, err := e.enter(ctx, at, "")
	if err != nil {
		return nil, err
	}
	unwatch := e.watch.enter(nil)
	return &job{engine: e, caller: ctx, ctx: ctx, finish: sync.OnceFunc(func() { unwatch(); leave() })}, nil
}

// Scan streams rows in order of id, one statement for all segments.
func (e *Engine) Scan(ctx context.Context, t engine.Table, from, limit int64) (engine.Rows, error) {
	j, err := e.newOwnJob(ctx, e.scans)
	if err != nil {
		return nil, err
	}
	rows, err := j.scan(t, from, limit)
	if err != nil {
		err = j.explain(markOwn(err))
		j.close()
		return nil, err
	}
	return rows, nil
}

func (j *job) scan(t engine.Table, from, limit int64) (*rows, error) {
	j.tables = tablePaths(t, from)
	name, err := j.open(j.tables)
	if err != nil {
		return nil, err
	}
	sql, err := tableSQL(t, from, name)
	if err != nil {
		return nil, err
	}
	if limit >= 0 {
		sql = fmt.Sprintf("SELECT * FROM (%s) LIMIT %d", sql, limit)
	}
	s, err := j.in.stream(j.ctx, sql)
	if err != nil {
		return nil, err
	}
	r := newRows(j, s, -1)
	if len(t.Columns) == 0 {
		r.columns = nil
	}
	return r, nil
}
