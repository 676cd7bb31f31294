//go:build trino

package trino_test

import (
	"fmt"
	"testing"
	"time"
)

const retryRows = 2_000_000

// retrying lets a cluster do the tasks of a worker that died again: what tasks hand on
// lies in a folder that outlives them. Tasks get the memory that such small nodes have.
func retrying(folder string) nodes {
	return nodes{
		workers: 2,
		config: "retry-policy=TASK\nfault-tolerant-execution-task-memory=200MB\nfault-tolerant-execution-coordinator-task-memory=200MB\n" +
			"fault-tolerant-execution-max-partition-count=4\nfault-tolerant-execution-min-partition-count=4\n",
		files: map[string]string{"etc/exchange-manager.properties": "exchange-manager.name=filesystem\nexchange.base-directories=" + folder + "\n"},
	}
}

// A worker dies in the middle of a query of a cluster that tries its tasks again: the
// query is answered, rightly.
func TestTrinoRetriesTasks(t *testing.T) {
	h := newHouse(t)
	ada := h.User("ada")
	h.big(ada, retryRows)
	c := startCluster(t, h, retrying(t.TempDir()))
	got := h.died(t, c, h.on(c, 10*time.Minute), ada)
	if got.err != nil || fmt.Sprint(got.rows) != pairs(retryRows) {
		t.Errorf("the query gave %v, %v, want %s though a worker died", got.rows, got.err, pairs(retryRows))
	}
}
