package duckdb

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"quern"
	"quern/engine"
)

// maxReason bounds the part of a message that may quote the caller's data.
const maxReason = 400

// errTime is the cause of a context that ran into the engine's own limit.
var errTime = errors.New("duckdb: time limit")

// callerFaults are the types of fault that a caller's SQL can bring about and
// whose text speaks of nothing else.
var callerFaults = map[string]bool{
	"Parser": true, "Syntax": true, "Binder": true, "Catalog": true, "Conversion": true,
	"Invalid Input": true, "Out of Range": true, "Mismatch Type": true, "Divide by Zero": true,
	"Not implemented": true, "Decimal": true, "Expression": true, "Invalid type": true,
	"Parameter Not Resolved": true, "Object Size": true, "Planner": true, "Executor": true,
	"Sequence": true,
}

// explain turns whatever ended the work into the error that the caller gets.
func (j *job) explain(err error) error {
	if resolve, ok := errors.AsType[*resolveError](err); ok {
		return resolve.error
	}
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.invalid(j.sql)
	}
	j.failed = j.failed || !leavesSound(err)
	if ctxErr := j.caller.Err(); ctxErr != nil {
		return ctxErr
	}
	if errors.Is(context.Cause(j.ctx), errTime) {
		return engine.TimeLimit(j.engine.options.MaxTime).Because(err)
	}
	if errors.Is(context.Cause(j.ctx), errMemory) {
		return engine.MemoryLimit(j.engine.options.MemoryLimit).Because(err)
	}
	if errors.Is(err, errUnsupported) {
		return quern.E(quern.Invalid, quern.CodeInvalidQuery, "%s", err.Error())
	}
	if cause := j.storageError(err); cause != nil {
		return cause
	}
	f, ok := errors.AsType[*fault](err)
	switch {
	case !ok:
	case f.Type == faultOutOfMemory && strings.Contains(f.Message, "max_temp_directory_size"):
		return engine.SpillLimit(j.engine.options.MemoryLimit).Because(err)
	case f.Type == faultOutOfMemory:
		return engine.MemoryLimit(j.engine.options.MemoryLimit).Because(err)
	case callerFaults[f.Type] && !j.mentionsSecret(f.Message):
		return j.refusalOf(f).invalid(j.sql).Because(err)
	}
	if _, ok := errors.AsType[*quern.Error](err); ok {
		return err
	}
	return quern.E(quern.Internal, quern.CodeInternal, "the query could not be run").Because(err)
}

// leavesSound recognizes errors after which an instance is as sound as before: those of
// the caller's SQL.
func leavesSound(err error) bool {
	f, ok := errors.AsType[*fault](err)
	return errors.Is(err, errUnsupported) || ok && callerFaults[f.Type]
}

// mentionsSecret reports whether text speaks of what only the server knows.
func (j *job) mentionsSecret(text string) bool {
	if strings.Contains(text, j.engine.options.TempDir) || strings.Contains(text, "read_parquet") {
		return true
	}
	for _, path := range j.paths {
		if strings.Contains(text, filepath.Base(path)) || strings.Contains(text, filepath.Dir(path)) {
			return true
		}
	}
	return false
}

// written returns the place in the caller's text of a place in what is run for it; -1
// when there is none.
func (j *job) written(at int) int {
	more := len(j.ran) - len(j.sql)
	switch {
	case at > len(j.ran):
	case len(j.ran) == len(j.sql), strings.HasPrefix(j.sql, j.ran[:at]):
		return at
	case at >= more && j.ran[at:] == j.sql[at-more:]:
		return at - more
	}
	return -1
}

func (j *job) refusalOf(f *fault) *refusal {
	at, ok := f.offset()
	if ok {
		at = j.written(at)
	} else {
		at = -1
	}
	// What follows the first line suggests names and settings of the engine.
	text := strings.TrimSuffix(firstLine(f.Message), "!")
	if f.Subtype == "COLUMN_NOT_FOUND" && f.Candidates != "" {
		text += "; there is " + strings.ReplaceAll(f.Candidates, ",", ", ")
	}
	if f.Type == "Catalog" && f.Subtype == "MISSING_ENTRY" {
		text = fmt.Sprintf("there is no %s", quoteName(f.Name))
	}
	if strings.HasPrefix(text, "Malformed JSON") {
		text = "a text that is not JSON is compared with a value of a JSON column; take that out as text with ->>, as in column->>'key' = 'text'"
	}
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "") + "…"
	}
	return &refusal{at: at, reason: text}
}
