package app

import (
	"context"
	"slices"
	"time"

	"quern/lease"
	"quern/server"
	"quern/store"
	"quern/trace"
)

// standingTime is how long the metadata may take to say what waits in them.
const standingTime = 2 * time.Second

// standing tells how queues, places, pools and caches stand, each beside its limit.
func (a *App) standing() []server.Count {
	return slices.Concat(a.work(), a.stores(), a.queues(), a.rooms())
}

func (a *App) work() []server.Count {
	places := func(of func(lease.Counts) int) func() map[string]int64 {
		return func() map[string]int64 {
			p := &a.parts
			all := map[string]int64{}
			for kind, c := range map[string]lease.Counts{
				"runs": p.run.Places(), "ingestions": p.ingest.Places(), "evaluations": p.evaluate.Places(), "push": p.push.Places(),
			} {
				all[kind] = int64(of(c))
			}
			return all
		}
	}
	spans := func(of func(trace.Queue) int) func() map[string]int64 {
		return func() map[string]int64 {
			all := map[string]int64{}
			for name, c := range a.parts.traces.recorder.Queues() {
				all[name] = int64(of(c))
			}
			return all
		}
	}
	return []server.Count{
		{Name: "quern_work_held", Label: "kind", Gauge: true, Help: "Work that this server holds leases of.",
			Values: places(func(c lease.Counts) int { return c.Held })},
		{Name: "quern_work_places", Label: "kind", Gauge: true, Help: "Work that this server does at once, at most.",
			Values: places(func(c lease.Counts) int { return c.Places })},
		{Name: "quern_backlog", Label: "what", Gauge: true, Help: "What is not done yet, on all servers, by the metadata.", Values: a.backlog},
		{Name: "quern_trace_queue_spans", Label: "destination", Gauge: true, Help: "Spans that wait for a destination.",
			Values: spans(func(q trace.Queue) int { return q.Spans })},
		{Name: "quern_trace_queue_limit", Label: "destination", Gauge: true, Help: "Spans that may wait for a destination.",
			Values: spans(func(q trace.Queue) int { return q.Room })},
	}
}

func (a *App) backlog() (all map[string]int64) {
	ctx, cancel := context.WithTimeout(context.Background(), standingTime)
	defer cancel()
	err := a.parts.store.View(ctx, func(tx *store.Tx) (err error) {
		all, err = tx.Backlog(ctx)
		return err
	})
	if err != nil {
		return nil // what is not known is not told
	}
	return all
}

func (a *App) stores() []server.Count {
	pools := func(of func(store.Pool) int64) func() map[string]int64 {
		return func() map[string]int64 {
			all := map[string]int64{}
			for name, p := range a.parts.store.Pools() {
				all[name] = of(p)
			}
			return all
		}
	}
	return []server.Count{
		{Name: "quern_db_connections_in_use", Label: "pool", Gauge: true, Help: "Connections to the database that are in use.",
			Values: pools(func(p store.Pool) int64 { return int64(p.InUse) })},
		{Name: "quern_db_connections_open", Label: "pool", Gauge: true, Help: "Connections to the database that are open.",
			Values: pools(func(p store.Pool) int64 { return int64(p.Open) })},
		{Name: "quern_db_connections_limit", Label: "pool", Gauge: true, Help: "Connections to the database that may be open.",
			Values: pools(func(p store.Pool) int64 { return int64(p.Most) })},
		{Name: "quern_db_waits_total", Label: "pool", Help: "Times that somebody waited for a connection to the database.",
			Values: pools(func(p store.Pool) int64 { return p.Waits })},
		{Name: "quern_db_wait_milliseconds_total", Label: "pool", Help: "How long they waited, all together.",
			Values: pools(func(p store.Pool) int64 { return p.Waited.Milliseconds() })},
		{Name: "quern_limit", Label: "what", Gauge: true, Help: "Limits of this server that stand beside other metrics.",
			Values: func() map[string]int64 {
				return map[string]int64{"http_requests": int64(server.DefaultLimits().Requests), "run_per_user": int64(a.cfg.Run.PerUser)}
			}},
	}
}
