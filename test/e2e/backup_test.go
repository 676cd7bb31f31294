package e2e_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quern/blob/blobtest"
	"quern/store/storetest"
)

// The drill: load, a backup while the load goes on, more load, everything destroyed, the
// backup put back on another machine, and every row and permission compared.
func TestDrill(t *testing.T) {
	t.Parallel()
	t.Run("sqlite and files", func(t *testing.T) {
		t.Parallel()
		drill(t, newHome(t), newHome(t), filepath.Join(t.TempDir(), "backups"))
	})
	t.Run("postgres and s3", func(t *testing.T) {
		t.Parallel()
		lost, kept := blobtest.StartGateway(t), blobtest.StartGateway(t)
		in := func(g *blobtest.Gateway) []string {
			return []string{"QUERN_DATABASE_URL=" + storetest.Postgres(t).URL, "QUERN_UPLOAD_PART_SIZE=5MiB",
				"QUERN_S3_ENDPOINT=" + g.Endpoint, "QUERN_S3_BUCKET=" + g.Bucket, "QUERN_S3_REGION=" + g.Region,
				"QUERN_S3_ACCESS_KEY_ID=" + g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY=" + g.SecretKey,
				"QUERN_BACKUP_S3_ENDPOINT=" + kept.Endpoint, "QUERN_BACKUP_S3_REGION=" + kept.Region,
				"QUERN_BACKUP_S3_ACCESS_KEY_ID=" + kept.AccessKey, "QUERN_BACKUP_S3_SECRET_ACCESS_KEY=" + kept.SecretKey}
		}
		drill(t, newHome(t, in(lost)...), newHome(t, in(kept)...), "s3://"+kept.Bucket+"/drill")
	})
}

func drill(t *testing.T, h, spare *home, place string) {
	h.environ = append(h.environ, "QUERN_UPKEEP_INTERVAL=50ms", "QUERN_MERGE_IDLE=300ms", "QUERN_OBJECT_GRACE=1s")
	for _, user := range []string{"ada", "bob"} {
		h.must("", "user", "add", user, "--generate")
	}
	ada, bob := h.must("", "token", "create", "--user", "ada"), h.must("", "token", "create", "--user", "bob")
	s := h.serve()
	d := &drilling{t: t, ada: ada, bob: bob, progress: make(chan struct{}, 1)}
	d.fill(s)
	before := d.everything(s)

	stop := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() { d.write(s, stop) })
	d.await(3)
	atLeast := d.answered.Load()
	id := h.must("", "backup", "create", "--to", place)
	atMost := d.sent.Load()
	d.await(d.answered.Load() + 3)
	d.change(s)
	for _, refused := range [][]string{{"backup", "restore", "--from", place, "--replace"}, {"doctor", "--fix"}} {
		if r := h.run("", refused...); r.code != 1 || !strings.Contains(r.err, "a server ") || !strings.Contains(r.err, "stop it first") {
			t.Errorf("quern %v beside a server = %+v, want code 1 and that it is stopped first", refused, r)
		}
	}
	close(stop)
	writing.Wait()
	s.kill()

	h.must("", "backup", "verify", id, "--from", place)
	if r := spare.run("", "backup", "restore", id, "--from", place); r.code != 0 || !strings.Contains(r.err, "revoke them again") {
		t.Fatalf("quern backup restore = %+v, want code 0 and what is to be done", r)
	}
	back := spare.serve()
	if after := d.everything(back); after != before {
		t.Errorf("after the restore:\n%s\nwant\n%s", after, before)
	}
	d.wantLoad(back, atLeast, atMost)
	if r := back.call("GET", "/api/v1/data/self/shop/later/rows", ada, ""); r.status != 404 {
		t.Errorf("a dataset made after the backup = %d, want 404", r.status)
	}
	var found []struct{ Check, Level, Text string }
	if err := json.Unmarshal([]byte(spare.must("", "doctor", "--checksums", "--json")), &found); err != nil || len(found) < 8 {
		t.Errorf("quern doctor = %v, %v, want eight checks", found, err)
	}
	if r := spare.run("", "backup", "restore", "--from", place); r.code != 1 {
		t.Errorf("a restore beside the new server = %+v, want code 1", r)
	}
	back.stop()
	if r := spare.run("", "backup", "restore", "--from", place); r.code != 1 || !strings.Contains(r.err, "--replace") {
		t.Errorf("a restore over data = %+v, want code 1 and --replace named", r)
	}
}

// drilling is what the drill knows.
type drilling struct {
	t              *testing.T
	ada, bob       string
	sent, answered atomic.Int64 // requests of the writer
	progress       chan struct{}
}

