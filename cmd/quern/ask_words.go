package main

import (
	"fmt"
	"io"
	"strings"

	"quern/client"
)

// How the words of a text are underlined on a terminal and elsewhere, by how each
// was taken.
var (
	underlines = map[string]string{"matched": "\x1b[4m", "guessed": "\x1b[4:4m", "unknown": "\x1b[21m"}
	marks      = map[string]string{"matched": "-", "guessed": "~", "unknown": "?"}
)

// underlineEnd ends every kind of underline.
const underlineEnd = "\x1b[24m"

// printWords prints a text with its words of content marked: underlined on a
// terminal, solid what was matched, dotted what was guessed and double what is
// unknown; elsewhere by a line below. It prints nothing when no word is told of.
func printWords(w io.Writer, text string, words []client.Word, terminal bool) error {
	if len(words) == 0 {
		return nil
	}
	var line, below strings.Builder
	runes, at := []rune(text), 0
	for _, word := range words {
		if word.Start < at || word.End > len(runes) || word.Start > word.End {
			continue // the server counts otherwise
		}
		between, inside := printable(string(runes[at:word.Start])), printable(string(runes[word.Start:word.End]))
		below.WriteString(strings.Repeat(" ", word.Start-at) + strings.Repeat(marks[word.State], word.End-word.Start))
		line.WriteString(between)
		if terminal {
			inside = underlines[word.State] + inside + underlineEnd
		}
		line.WriteString(inside)
		at = word.End
	}
	line.WriteString(printable(string(runes[at:])))
	if !terminal {
		line.WriteString("\n" + strings.TrimRight(below.String(), " "))
	}
	_, err := fmt.Fprintln(w, line.String())
	return err
}
