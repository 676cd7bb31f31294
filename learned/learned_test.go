package learned_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"quern/learned"
)

func TestLicenceCarriesWhatMustGoWithEveryCopy(t *testing.T) {
	t.Parallel()
	for _, want := range []string{
		"https://creativecommons.org/licenses/by-sa/4.0/",
		"Tao Yu", "Dragomir Radev", "https://yale-lily.github.io/spider",
		"Copyright (c) 2017, Salesforce Research", "Redistributions in binary form must reproduce",
		"Jeffrey Pennington", "https://opendatacommons.org/licenses/pddl/1-0/",
		"GRAYPE Systems Private Limited", "Permission is hereby granted, free of charge",
		"WordNet 3.0 Copyright 2006 by Princeton University",
		`"paraphrase"`,
		"all-MiniLM-L6-v2", "Copyright (c) Microsoft Corporation", "The Google AI Language Team Authors",
		"TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION", "END OF TERMS AND CONDITIONS",
	} {
		if !strings.Contains(learned.Licence, want) {
			t.Errorf("Licence does not have %q", want)
		}
	}
}

func TestBytes(t *testing.T) {
	t.Parallel()
	if len(learned.Vectors()) == 0 || len(learned.Synonyms()) == 0 || !json.Valid(learned.Judgement) {
		t.Errorf("Vectors, Synonyms = %d, %d bytes, Judgement = %s", len(learned.Vectors()), len(learned.Synonyms()), learned.Judgement)
	}
	all := learned.Weights()
	for i, weights := range all {
		if len(weights) == 0 || i > 0 && bytes.Equal(weights, all[i-1]) {
			t.Errorf("Weights[%d] has %d bytes, or is the one before", i, len(weights))
		}
	}
}
