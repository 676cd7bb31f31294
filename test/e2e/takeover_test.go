package e2e_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"quern/blob/blobtest"
	"quern/store/storetest"
)

// TestAnotherServerFinishesAnIngestion kills one of two servers over one database and
// one object store while it makes rows of a file. The other one, which could not have
// begun the work, finishes it: every row is there once.
func TestAnotherServerFinishesAnIngestion(t *testing.T) {
	t.Parallel()
	g := blobtest.StartGateway(t)
	shared := []string{"QUERN_DATABASE_URL=" + storetest.Postgres(t).URL,
		"QUERN_S3_ENDPOINT=" + g.Endpoint, "QUERN_S3_BUCKET=" + g.Bucket, "QUERN_S3_REGION=" + g.Region,
		"QUERN_S3_ACCESS_KEY_ID=" + g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY=" + g.SecretKey, "QUERN_UPLOAD_PART_SIZE=5MiB"}
	first, second := newHome(t, shared...), newHome(t, shared...)
	first.must("", "user", "add", "ada", "--generate")
	token := first.must("", "token", "create", "--user", "ada")
	dies, stays := first.serve(), second.serve()
	first.environ = append(first.environ, "QUERN_SERVER="+dies.checkedURL(), "QUERN_TOKEN="+token)
	const rows = 400_000
	sent := (&site{home: first}).csv(rows)
	stored := struct{ SessionID string }{}
	if err := json.Unmarshal([]byte(first.must("", "upload", "--json", sent)), &stored); err != nil {
		t.Fatal(err)
	}
	stays.signal(syscall.SIGSTOP) // so that it is the other one that begins
	begun := dies.call("POST", "/api/v1/data/self/shop/sales/ingest", token, fmt.Sprintf(`{"sessionId":%q}`, stored.SessionID))
	if begun.status != 202 {
		t.Fatalf("starting an ingestion = %d %s, want 202", begun.status, begun.body)
	}
	path := "/api/v1/ingestionTracking/" + begun.json(t)["id"].(string)
	if i := awaitIngestion(t, dies, path, token, func(i ingestionState) bool { return i.Attributes.Attempt > 0 }); i.Status != "processing" {
		t.Fatalf("the ingestion is %+v before the kill, want it under way", i)
	}
	dies.kill()
	stays.signal(syscall.SIGCONT)
	killed := time.Now()
	ended := func(i ingestionState) bool { return i.Status != "processing" && i.Status != "pending" }
	awaitIngestion(t, stays, path, token, func(i ingestionState) bool {
		return ended(i) || strings.Contains(stays.call("GET", "/metrics", "", "").body, "\nquern_work_held{kind=\"ingestions\"} 1\n")
	})
	t.Logf("taken over at most %v after the kill", time.Since(killed).Round(time.Millisecond))
	i := awaitIngestion(t, stays, path, token, ended)
	t.Logf("finished %v after the kill", time.Since(killed).Round(time.Millisecond))
	if i.Status != "completed" || i.ProcessedRows != rows || i.Attributes.Attempt != 1 {
		t.Errorf("the ingestion ended as %+v, want all rows, and the death not counted", i)
	}
	found := stays.call("POST", "/api/v1/query", token, `{"username":"self","namespace":"shop","includeMetadata":false,
		"query":"select count(*) as n, count(distinct id) as ids, max(id) as last from sales"}`)
	if want := fmt.Sprintf(`{"data":[{"n":%d,"ids":%d,"last":%d}]`, rows, rows, rows-1); !strings.HasPrefix(found.body, want) {
		t.Errorf("the rows are %s, want %s", found.body, want)
	}
}

// ingestionState is what is looked at of an ingestion.
type ingestionState struct {
	Status        string
	ProcessedRows int64
	Attributes    struct{ Attempt int }
}

// awaitIngestion asks for an ingestion until found is true of it.
func awaitIngestion(t *testing.T, s *server, path, token string, found func(ingestionState) bool) (i ingestionState) {
	t.Helper()
	for deadline := time.Now().Add(2 * patience); time.Now().Before(deadline); {
		r := s.call("GET", path, token, "")
		i = ingestionState{}
		if err := json.Unmarshal([]byte(r.body), &i); err != nil || r.status != 200 {
			t.Fatalf("GET %s = %d %s", path, r.status, r.body)
		}
		if found(i) {
			return i
		}
	}
	t.Fatalf("the ingestion stays %+v", i)
	return i
}
