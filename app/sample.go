package app

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"

	"quern"
)

// SampleNamespace is where a newcomer finds something to question.
const SampleNamespace = "harbour"

// sample holds one made-up dataset a file, each an ingest body with its
// inference definition.
//
//go:embed sample/*.json
var sample embed.FS

// addSample makes the sample namespace.
func (a *App) addSample(ctx context.Context, u quern.User) error {
	files, err := fs.Glob(sample, "sample/*.json")
	if err != nil {
		return err
	}
	for _, file := range files {
		body, err := sample.ReadFile(file)
		if err != nil {
			return err
		}
		var def quern.InferDefinition
		if err := json.Unmarshal(body, &def); err != nil {
			return err
		}
		at := quern.DatasetPath{Owner: u.Username, Namespace: SampleNamespace, Dataset: strings.TrimSuffix(path.Base(file), ".json")}
		p := quern.Principal{User: u}
		if _, err := a.parts.catalog.CreateDataset(ctx, p, at, def); err != nil {
			return err
		}
		if _, err := a.parts.ingest.JSON(ctx, p, at, bytes.NewReader(body), ""); err != nil {
			return err
		}
	}
	return nil
}
