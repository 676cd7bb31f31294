//go:build soak

package soak_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quern/test/chaos"
)

const (
	// sampleEvery is how often a server is looked at, and settling how long before that
	// its clients begin nothing new: requests in hand take memory and goroutines too, and how
	// many there are is a matter of the machine.
	sampleEvery = 30 * time.Second
	settling    = 5 * time.Second
	// growth is how much of anything there may be more of in the end than after the warm-up.
	growth = 1.05
	// cached is how much the disk may have more of in any case: files that are kept to be
	// read again, of which there are few.
	cached = 1 << 20
)

// TestSteady lets one server work with nothing done to it. A quarter of the time is
// warm-up; in the last quarter it takes no more memory, goroutines, descriptors and disk
// beside what is stored than in the one after the warm-up, each time its clients rest.
func TestSteady(t *testing.T) {
	dir := folder(t)
	f, err := chaos.NewFleet(chaos.Options{Binary: binary, Dir: dir, Servers: 1, Environ: []string{"CLOCK_FILE=" + filepath.Join(dir, "clock")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	told := newJournal()
	load := newLoad(t, f, chaos.LoadOptions{Writers: 2, Askers: 1, Pause: *rests})
	working, rest := context.WithTimeout(t.Context(), *soak)
	defer rest()
	var all sync.WaitGroup
	all.Go(func() { load.Run(working) })
	var samples []usage
	for tick := time.NewTicker(sampleEvery); working.Err() == nil; {
		select {
		case <-working.Done():
		case <-tick.C:
			release := load.Hold()
			pause(working, settling)
			if s, err := look(working, f, filepath.Join(dir, "server-0", "data")); err == nil {
				samples = append(samples, s)
			} else if working.Err() == nil {
				t.Error(err)
			}
			release()
		}
	}
	all.Wait()
	told.report(t, load.Check(t.Context()))
	wantFlat(t, samples)
}

// usage is what a server and its workers take, by what it is.
type usage map[string]float64

// wantFlat compares the last quarter of the samples with the second one.
func wantFlat(t *testing.T, samples []usage) {
	t.Helper()
	quarter := len(samples) / 4
	if quarter < 3 {
		t.Fatalf("there are %d samples, which say nothing: make soak SOAK=%v is too short", len(samples), *soak)
	}
	for _, what := range []string{"workers", "of workers"} { // for who looks into where memory went
		t.Logf("%-11s %.0f after the warm-up, %.0f in the end", what, median(samples[quarter:2*quarter], what), median(samples[3*quarter:], what))
	}
	for _, what := range []string{"memory", "goroutines", "descriptors", "disk"} {
		warm, end := median(samples[quarter:2*quarter], what), median(samples[3*quarter:], what)
		t.Logf("%-11s %.0f after the warm-up, %.0f in the end (%+.1f %%)", what, warm, end, 100*(end/warm-1))
		if end > growth*warm && (what != "disk" || end > warm+cached) {
			t.Errorf("%s grew from %.0f to %.0f, want at most 5 %% more", what, warm, end)
		}
	}
}

func median(samples []usage, what string) float64 {
	all := make([]float64, len(samples))
	for i, s := range samples {
		all[i] = s[what]
	}
	slices.Sort(all)
	return all[len(all)/2]
}

var goroutines = regexp.MustCompile(`(?m)^go_goroutines (\d+)$`)

// look measures the only server of a fleet.
func look(ctx context.Context, f *chaos.Fleet, data string) (usage, error) {
	u := usage{}
	servers := f.Processes()
	for _, id := range family(servers) {
		u["memory"] += float64(resident(id))
		if !slices.Contains(servers, id) {
			u["workers"]++
			u["of workers"] += float64(resident(id))
		}
		open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", id)) // a worker may have ended
		u["descriptors"] += float64(len(open))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL()+"/metrics", http.NoBody)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	found := goroutines.FindSubmatch(text)
	if err != nil || found == nil {
		return nil, fmt.Errorf("the metrics tell of no goroutines: %w", err)
	}
	u["goroutines"], err = strconv.ParseFloat(string(found[1]), 64)
	u["disk"] = beside(data)
	return u, err
}

// family returns processes and those that they started.
func family(ids []int) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	parent := map[int]int{}
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parent[id], _ = strconv.Atoi(fields[1])
	}
	all := slices.Clone(ids)
	for i := 0; i < len(all); i++ {
		for id, of := range parent {
			if of == all[i] && !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	return all
}

// resident is how many bytes of memory a process has.
func resident(id int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", id))
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}

// beside sums the files of a data directory that hold nothing that is stored: all but
// the metadata, whose log has a bound of its own, the objects, and what is remembered of
// finished uploads for a week.
func beside(data string) (bytes float64) {
	_ = filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // a file in the making that is gone
			return nil
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "objects" || d.Name() == "done") && strings.Count(strings.TrimPrefix(path, data), "/") > 1:
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), "quern.db"):
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += float64(info.Size())
		}
		return nil
	})
	return bytes
}
