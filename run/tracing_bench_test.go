package run_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/ask/asktest"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/nlq/nlqtest"
	"quern/run"
	"quern/trace"
	"quern/trace/langfuse"
	"quern/trace/langfuse/langfusetest"
)

// mill is a server without its edges: real metadata, objects and engine, and the
// agents over them.
type mill struct {
	*housetest.House
	ada     quern.Principal
	querier *ask.Querier
	models  ask.Models
}

func newMill(b *testing.B) *mill {
	b.Helper()
	m := &mill{House: housetest.New(b, housetest.Options{Engine: duckdb.Options{Threads: 1}})}
	m.ada = m.User("ada")
	m.Dataset(m.ada, "harbour/ships", `[`+strings.Repeat(`{"name":"Ariadne","draught":7.25},`, 999)+`{"name":"Boreas","draught":5}]`)
	script := nlqtest.NewScript(m.Catalog)
	script.Knows("How deep is each?", "select name, avg(draught) from ships group by name")
	m.querier = ask.NewQuerier(ask.QuerierOptions{Query: m.Query})
	m.models = asktest.Only(script, ask.EmbeddedPlanner(m.Catalog))
	return m
}

// service is runs that are worked on until the benchmark ends, traced to these places.
func (m *mill) service(b *testing.B, to ...trace.Destination) *run.Service {
	b.Helper()
	recorder := trace.New(trace.Options{Destinations: to, Content: true})
	b.Cleanup(func() { _ = recorder.Close() }) // it never fails
	s := run.New(run.Options{
		Store: m.Store, Catalog: m.Catalog, Models: m.models, Still: anybody(m.ada), Log: slog.New(slog.DiscardHandler),
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

// answer asks and waits, and returns how long that took.
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
	keep := trace.Destination{Name: trace.EmbeddedName, Sink: trace.NewEmbedded(m.Store, time.Now)}
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
