package structure

import "strings"

const (
	// windowSize is how many bytes of a text a model reads at once, and windowOverlap
	// how many of them it reads again with the next: more than a record is long.
	windowSize, windowOverlap = 6000, 1200
	// mostPieces is how many short texts a model is given at once.
	mostPieces = 20
)

// piece is a part of a document that a model reads whole.
type piece struct {
	document int
	text     string
	start    int // in the document's text
}

// windows cuts a text into pieces that overlap, at ends of lines where there are
// any, so that every record is whole in one of them.
func windows(document int, text string) []piece {
	var all []piece
	for start := 0; start < len(text); {
		end := min(start+windowSize, len(text))
		if end < len(text) {
			end = cutAt(text, start+windowSize-windowOverlap/2, end)
		}
		all = append(all, piece{document, text[start:end], start})
		if end == len(text) {
			break
		}
		start = cutAt(text, end-windowOverlap, end-windowOverlap/2)
	}
	return all
}

// cutAt returns where a text is best cut between two places: behind an empty line, a
// line, a sentence, a word, or else a character.
func cutAt(text string, from, to int) int {
	part := text[from:to]
	for _, mark := range []string{"\n\n", "\n", ". ", " "} {
		if at := strings.LastIndex(part, mark); at >= 0 {
			return from + at + len(mark)
		}
	}
	for from < to && text[to]&0xC0 == 0x80 {
		to--
	}
	return to
}

// batched groups pieces into requests: short ones go together.
func batched(pieces []piece, most int) [][]piece {
	if most <= 0 || most > mostPieces {
		most = mostPieces
	}
	var all [][]piece
	size := 0
	for i, p := range pieces {
		n := len(all) - 1
		if i == 0 || size+len(p.text) > windowSize || len(all[n]) == most {
			all = append(all, nil)
			n, size = n+1, 0
		}
		all[n] = append(all[n], p)
		size += len(p.text)
	}
	return all
}

// folded is a text in which words can be looked for whatever its blanks and capitals,
// and where each of its bytes stands in the text.
type folded struct {
	text string
	at   []int
}

func fold(text string) folded {
	var f folded
	var b strings.Builder
	gap := false
	for i, r := range text {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\u00a0' {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			f.at = append(f.at, i-1)
			gap = false
		}
		lower := strings.ToLower(string(r))
		b.WriteString(lower)
		for range len(lower) {
			f.at = append(f.at, i)
		}
	}
	f.text = b.String()
	f.at = append(f.at, len(text))
	return f
}

// find returns where words stand in the text, at or behind a place of it if they do
// there, else anywhere.
func (f folded) find(words string, behind int) (at span, ok bool) {
	wanted := fold(words).text
	if wanted == "" {
		return span{}, false
	}
	from := 0
	for from < len(f.text) && f.at[from] < behind {
		from++
	}
	n := strings.Index(f.text[from:], wanted)
	if n < 0 {
		from = 0
		n = strings.Index(f.text, wanted)
	}
	if n < 0 {
		return span{}, false
	}
	n += from
	return span{f.at[n], f.at[n+len(wanted)]}, true
}
