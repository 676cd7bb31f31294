package format

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/mail"
	"os"
	"strings"
	"time"
)

// mailColumns are what is told of a message.
var mailColumns = []string{"date", "from_name", "from_address", "to", "cc", "subject", "text", "attachments", "message_id"}

// mailTables returns the messages of a file of mail, a row each.
func mailTables(path string, o Options) ([]Table, error) {
	return []Table{{Detail: "mail, a row for every message", open: func() (Reader, error) {
		box, err := openMailbox(path)
		if err != nil {
			return nil, err
		}
		return &mailReader{box: box, watch: o.Watch}, nil
	}}}, nil
}

// mailbox reads the messages of a file one after the other.
type mailbox struct {
	file    *os.File
	in      *bufio.Reader
	many    bool   // messages begin with a line of their own
	pending []byte // of the line that is being handed on
	inLine  bool   // the next bytes are in the middle of a line
	blank   bool   // the line before is empty
	more    bool   // the next message begins here
}

func openMailbox(path string) (*mailbox, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b := &mailbox{file: file, in: bufio.NewReaderSize(file, 64<<10), more: true}
	head, err := b.in.Peek(mailHead)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, file.Close())
	}
	if b.many = isMailbox(head); b.many {
		_, err = b.in.ReadSlice('\n')
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b, err
}

// next moves to the next message, which is read from the box itself.
func (b *mailbox) next() (bool, error) {
	if _, err := io.Copy(io.Discard, b); err != nil {
		return false, err
	}
	if !b.more {
		return false, nil
	}
	b.more, b.blank, b.inLine = false, false, false
	return true, nil
}

// Read hands on the bytes of a message.
func (b *mailbox) Read(p []byte) (int, error) {
	if len(b.pending) == 0 {
		if err := b.line(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.pending)
	b.pending = b.pending[n:]
	return n, nil
}

// line reads the next line, or a piece of a long one; io.EOF at the end of the message.
func (b *mailbox) line() error {
	if b.more {
		return io.EOF
	}
	piece, err := b.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || errors.Is(err, io.EOF) && len(piece) > 0 {
		err = nil
	}
	if err != nil {
		return err
	}
	if b.many && !b.inLine {
		if b.blank && bytes.HasPrefix(piece, []byte("From ")) {
			b.more = true
			return io.EOF
		}
		if quoted := bytes.TrimLeft(piece, ">"); len(quoted) < len(piece) && bytes.HasPrefix(quoted, []byte("From ")) {
			piece = piece[1:]
		}
		b.blank = len(bytes.TrimRight(piece, "\r\n")) == 0
	}
	b.inLine = !bytes.HasSuffix(piece, []byte("\n"))
	b.pending = piece
	return nil
}

// mailReader reads the messages of a mailbox as records.
type mailReader struct {
	box   *mailbox
	row   int64
	cells []Cell
	watch func(int)
	done  int64
}

func (r *mailReader) Header() []string { return mailColumns }
func (r *mailReader) Notes() []string  { return nil }
func (r *mailReader) Close() error     { return r.box.file.Close() }

// Next reads a message.
func (r *mailReader) Next() (Record, error) {
	more, err := r.box.next()
	if err != nil {
		return Record{}, err
	}
	if !more {
		return Record{}, io.EOF
	}
	r.row++
	m, err := readMessage(r.box, nil)
	r.see()
	if err != nil {
		reason, ok := Refused(err)
		if !ok {
			return Record{}, err
		}
		return Record{}, &Fault{Row: r.row, Reason: reason}
	}
	r.cells = r.cells[:0]
	for _, text := range m.cells() {
		r.cells = append(r.cells, Cell{Text: []byte(text)})
	}
	return Record{Cells: r.cells, Row: r.row}, nil
}

// see tells how far the file is read.
func (r *mailReader) see() {
	if r.watch == nil {
		return
	}
	if at, err := r.box.file.Seek(0, io.SeekCurrent); err == nil {
		r.watch(int(at - r.done))
		r.done = at
	}
}

// cells returns what is told of the message, by column.
func (m *message) cells() []string {
	names, addresses := people(m.header, "From")
	toNames, to := people(m.header, "To")
	ccNames, cc := people(m.header, "Cc")
	date := m.header.Get("Date")
	if t, err := mail.ParseDate(date); err == nil {
		date = t.UTC().Format(time.RFC3339)
	}
	return []string{
		date, names, addresses, cmp.Or(to, toNames), cmp.Or(cc, ccNames), mailWords(m.header.Get("Subject")), m.body(),
		strings.Join(m.names, ", "), strings.Trim(m.header.Get("Message-Id"), "<> "),
	}
}

// people returns the names and the addresses of a header, the header as it is where
// it cannot be read.
func people(h mail.Header, key string) (names, addresses string) {
	text := h.Get(key)
	if text == "" {
		return "", ""
	}
	list, err := h.AddressList(key)
	if err != nil {
		return mailWords(text), ""
	}
	var called, reached []string
	for _, a := range list {
		if a.Name != "" {
			called = append(called, mailWords(a.Name))
		}
		reached = append(reached, a.Address)
	}
	return strings.Join(called, ", "), strings.Join(reached, ", ")
}
