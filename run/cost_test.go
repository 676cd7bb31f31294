package run_test

import (
	"context"
	"log/slog"
	"sync"
	"syscall"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/catalog"
	"quern/run"
	"quern/store"
	"quern/store/storetest"
)

// BenchmarkRun is a run of one step whose agent takes no time: what storing and
// streaming cost.
func BenchmarkRun(b *testing.B) {
	for name, options := range storetest.Databases() {
		b.Run(name, func(b *testing.B) {
			s, p, in := benchHouse(b, options(b))
			before := processor(b)
			for b.Loop() {
				r, err := s.Start(b.Context(), p, run.Ask{In: in, Agent: quern.AgentAssistant, Task: quern.Task{Question: "why?"}})
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range s.Events(b.Context(), p, r.ID, 0) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/run")
			b.ReportMetric(float64((processor(b)-before).Microseconds())/1000/float64(b.N), "processor-ms/run")
		})
	}
}

// processor is the time that this process has had, which a busy machine stretches
// less than the clock.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func benchHouse(b *testing.B, o store.Options) (*run.Service, quern.Principal, quern.NamespacePath) {
	b.Helper()
	db := storetest.Open(b, o)
	p := quern.Principal{User: storetest.User(b, db, "ada")}
	c := catalog.New(catalog.Options{Store: db, Now: time.Now, Grace: time.Hour})
	if _, err := c.CreateNamespace(b.Context(), p, "ns"); err != nil {
		b.Fatal(err)
	}
	agent := newScript()
	agent.plan.Steps = []string{"one"}
	s := run.New(run.Options{
		Store: db, Catalog: c, Still: anybody(p), Log: slog.New(slog.DiscardHandler), Agents: map[quern.AgentKind]ask.Agent{quern.AgentAssistant: agent},
	})
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { s.Work(ctx) })
	b.Cleanup(func() {
		cancel()
		working.Wait()
	})
	return s, p, quern.NamespacePath{Owner: "ada", Namespace: "ns"}
}

// anybody takes everybody for one principal, who is always good.
func anybody(p quern.Principal) func(context.Context, quern.UserID, quern.TokenID) (quern.Principal, error) {
	return func(context.Context, quern.UserID, quern.TokenID) (quern.Principal, error) { return p, nil }
}
