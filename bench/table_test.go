package bench_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkTableScan has PyIceberg scan a table of a million rows through the server,
// and the same files from disk.
func BenchmarkTableScan(b *testing.B) {
	rows := 1_000_000 / *shrink
	h := newHome(b)
	seed(b, h, "scanned", rows)
	s := h.serve()
	cmd := exec.CommandContext(b.Context(), "../test/opentable/.venv/bin/python", "../test/opentable/scan.py",
		s.url+"/iceberg", filepath.Join(h.data, "objects", "objects"), "bench.scanned", "7")
	cmd.Env, cmd.Stderr = append(h.environ, "QUERN_TOKEN="+h.token, "PYTHONDONTWRITEBYTECODE=1"), os.Stderr
	out, err := cmd.Output()
	var found struct {
		Served, Disk float64
		Rows         int
	}
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err != nil || found.Rows != rows {
		b.Fatalf("scan.py = %s, %v, want %d rows", out, err, rows)
	}
	took := func(s float64) string { return seconds(time.Duration(s * float64(time.Second))) }
	record(b, result{What: fmt.Sprintf("PyIceberg's scan of %d rows as a table", rows), Quern: took(found.Served),
		Other: took(found.Disk) + ", the same files from disk", Value: found.Served / found.Disk, Unit: "×", Aim: 1.5})
}
