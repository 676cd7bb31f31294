package engine

import (
	"fmt"
	"time"

	"quern"
)

// TimeLimit is the error of a query that ran longer than it may.
func TimeLimit(limit time.Duration) *quern.Error {
	return quern.E(quern.Timeout, quern.CodeTimeout, "the query ran longer than %v", limit)
}

// MemoryLimit is the error of a query that needs more memory than it may have.
func MemoryLimit(limit int64) *quern.Error {
	return quern.E(quern.Invalid, quern.CodeInvalidQuery, "the query needs more memory than its limit of %s", sizeText(limit))
}

// SpillLimit is the error of a query that needs more memory than it may have, and
// for the rest more of the disk than there is for it.
func SpillLimit(memory int64) *quern.Error {
	return quern.E(quern.Invalid, quern.CodeInvalidQuery,
		"the query needs more memory than its limit of %s, and more room on the disk than there is for the rest", sizeText(memory))
}

func sizeText(n int64) string {
	switch {
	case n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// LostSegment is the error of a table whose file is not where it was, or is not
// what was written.
func LostSegment(cause error) *quern.Error {
	return quern.E(quern.Internal, quern.CodeDataLost,
		"stored data of the dataset are missing or damaged: the operator of the server has to bring them back").Because(cause)
}

// DiskFull is the error of a query that the disk has no room for.
func DiskFull(cause error) *quern.Error {
	return quern.E(quern.Unavailable, quern.CodeUnavailable,
		"the disk of the server has no room for what the query sets aside; try again later").Because(cause)
}

// BadDisk is the error of a query whose files the disk did not read or write.
func BadDisk(cause error) *quern.Error {
	return quern.E(quern.Unavailable, quern.CodeUnavailable, "the disk of the server does not read or write what the query needs; try again later").Because(cause)
}

// Unmapped is the error of a query that an engine cannot run as it is meant: it names
// what has no equal there.
type Unmapped struct{ What string }

// Error says what does not map.
func (u *Unmapped) Error() string { return "the query has no equal there: " + u.What }

// Unwrap returns the failure as callers see it.
func (u *Unmapped) Unwrap() error {
	return quern.E(quern.Invalid, quern.CodeInvalidQuery, "the data are too large for this server alone, and the cluster cannot run the query: %s", u.What)
}

// ErrVersionGone says that a version of a table was gone before it could be read.
var ErrVersionGone = quern.E(quern.Unavailable, quern.CodeUnavailable, "a dataset changed while the query was on its way; try again")
