package trino

import (
	"context"
	"errors"
	"strings"

	"quern"
	"quern/engine"
)

// The names by which Trino calls failures that mean something here.
var (
	timeLimits = names("EXCEEDED_TIME_LIMIT EXCEEDED_CPU_LIMIT")
	// memoryLimits are of the query; those of the cluster are its own affair.
	memoryLimits = names("EXCEEDED_LOCAL_MEMORY_LIMIT EXCEEDED_GLOBAL_MEMORY_LIMIT EXCEEDED_SPILL_LIMIT EXCEEDED_SCAN_LIMIT")
	// ofValues are failures over what the data hold; others of the sort are over how the
	// query was written.
	ofValues = names("DIVISION_BY_ZERO NUMERIC_VALUE_OUT_OF_RANGE INVALID_CAST_ARGUMENT INVALID_FUNCTION_ARGUMENT SUBQUERY_MULTIPLE_ROWS")
)

func names(all string) map[string]bool {
	set := map[string]bool{}
	for _, n := range strings.Fields(all) {
		set[n] = true
	}
	return set
}

var (
	errAway = quern.E(quern.Unavailable, quern.CodeUnavailable,
		"the cluster that runs large queries does not answer; try again later")
	errBroken = quern.E(quern.Unavailable, quern.CodeUnavailable,
		"the cluster that runs large queries could not finish the query; try again")
	errStrange = quern.E(quern.Unavailable, quern.CodeUnavailable,
		"the cluster that runs large queries gave an answer that cannot be used")
	errUnreadable = quern.E(quern.Unavailable, quern.CodeUnavailable,
		"the cluster could not read a dataset: it was changed, or is no longer shared with you; try again")
)

// ofCluster reports whether a statement failed for no fault of its own, so that it may be
// answered when it is run again: a node that died, or lost what a task had done.
func (f *failure) ofCluster() bool { return f.Type == "INTERNAL_ERROR" }

// classify turns why a statement failed into what callers see.
func (e *Engine) classify(ctx context.Context, err error) error {
	if f, ok := errors.AsType[*failure](err); ok {
		return e.failed(f)
	}
	switch {
	case errors.Is(context.Cause(ctx), errTime):
		return engine.TimeLimit(e.Time)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errProtocol):
		return errStrange.Because(err)
	}
	return errAway.Because(err)
}

func (e *Engine) failed(f *failure) error {
	switch {
	case timeLimits[f.Name]:
		return engine.TimeLimit(e.Time).Because(f)
	case memoryLimits[f.Name]:
		return quern.E(quern.Invalid, quern.CodeInvalidQuery, "the query needs more memory than the cluster gives to one").Because(f)
	case strings.Contains(f.Message, "napshot ID does not exist"):
		return engine.ErrVersionGone.Because(f)
	case ofValues[f.Name]:
		return quern.E(quern.Invalid, quern.CodeInvalidQuery, "%s", f.Message).Because(f)
	case f.Name == "TABLE_NOT_FOUND" || f.Name == "SCHEMA_NOT_FOUND" || strings.HasPrefix(f.Name, "ICEBERG_") || f.Name == "PERMISSION_DENIED":
		return errUnreadable.Because(f)
	case f.Type == "USER_ERROR":
		return &engine.Unmapped{What: f.Message}
	}
	return errBroken.Because(f)
}
