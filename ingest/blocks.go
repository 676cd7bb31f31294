package ingest

import (
	"sync"

	"quern/engine"
	"quern/ingest/format"
)

// blockSum collects what is known of the blocks of a text.
type blockSum struct {
	mu     sync.Mutex
	blocks map[int]format.Block
}

func (s *blockSum) add(b *format.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocks[b.Number] = format.Block{From: b.From, To: b.To, Rows: b.Rows, Blank: b.Blank, Verbatim: b.Verbatim, Returns: b.Returns}
}

// parts puts blocks together to parts of a segment's size, which have so many rows at most.
func (s *blockSum) parts(named bool, most int64) (all []blockRun) {
	for i := range len(s.blocks) {
		b := s.blocks[i]
		last := len(all) - 1
		if last < 0 || !all[last].takes(b.Rows, b.To, most) {
			all = append(all, blockRun{from: b.From, first: named && i == 0})
			last++
		}
		all[last].to, all[last].rows = b.To, all[last].rows+b.Rows
	}
	return all
}

// blank counts the records without a value.
func (s *blockSum) blank() (n int64) {
	for _, b := range s.blocks {
		n += b.Blank
	}
	return n
}

// verbatim says how the engine reads the text as it is, nil when it cannot: quotes
// stand where they should, all lines end alike, and none is empty.
func (s *blockSum) verbatim(p *format.Plain) *engine.CSV {
	lines, returns := int64(0), int64(0)
	if p.Named {
		lines++
	}
	for _, b := range s.blocks {
		if !b.Verbatim {
			return nil
		}
		lines, returns = lines+b.Rows, returns+b.Returns
	}
	if returns != 0 && returns != lines {
		return nil
	}
	return &engine.CSV{Delimiter: p.Dialect.Delimiter, Returns: returns > 0}
}
