package duckdb

import (
	"context"
	"strconv"
	"strings"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// interruptEvery is how often a stop is repeated until the engine has heard it:
// an interrupt that comes before the statement starts is forgotten by DuckDB.
const interruptEvery = 10 * time.Millisecond

// session is one connection to an instance, used by one goroutine at a time.
type session struct {
	conn bindings.Connection
}

// during runs call and interrupts the connection while ctx is over.
func (c *session) during(ctx context.Context, call func()) {
	done, exited := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(exited)
		ticker := time.NewTicker(interruptEvery)
		defer ticker.Stop()
		for {
			bindings.Interrupt(c.conn)
			select {
			case <-done:
				return
			case <-ticker.C:
			}
		}
	})
	call()
	close(done)
	if !stop() {
		<-exited
	}
}

// exec runs statements whose rows nobody needs.
func (c *session) exec(ctx context.Context, sql string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var result bindings.Result
	var state bindings.State
	c.during(ctx, func() { state = bindings.Query(c.conn, sql, &result) })
	defer bindings.DestroyResult(&result)
	if state == bindings.StateError {
		return parseFault(bindings.ResultError(&result))
	}
	return nil
}

func bytesText(n int64) string { return strconv.FormatInt(n, 10) + "B" }

// quoteText writes a string literal.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteTexts writes a list of string literals.
func quoteTexts(all []string) string {
	quoted := make([]string, len(all))
	for i, s := range all {
		quoted[i] = quoteText(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// quoteName writes an identifier.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
