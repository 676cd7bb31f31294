package duckdb

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// fault is an error as DuckDB tells it. Its text is for the log only, because
// it may hold paths.
type fault struct {
	Type       string `json:"exception_type"`
	Message    string `json:"exception_message"`
	Subtype    string `json:"error_subtype"`
	Name       string `json:"name"`
	Candidates string `json:"candidates"`
	Position   string `json:"position"`
}

// The types of fault that are told apart.
const (
	faultInterrupt   = "INTERRUPT"
	faultOutOfMemory = "Out of Memory"
)

func (f *fault) Error() string { return "duckdb: " + f.Type + ": " + f.Message }

// LogText returns the type of the fault, and its message where that speaks of the
// engine and not of values: names, paths and what is quoted are left out.
func (f *fault) LogText() string {
	switch f.Type {
	case "":
		return "duckdb: a fault of no known type"
	case "INTERNAL", "FATAL", "IO", faultOutOfMemory, faultInterrupt:
		first, _, _ := strings.Cut(f.Message, "\n")
		return "duckdb: " + f.Type + ": " + quotedOrPath.ReplaceAllString(first, "…")
	}
	return "duckdb: " + f.Type
}

// quotedOrPath finds what a message quotes, and paths.
var quotedOrPath = regexp.MustCompile(`"[^"]*"|'[^']*'|(?:/[^\s/:;,()]+)+/?`)

// offset is the byte in the statement's text that the fault points at.
func (f *fault) offset() (int, bool) {
	at, err := strconv.Atoi(f.Position)
	return at, err == nil && at >= 0
}

// parseFault reads an error in the engine's JSON form, or keeps its text.
func parseFault(text string) *fault {
	f := &fault{}
	if start := strings.IndexByte(text, '{'); start >= 0 {
		if json.Unmarshal([]byte(text[start:]), f) == nil && f.Type != "" {
			return f
		}
	}
	kind, message, ok := strings.Cut(text, " Error: ")
	if !ok {
		return &fault{Message: text}
	}
	return &fault{Type: kind, Message: message}
}
