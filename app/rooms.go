package app

import (
	"quern"
	"quern/blob/fs"
	"quern/queue"
	"quern/sandbox"
	"quern/server"
)

// queues tells of what waits for the engine: statements, and the processes that run them.
func (a *App) queues() []server.Count {
	counts := func(of func(queue.Counts) int) func() map[string]int64 {
		return func() map[string]int64 {
			all := map[string]int64{}
			for name, c := range a.engineQueues() {
				all[name] = int64(of(c))
			}
			return all
		}
	}
	workers := func(of func(sandbox.PoolCounts) int) func() map[string]int64 {
		return func() map[string]int64 {
			all := map[string]int64{}
			if a.parts.workers != nil {
				all[queryWork] = int64(of(a.parts.workers.Workers()))
			}
			if a.parts.readers != nil {
				all[documentWork] = int64(of(a.parts.readers.Counts()))
			}
			return all
		}
	}
	return []server.Count{
		{Name: "quern_queue_running", Label: "queue", Gauge: true, Help: "Statements of the engine that run.",
			Values: counts(func(c queue.Counts) int { return c.Running })},
		{Name: "quern_queue_places", Label: "queue", Gauge: true, Help: "Statements of the engine that may run at once.",
			Values: counts(func(c queue.Counts) int { return c.Places })},
		{Name: "quern_queue_waiting", Label: "queue", Gauge: true, Help: "Statements of the engine that wait for a place.",
			Values: counts(func(c queue.Counts) int { return c.Waiting })},
		{Name: "quern_queue_room", Label: "queue", Gauge: true, Help: "Statements of the engine that may wait; more are turned away.",
			Values: counts(func(c queue.Counts) int { return c.Room })},
		{Name: "quern_workers_busy", Label: "work", Gauge: true, Help: "Worker processes in use.",
			Values: workers(func(c sandbox.PoolCounts) int { return c.Busy })},
		{Name: "quern_workers_idle", Label: "work", Gauge: true, Help: "Worker processes that are ready for use.",
			Values: workers(func(c sandbox.PoolCounts) int { return c.Idle })},
		{Name: "quern_workers_starting", Label: "work", Gauge: true, Help: "Worker processes that are being started.",
			Values: workers(func(c sandbox.PoolCounts) int { return c.Starting })},
		{Name: "quern_workers_kept", Label: "work", Gauge: true, Help: "Worker processes that are kept while nobody uses any.",
			Values: workers(func(c sandbox.PoolCounts) int { return c.Kept })},
		{Name: "quern_workers_awaited", Label: "work", Gauge: true, Help: "Callers who wait for a worker process.",
			Values: workers(func(c sandbox.PoolCounts) int { return c.Waiting })},
	}
}

// engineQueues are the queues of the engine by what waits in them. People's queries wait
// for workers where there are any.
func (a *App) engineQueues() map[string]queue.Counts {
	all := a.parts.local.Queues()
	if a.parts.workers != nil {
		all["queries"] = a.parts.workers.Waiting()
	}
	if a.parts.cluster != nil {
		all["cluster"] = a.parts.cluster.Waiting()
	}
	return all
}

// rooms tells of places and caches, each beside its limit.
func (a *App) rooms() []server.Count {
	taken := func(rooms func() map[string]quern.Room) func() map[string]int64 {
		return func() map[string]int64 {
			all := map[string]int64{}
			for name, r := range rooms() {
				all[name] = r.Taken
			}
			return all
		}
	}
	limit := func(rooms func() map[string]quern.Room) func() map[string]int64 {
		return func() map[string]int64 {
			all := map[string]int64{}
			for name, r := range rooms() {
				all[name] = r.Limit
			}
			return all
		}
	}
	return []server.Count{
		{Name: "quern_places_taken", Label: "what", Gauge: true, Help: "Places for work that are taken.", Values: taken(a.places)},
		{Name: "quern_places_limit", Label: "what", Gauge: true, Help: "Places for work; more waits, or is turned away.", Values: limit(a.places)},
		{Name: "quern_cache_entries", Label: "cache", Gauge: true, Help: "Entries of caches that are bounded by number.", Values: taken(a.entries)},
		{Name: "quern_cache_entries_limit", Label: "cache", Gauge: true, Help: "Entries that they may have.", Values: limit(a.entries)},
		{Name: "quern_cache_bytes", Label: "cache", Gauge: true, Help: "Bytes of caches that are bounded by size.", Values: taken(a.bytes)},
		{Name: "quern_cache_bytes_limit", Label: "cache", Gauge: true, Help: "Bytes that they may have.", Values: limit(a.bytes)},
	}
}

// places are those for work that has no queue of its own.
func (a *App) places() map[string]quern.Room {
	p := &a.parts
	all := map[string]quern.Room{
		"password_hashes": p.auth.Hashing(), "previews": p.ingest.Previewing(), "questions": p.reader.Reading(),
		"dataset_indexing": p.schema.Indexing(), "suggestions": p.suggest.Making(), "table_files": p.s3door.Reads(),
		"token_uses": p.auth.Recording(),
	}
	if calls := p.models.Calls(); calls.Limit > 0 {
		all["model_calls"] = calls
	}
	if local, ok := p.objects.(*fs.Store); ok {
		all["upload_parts"] = local.Receiving()
	}
	if p.cache != nil {
		all["object_fetches"] = p.cache.Fetches()
	}
	if p.provider != nil {
		all["client_documents"], _ = p.provider.Documents()
	}
	return all
}

// entries are the caches that are bounded by number.
func (a *App) entries() map[string]quern.Room {
	p := &a.parts
	all := map[string]quern.Room{"knowledge": p.knowledge.Kept(), "lessons": p.schema.Studied(), "engine_instances": p.local.Instances(),
		"token_signatures": p.auth.Signatures()}
	all["offered_readings"], all["wordings"] = p.reader.Kept()
	all["suggestions"], all["suggested_by_models"] = p.suggest.Kept()
	if p.provider != nil {
		_, all["client_documents"] = p.provider.Documents()
	}
	return all
}

// bytes are the caches that are bounded by size.
func (a *App) bytes() map[string]quern.Room {
	all := map[string]quern.Room{"value_indexes": a.parts.schema.Indexes(), "link_sketches": a.parts.link.Kept()}
	if a.parts.cache != nil {
		used, limit := a.parts.cache.Size()
		all["objects"] = quern.Room{Taken: used, Limit: limit}
	}
	return all
}