func (d *drilling) want(s *server, status int, method, path, token, body string) string {
	d.t.Helper()
	r := s.call(method, "/api/v1"+path, token, body)
	if r.status != status {
		d.t.Fatalf("%s %s %s = %d %s, want %d", method, path, body, r.status, r.body, status)
	}
	return r.body
}

func (d *drilling) fill(s *server) {
	d.t.Helper()
	for _, set := range []string{"shop/orders", "private/notes", "shop/load"} {
		d.want(s, 201, "POST", "/ingest/new/"+set, d.ada, "")
	}
	d.want(s, 200, "POST", "/ingest/shop/orders", d.ada, `{"data":[{"id":1,"who":"Ada","paid":true},{"id":2,"who":"Grace","amount":7.25}]}`)
	d.want(s, 200, "POST", "/ingest/shop/orders", d.ada, `{"data":[{"id":3,"who":"Émile ☃","amount":-1}]}`)
	d.want(s, 200, "POST", "/ingest/private/notes", d.ada, `{"data":[{"text":"not shared"}]}`)
	d.want(s, 200, "POST", "/permissions/datasets/ada/shop/orders/shares", d.ada, `{"username":"bob","role":"viewer"}`)
}

// everything is what each user sees of what does not change during the drill.
func (d *drilling) everything(s *server) string {
	d.t.Helper()
	var all strings.Builder
	see := func(method, path, token, body string) {
		r := s.call(method, "/api/v1"+path, token, body)
		fmt.Fprintf(&all, "%s %s %s\n%d %s\n", method, path, body, r.status, r.body)
	}
	for _, token := range []string{d.ada, d.bob} {
		for _, set := range []string{"shop.orders", "private.notes"} {
			namespace, name, _ := strings.Cut(set, ".")
			see("POST", "/query", token, fmt.Sprintf(`{"username":"ada","namespace":%q,"query":"select * from %s order by 1"}`, namespace, name))
			see("GET", "/data/ada/"+namespace+"/"+name+"/rows", token, "")
			see("GET", "/permissions/datasets/ada/"+namespace+"/"+name+"/shares", token, "")
		}
	}
	return all.String()
}

const drillBatch = 10

// write sends rows with ids in order, ten at a time, until stop.
func (d *drilling) write(s *server, stop chan struct{}) {
	for n := int64(0); ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		var rows []string
		for i := range int64(drillBatch) {
			rows = append(rows, fmt.Sprintf(`{"id":%d}`, n*drillBatch+i))
		}
		d.sent.Store(n + 1)
		if r := s.call("POST", "/api/v1/ingest/shop/load", d.ada, `{"data":[`+strings.Join(rows, ",")+`]}`); r.status != 200 {
			d.t.Errorf("a write during the backup = %d %s, want 200", r.status, r.body)
			return
		}
		d.answered.Store(n + 1)
		select {
		case d.progress <- struct{}{}:
		default:
		}
	}
}

// await waits until so many writes were answered.
func (d *drilling) await(n int64) {
	d.t.Helper()
	deadline := time.After(2 * patience)
	for d.answered.Load() < n {
		select {
		case <-d.progress:
		case <-deadline:
			d.t.Fatalf("%d writes were answered, want %d", d.answered.Load(), n)
		}
	}
}

// change changes what the backup must bring back as it was.
func (d *drilling) change(s *server) {
	d.t.Helper()
	d.want(s, 201, "POST", "/ingest/new/shop/later", d.ada, "")
	d.want(s, 200, "POST", "/ingest/shop/orders", d.ada, `{"data":[{"id":4}]}`)
	d.want(s, 200, "POST", "/data/self/private/notes/clear", d.ada, "")
	d.want(s, 200, "POST", "/permissions/datasets/ada/shop/orders/shares", d.ada, `{"username":"bob","role":"editor"}`)
}

// wantLoad wants the rows of whole requests, in order: all that were answered before the
// backup began, and none that was sent after it ended.
func (d *drilling) wantLoad(s *server, atLeast, atMost int64) {
	d.t.Helper()
	var got struct {
		Data []struct{ N, Ids, Last int64 }
	}
	body := d.want(s, 200, "POST", "/query", d.ada, `{"username":"self","namespace":"shop","includeMetadata":false,
		"query":"select count(*) as n, count(distinct id) as ids, coalesce(max(id), -1) as last from load"}`)
	if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Data) != 1 {
		d.t.Fatalf("the rows of the load = %s, %v", body, err)
	}
	n := got.Data[0]
	if n.N%drillBatch != 0 || n.N != n.Ids || n.Last != n.N-1 || n.N < atLeast*drillBatch || n.N > atMost*drillBatch {
		d.t.Errorf("the load has %+v, want %d to %d requests of %d rows, whole and in order", n, atLeast, atMost, drillBatch)
	}
}
