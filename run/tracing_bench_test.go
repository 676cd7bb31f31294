package run_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/ask/asktest"
	"quern/blob/fs"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/link"
	"quern/nlq/nlqtest"
	"quern/query"
	"quern/run"
	"quern/store"
	"quern/store/storetest"
	"quern/trace"
	"quern/trace/langfuse"
	"quern/trace/langfuse/langfusetest"
)

// mill is a server without its edges: real metadata, objects and engine, and the
// agents over them.
type mill struct {
	ada     quern.Principal
	store   *store.Store
	catalog *catalog.Service
	querier *ask.Querier
}

func newMill(b *testing.B) *mill {
	b.Helper()
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	s := storetest.Open(b, storetest.SQLite(b))
	objects, err := fs.New(fs.Options{Dir: filepath.Join(b.TempDir(), "objects")})
	check(err)
	engine, err := duckdb.New(duckdb.Options{TempDir: b.TempDir(), Threads: 1, MemoryLimit: 256 << 20})
	check(err)
	b.Cleanup(func() { check(engine.Close()) })
	m := &mill{store: s, ada: quern.Principal{User: storetest.User(b, s, "ada")}, catalog: catalog.New(catalog.Options{Store: s, Now: time.Now, Grace: time.Hour})}
	rows := ingest.New(ingest.Options{Catalog: m.catalog, Objects: objects, Files: objects, Engine: engine, Temp: b.TempDir(), Limits: ingest.Limits{Rows: 100_000, Columns: 100}})
	path := quern.DatasetPath{Owner: "ada", Namespace: "harbour", Dataset: "ships"}
	_, err = m.catalog.CreateDataset(b.Context(), m.ada, path, quern.InferDefinition{})
	check(err)
	_, err = rows.JSON(b.Context(), m.ada, path, strings.NewReader(`{"data":[`+strings.Repeat(`{"name":"Ariadne","draught":7.25},`, 999)+`{"name":"Boreas","draught":5}]}`), "")
	check(err)
	links := link.New(link.Options{Store: s, Catalog: m.catalog, Files: objects, Engine: engine, Now: time.Now})
	script := nlqtest.NewScript(m.catalog)
	script.Knows("How deep is each?", "select name, avg(draught) from ships group by name")
	m.querier = ask.NewQuerier(ask.QuerierOptions{
		Query:  query.New(query.Options{Catalog: m.catalog, Files: objects, Engine: engine, Links: links, Temp: b.TempDir(), MaxRows: 1000}),
		Models: asktest.Only(script, ask.EmbeddedPlanner(m.catalog)),
	})
	return m
}

// service is runs that are worked on until the benchmark ends, traced to these places.
func (m *mill) service(b *testing.B, to ...trace.Destination) *run.Service {
	b.Helper()
	recorder := trace.New(trace.Options{Destinations: to, Content: true})
	b.Cleanup(func() { _ = recorder.Close() }) // it never fails
	s := run.New(run.Options{
		Store: m.store, Catalog: m.catalog, Still: anybody(m.ada), Log: slog.New(slog.DiscardHandler),
		Agents: map[quern.AgentKind]ask.Agent{quern.AgentAssistant: ask.Traced(quern.AgentAssistant, ask.NewAssistant(m.querier), recorder)},
		Ended:  func(_ context.Context, r quern.Run) { recorder.Ended(r, m.ada.User) },
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		s.Work(ctx)
		close(done)
	}()
	b.Cleanup(func() {
		cancel()
		<-done
	})
	return s
}

// answer asks and waits, and gives how long that took.
func (m *mill) answer(b *testing.B, s *run.Service) time.Duration {
	b.Helper()
	start := time.Now()
	r, err := s.Start(b.Context(), m.ada, run.Ask{
		In: quern.NamespacePath{Owner: "ada", Namespace: "harbour"}, Agent: quern.AgentAssistant, Task: quern.Task{Question: "How deep is each?"},
	})
	if err == nil {
		r, err = s.Wait(b.Context(), m.ada, r.ID)
	}
	if err != nil || r.Status != quern.RunCompleted {
		b.Fatalf("the run is %s, %v", r.Status, err)
	}
	return time.Since(start)
}

// BenchmarkTracing tells what tracing costs a run: with nothing recorded, with
// traces in the metadata and in a Langfuse that answers, and with a Langfuse that
// takes requests and never answers. The three take turns, so that the machine's
// moods hit all of them.
func BenchmarkTracing(b *testing.B) {
	m := newMill(b)
	fine, stalled := langfusetest.New(b), langfusetest.New(b)
	stalled.Stall()
	keep := trace.Destination{Name: trace.EmbeddedName, Sink: trace.NewEmbedded(m.store, time.Now)}
	to := func(s *langfusetest.Server) trace.Destination {
		return trace.Destination{Name: "langfuse", Sink: langfuse.New(langfuse.Options{
			URL: s.URL, PublicKey: langfusetest.PublicKey, SecretKey: langfusetest.SecretKey, Resource: map[string]string{"service.name": "quern"},
		})}
	}
	names := []string{"off", "on", "stalled"}
	services := []*run.Service{m.service(b), m.service(b, keep, to(fine)), m.service(b, keep, to(stalled))}
	took := make([][]time.Duration, len(services))
	for i := 0; b.Loop(); i++ {
		for j := range services {
			k := (i + j) % len(services)
			took[k] = append(took[k], m.answer(b, services[k]))
		}
	}
	for i, all := range took {
		slices.Sort(all)
		median := all[len(all)/2]
		b.ReportMetric(float64(median.Microseconds())/1000, names[i]+"-ms")
		if i > 0 {
			b.ReportMetric(100*(float64(median)/float64(took[0][len(took[0])/2])-1), names[i]+"-%")
		}
		b.Logf("%s: median %v of %d runs", names[i], median, len(all))
	}
}
