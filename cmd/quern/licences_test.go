package main

import (
	"strings"
	"testing"
)

func TestLicencesHaveTheTextsThatMustGoWithEveryCopy(t *testing.T) {
	t.Parallel()
	r := in(t)("", "licences")
	if r.code != exitDone || r.err != "" {
		t.Fatalf("quern licences = code %d, %q, want 0 and nothing to say", r.code, r.err)
	}
	for what, want := range map[string]string{
		"Quern":     "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
		"Spider":    "https://creativecommons.org/licenses/by-sa/4.0/",
		"WikiSQL":   "Copyright (c) 2017, Salesforce Research",
		"BSD-3":     "Neither the name of the copyright holder nor the names of its",
		"GloVe":     "Jeffrey Pennington",
		"wink":      "Copyright (c) 2024  GRAYPE Systems Private Limited",
		"WordNet":   "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.",
		"GeoNames":  "data of GeoNames (https://www.geonames.org)",
		"CC BY 4.0": "Creative Commons Attribution 4.0 International Public License",
		"DuckDB":    "github.com/duckdb/duckdb-go-bindings",
		"in DuckDB": "| Zstandard | BSD-3-Clause |",
		"Go":        "Copyright 2009 The Go Authors.",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("quern licences lacks the text of %s: %q", what, want)
		}
	}
}
