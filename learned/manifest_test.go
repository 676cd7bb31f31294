package learned_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestManifestNamesEveryFileAsItIs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Outputs map[string]struct {
			SHA256 string
			Bytes  int
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, pattern := range []string{"*.bin", "judgement.json", "testdata/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("Glob(%s) = %v, %v", pattern, names, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(data)
			want := manifest.Outputs[filepath.Base(name)]
			if got := hex.EncodeToString(sum[:]); got != want.SHA256 || len(data) != want.Bytes {
				t.Errorf("%s has %s, %d bytes; the manifest says %s, %d", name, got, len(data), want.SHA256, want.Bytes)
			}
			seen++
		}
	}
	if seen != len(manifest.Outputs) {
		t.Errorf("the manifest names %d files, want the %d that there are", len(manifest.Outputs), seen)
	}
}
