package e2e_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quern/blob/blobtest"
	"quern/store/storetest"
	"quern/test/chaos"
)

// chaosSeed repeats what is done to servers, and what clients do, as far as the machine
// lets it.
var chaosSeed = flag.Uint64("chaos.seed", rand.Uint64N(1_000_000), "the seed of clients and of what is done to servers")

const (
	replicas     = 3
	replicaBlows = 26 // of which at least twenty end a server
)

// TestReplicasMayDie takes servers away, one after the other, under clients that write
// down what was acknowledged: PostgreSQL and S3 are all that the servers share.
func TestReplicasMayDie(t *testing.T) {
	t.Parallel()
	f, load := newReplicas(t, binary)
	working, rest := context.WithCancel(t.Context())
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		load.Run(working)
	}()
	striking, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	err := f.Strike(striking, chaos.Plan(*chaosSeed, replicas, replicaBlows, 2*time.Second), nil)
	rest()
	<-worked
	if err != nil {
		t.Fatal(err)
	}
	if report := wantKept(t, load); report.Deaths < 20 {
		t.Errorf("%v, want at least 20 deaths", report)
	}
}

// wantKept wants all that was acknowledged to clients to be there, and something of everything
// to have been.
func wantKept(t *testing.T, load *chaos.Load) chaos.Report {
	t.Helper()
	report := load.Check(t.Context())
	t.Log(report)
	if len(report.Faults) > 0 {
		t.Errorf("to repeat it, add -chaos.seed=%d\n%s", *chaosSeed, report.Told())
	}
	if report.Rows == 0 || report.Runs == 0 || report.Ingestions == 0 || report.Grants == 0 || report.Tokens == 0 {
		t.Errorf("%v, want something of everything", report)
	}
	return report
}

// newReplicas starts servers of a binary that share a database and a bucket, and clients
// of them.
func newReplicas(t *testing.T, binary string) (*chaos.Fleet, *chaos.Load) {
	t.Helper()
	g := blobtest.StartGateway(t)
	f, err := chaos.NewFleet(chaos.Options{Binary: binary, Dir: t.TempDir(), Servers: replicas, Environ: []string{
		"QUERN_DATABASE_URL=" + storetest.Postgres(t).URL, "QUERN_DRAIN_DELAY=1s",
		"QUERN_S3_ENDPOINT=" + g.Endpoint, "QUERN_S3_BUCKET=" + g.Bucket, "QUERN_S3_REGION=" + g.Region,
		"QUERN_S3_ACCESS_KEY_ID=" + g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY=" + g.SecretKey,
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	tokens := map[string]string{}
	for _, name := range []string{"ada", "bob"} {
		for _, args := range [][]string{{"user", "add", name, "--generate"}, {"token", "create", "--user", name}} {
			out, err := f.Command(ctx, args...)
			if err != nil {
				t.Fatal(err)
			}
			tokens[name] = strings.TrimSpace(out)
		}
	}
	for n := range replicas {
		if err := f.Start(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	load, err := chaos.NewLoad(ctx, f, chaos.LoadOptions{
		Seed: *chaosSeed, Owner: "ada", Token: tokens["ada"], Reader: "bob", Reading: tokens["bob"],
		Writers: 2, Askers: 2, Pause: 100 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return f, load
}
