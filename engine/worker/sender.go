package worker

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
	"time"

	"quern"
	"quern/engine"
)

const (
	// flushAfter is how long rows wait for more to travel with.
	flushAfter = time.Millisecond
	// countSize is the size of the number of rows in front of them.
	countSize = 4
)

// sender writes frames. What is small travels together, but no longer than
// flushAfter after it was ready.
type sender struct {
	to io.Writer

	mu sync.Mutex
	wire
	start  int // where the open frame of rows begins
	count  int // the rows in it; 0: none is open
	timer  *time.Timer
	timing bool // the timer will send what waits
	failed error
}

// frame adds a frame with a body in JSON.
func (s *sender) frame(k kind, body any) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closeRows()
	if s.out, err = appendFrame(s.out, k, body); err != nil {
		return err
	}
	s.sendLater()
	return s.failed
}

// row adds the current row to the open frame of rows.
func (s *sender) row(rows engine.Rows) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == 0 {
		s.start = len(s.out)
		s.out = append(appendHeader(s.out, rowFrame, 0), 0, 0, 0, 0)
	}
	before := len(s.out)
	if walker, ok := rows.(engine.Walker); ok {
		walker.Walk(&s.wire)
	} else {
		for _, v := range rows.Row() {
			s.Other(v)
		}
	}
	err := s.err
	s.err = nil
	if err == nil && len(s.out)-before > maxFrame-flushSize {
		err = quern.E(quern.Invalid, quern.CodeInvalidQuery, "a row of the result is larger than %d MiB", maxFrame>>20)
	}
	if err != nil {
		s.out, s.count = s.out[:s.start], 0
		return err
	}
	s.count++
	if len(s.out) >= flushSize {
		return s.send()
	}
	s.sendLater()
	return s.failed
}

// end writes the last frame of a query.
func (s *sender) end(e ending) error { return errors.Join(s.frame(endFrame, e), s.flush()) }

func (s *sender) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.send()
}

func (s *sender) sendLater() {
	if s.timing {
		return
	}
	s.timing = true
	if s.timer != nil {
		s.timer.Reset(flushAfter)
		return
	}
	s.timer = time.AfterFunc(flushAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.timing = false
		_ = s.send() // whoever sends next meets the same error
	})
}

// closeRows writes lengths into the head of the open frame of rows.
func (s *sender) closeRows() {
	if s.count == 0 {
		return
	}
	appendHeader(s.out[:s.start], rowFrame, len(s.out)-s.start-headerSize)
	binary.BigEndian.PutUint32(s.out[s.start+headerSize:], uint32(s.count))
	s.count = 0
}

func (s *sender) send() error {
	s.closeRows()
	if len(s.out) > 0 && s.failed == nil {
		_, s.failed = s.to.Write(s.out)
	}
	if cap(s.out) > 4*flushSize {
		s.out = nil
	}
	s.out = s.out[:0]
	return s.failed
}
