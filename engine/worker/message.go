package worker

import (
	"context"
	"errors"

	"quern"
	"quern/engine"
)

// request is a query on its way to a worker.
type request struct {
	SQL     string
	MaxRows int
	User    string // tells users apart, without their names
	// Tables are those that the query named when it was asked before, without their files.
	// Others, and the files, are asked for.
	Tables []namedTable `json:",omitempty"`
}

// namedTable is a table under the name that a query has for it.
type namedTable struct {
	Ref   engine.Ref
	Table engine.Table
}

// resolved answers which table a name stands for.
type resolved struct {
	Table *engine.Table `json:",omitempty"`
	// Missing: there is no such table; else, without a table, the query is over.
	Missing bool `json:",omitempty"`
}

// ending says how a query ended.
type ending struct {
	Total   int64
	Problem *problem `json:",omitempty"`
}

// problem is an error on its way from a worker.
type problem struct {
	Kind   quern.Kind
	Code   quern.Code
	Detail string
	Cause  string // for the log
}

// newProblem writes an error down.
func newProblem(err error) *problem {
	if err == nil {
		return nil
	}
	p := &problem{Kind: quern.Internal, Code: quern.CodeInternal, Detail: "the query could not be run", Cause: quern.LogText(err)}
	if e, ok := errors.AsType[*quern.Error](err); ok {
		p.Kind, p.Code, p.Detail, p.Cause = e.Kind, e.Code, e.Detail, ""
		if e.Err != nil {
			p.Cause = quern.LogText(e.Err)
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		p.Detail = "the query was cancelled"
	}
	return p
}

// err is the error that was written down.
func (p *problem) err() error {
	e := quern.E(p.Kind, p.Code, "%s", p.Detail)
	if p.Cause != "" {
		return e.Because(errors.New(p.Cause))
	}
	return e
}
