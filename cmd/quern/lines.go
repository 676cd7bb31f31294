package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

const (
	// maxLine bounds a line that is read.
	maxLine = 64 << 10
	// maxHistory is how many lines are remembered.
	maxHistory = 500
)

// plainLines reads lines of a file or a pipe.
type plainLines struct{ from *bufio.Scanner }

func newPlainLines(in io.Reader) plainLines {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	return plainLines{lines}
}

// read reads a line; io.EOF behind the last.
func (l plainLines) read() (string, error) {
	if !l.from.Scan() {
		if err := l.from.Err(); err != nil {
			return "", err
		}
		return "", io.EOF
	}
	return l.from.Text(), nil
}

// terminalLines reads lines that are edited at a terminal, with a history.
type terminalLines struct {
	in       *os.File
	terminal *term.Terminal
	state    *term.State // what the terminal was before
}

func newTerminalLines(sh shell) (*terminalLines, error) {
	in, ok := sh.In.(*os.File)
	if !ok {
		return nil, errors.New("standard input is no terminal")
	}
	l := &terminalLines{in: in}
	state, err := term.GetState(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	l.state = state
	l.terminal = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{abandoning{in}, sh.Out}, "")
	l.terminal.History = newHistory(sh)
	return l, nil
}

// read reads a line. While it is typed the terminal hands over every key; otherwise it is
// as it was, so that Ctrl-C is a signal.
func (l *terminalLines) read(prompt string) (string, error) {
	fd := int(l.in.Fd())
	if _, err := term.MakeRaw(fd); err != nil {
		return "", err
	}
	defer l.restore()
	if wide, high, err := term.GetSize(fd); err == nil && wide > 0 {
		_ = l.terminal.SetSize(wide, high) // it only draws worse
	}
	l.terminal.SetPrompt(prompt)
	line, err := l.terminal.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	return line, err
}

func (l *terminalLines) restore() { _ = term.Restore(int(l.in.Fd()), l.state) }

// abandoning makes of Ctrl-C what empties the line: the end of it, and the deletion of all
// before.
type abandoning struct{ from io.Reader }

func (a abandoning) Read(p []byte) (int, error) {
	half := p[:max(len(p)/2, 1)]
	n, err := a.from.Read(half)
	if len(p) < 2 || !bytes.Contains(half[:n], []byte{3}) {
		return n, err
	}
	return copy(p, bytes.ReplaceAll(half[:n], []byte{3}, []byte{5, 21})), err
}

// history is the lines that were asked, kept in a file for their owner alone, as far as
// there is a place for it.
type history struct {
	path    string
	entries []string // oldest first
}

func newHistory(sh shell) *history {
	base := sh.variable("XDG_STATE_HOME")
	if home := sh.variable("HOME"); !filepath.IsAbs(base) && home != "" {
		base = filepath.Join(home, ".local", "state")
	}
	h := &history{}
	if !filepath.IsAbs(base) {
		return h
	}
	h.path = filepath.Join(base, "quern", "history")
	text, err := os.ReadFile(h.path)
	if err != nil {
		return h
	}
	for line := range strings.Lines(string(text)) {
		if line = printable(strings.TrimSuffix(line, "\n")); line != "" {
			h.entries = append(h.entries, line)
		}
	}
	h.entries = h.entries[max(0, len(h.entries)-maxHistory):]
	return h
}

// Add remembers a line, unless it is the last one again.
func (h *history) Add(line string) {
	line = strings.TrimSpace(line)
	if line == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == line {
		return
	}
	h.entries = append(h.entries, line)
	h.entries = h.entries[max(0, len(h.entries)-maxHistory):]
	if h.path == "" || os.MkdirAll(filepath.Dir(h.path), 0o700) != nil {
		return
	}
	_ = os.WriteFile(h.path, []byte(strings.Join(h.entries, "\n")+"\n"), 0o600) // a history that is lost is no failure
}

// Len is how many lines there are.
func (h *history) Len() int { return len(h.entries) }

// At returns a line, the latest at 0.
func (h *history) At(i int) string { return h.entries[len(h.entries)-1-i] }
