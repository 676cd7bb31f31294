//go:build soak

package soak_test

import (
	"context"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quern/client"
	"quern/store/storetest"
	"quern/test/chaos"
)

// TestRunsOutliveTheDatabase cuts the database of one server off again and again, each
// time for longer than a transaction is tried again: no run fails for that.
func TestRunsOutliveTheDatabase(t *testing.T) {
	const cuts, away = 40, 3 * time.Second
	database, err := url.Parse(storetest.Postgres(t).URL)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := chaos.NewWire(database.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(wire.Close)
	database.Host = wire.Address()
	f, err := chaos.NewFleet(chaos.Options{Binary: binary, Dir: folder(t), Servers: 1, Environ: []string{"QUERN_DATABASE_URL=" + database.String()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	c := newAsker(t, f)
	working, rest := context.WithCancel(t.Context())
	defer rest()
	var all sync.WaitGroup
	var answered atomic.Int64
	for range 4 {
		all.Go(func() {
			for working.Err() == nil {
				a, err := c.Ask(t.Context(), client.Question{Namespace: "harbour", Text: "How many ships are there?"}, nil)
				switch {
				case a.RunID != "" && (err != nil || !strings.Contains(a.Response, "2")):
					t.Errorf("run %s = %q, %v, want two ships", a.RunID, a.Response, err)
				case err == nil:
					answered.Add(1)
				}
			}
		})
	}
	random := rand.New(rand.NewPCG(*seed, 4<<32))
	for range cuts {
		pause(working, time.Duration(random.Int64N(int64(4*time.Second))))
		wire.Cut(true)
		pause(working, away)
		wire.Cut(false)
	}
	rest()
	all.Wait()
	t.Logf("%d runs were answered while the database was cut off %d times", answered.Load(), cuts)
}

// newAsker starts the servers and returns a client that has two ships to ask about.
func newAsker(t *testing.T, f *chaos.Fleet) *client.Client {
	t.Helper()
	var token string
	for _, args := range [][]string{{"user", "add", "ada", "--generate"}, {"token", "create", "--user", "ada"}} {
		out, err := f.Command(t.Context(), args...)
		if err != nil {
			t.Fatal(err)
		}
		token = strings.TrimSpace(out)
	}
	startMissing(t, f)
	c, err := client.New(client.Options{Server: f.URL(), Token: token})
	if err != nil {
		t.Fatal(err)
	}
	rows := []map[string]any{{"ship": "Ariadne"}, {"ship": "Boreas"}}
	if _, err := c.Append(t.Context(), client.Dataset{Namespace: "harbour", Name: "ships"}, rows); err != nil {
		t.Fatal(err)
	}
	return c
}
