package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// component is a part of the binary, in the words of CycloneDX.
type component struct {
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	PURL     string    `json:"purl,omitempty"`
	Hashes   []hash    `json:"hashes,omitempty"`
	Licences []licence `json:"licenses,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

func licences(id string) []licence {
	if id == "" {
		return nil
	}
	var l licence
	l.Licence.ID = id
	return []licence{l}
}

// bill writes what the binary of an architecture is made of: modules as the binary itself
// tells them, and packages of its page, with licences as THIRD_PARTY_NOTICES.md names them.
func (r *release) bill(m machine) error {
	info, err := buildinfo.ReadFile(r.binary(m))
	if err != nil {
		return err
	}
	digest, err := digestOf(r.binary(m))
	if err != nil {
		return err
	}
	noticed, err := r.notices()
	if err != nil {
		return err
	}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	parts := []component{{
		Type: "library", Name: "std", Version: goVersion, PURL: "pkg:golang/std@" + goVersion, Licences: licences("BSD-3-Clause"),
	}}
	for _, d := range info.Deps {
		if strings.HasPrefix(d.Path, "quern/") {
			continue // of this repository
		}
		parts = append(parts, component{Type: "library", Name: d.Path, Version: d.Version, PURL: "pkg:golang/" + d.Path + "@" + d.Version,
			Licences: licences(noticed[d.Path].licence)})
	}
	for _, name := range slices.Sorted(maps.Keys(noticed)) {
		n := noticed[name]
		if short, ok := strings.CutPrefix(name, "npm:"); ok {
			parts = append(parts, component{Type: "library", Name: short, Version: n.version,
				PURL: "pkg:npm/" + strings.Replace(short, "@", "%40", 1) + "@" + n.version, Licences: licences(n.licence)})
		}
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{
			"timestamp": r.at,
			"component": component{Type: "application", Name: "quern", Version: r.label, Licences: licences("Apache-2.0"),
				Hashes: []hash{{"SHA-256", digest}}},
		},
		"components": parts,
	}, "", "  ")
	if err != nil {
		return err
	}
	return create(r.name(m, ".cdx.json"), func(out io.Writer) error {
		_, err := fmt.Fprintf(out, "%s\n", text)
		return err
	})
}

var noticeLine = regexp.MustCompile(`(?m)^\| (?P<name>\S+) \| (?P<version>\S+) \| (?P<licence>[^|]+) \|$`)

type notice struct{ version, licence string }

// notices returns the modules and packages of THIRD_PARTY_NOTICES.md, by their names.
func (r *release) notices() (map[string]notice, error) {
	text, err := os.ReadFile(filepath.Join(r.root, "THIRD_PARTY_NOTICES.md"))
	if err != nil {
		return nil, err
	}
	all := map[string]notice{}
	for _, found := range noticeLine.FindAllStringSubmatch(string(text), -1) {
		all[found[1]] = notice{found[2], strings.TrimSpace(found[3])}
	}
	return all, nil
}
