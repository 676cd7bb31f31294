// Package isolate reads documents in worker processes.
//
// It owns the way of a document to a worker and of its tables back: Work is what
// the worker does, Reader what the server asks. It never decides what a document
// holds: that is format's, on the worker's side. The failure it is built around is
// the document that takes its reader over, or that its reader does not get to the
// end of: the worker has no network, no files but the document and a limit of
// memory, and is killed when its time is over. What it sends is believed no
// further than any upload.
//
//	Reader ── path, kind ──► Work: format.Tables
//	  ▲                        │
//	  └─ spool in a file ◄─────┘ a table, its records, its notes, the next table, …
package isolate

import "quern/ingest/format"

// Isolated reports whether files of a kind are read in a worker. The others are
// split by code that looks at one byte after the other.
func Isolated(kind format.Kind) bool {
	switch kind {
	case format.Excel, format.ODS, format.HTML, format.Markdown, format.Document, format.PDF, format.OldExcel, format.Mail:
		return true
	}
	return false
}
