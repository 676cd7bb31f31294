package encoder

import (
	"hash/crc32"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quern/nlq/weights"
)

const (
	piecesMagic = "QPCS"
	// mostPieces is how many pieces a word or value has at most.
	mostPieces = 12
	// inside marks the pieces that go on in the middle of a word.
	inside = "##"
)

// Pieces is a list of wordpieces, and what each is by itself. It is safe for
// concurrent use.
type Pieces struct {
	size    int
	sum     uint32
	ids     map[string]int32 // of pieces that begin a word
	rest    map[string]int32 // of those inside, without their mark
	longest int              // piece, in bytes
	vectors weights.Tensor

	unknown, begin, end                int32
	colon, opening, comma, closingMark int32
}

// LoadPieces reads wordpieces as learned/train/pieces.py writes them.
func LoadPieces(data []byte) (*Pieces, error) {
	var h struct {
		Size   int
		Pieces []string
	}
	rest, err := weights.ReadHeader(data, piecesMagic, &h)
	if err != nil {
		return nil, err
	}
	p := &Pieces{size: h.Size, sum: crc32.ChecksumIEEE(data), ids: make(map[string]int32, len(h.Pieces)), rest: map[string]int32{}}
	if p.vectors, err = weights.WholeTensor(rest, len(h.Pieces), h.Size); err != nil {
		return nil, err
	}
	for i, piece := range h.Pieces {
		all := p.ids
		if part, ok := strings.CutPrefix(piece, inside); ok && part != "" {
			all, piece = p.rest, part
		}
		all[piece] = int32(i)
		p.longest = max(p.longest, len(piece))
	}
	for piece, id := range map[string]*int32{
		"[UNK]": &p.unknown, "[CLS]": &p.begin, "[SEP]": &p.end, ":": &p.colon, "(": &p.opening, ",": &p.comma, ")": &p.closingMark,
	} {
		found, ok := p.ids[piece]
		if !ok {
			return nil, weights.ErrFormat
		}
		*id = found
	}
	return p, nil
}

// Sum is the checksum of the pieces.
func (p *Pieces) Sum() uint32 { return p.sum }

// Word returns the pieces of a word or a value: at least one, and at most twelve.
func (p *Pieces) Word(text string) []int32 {
	var all []int32
	for part := range parts(text) {
		all = p.match(part, all)
		if len(all) >= mostPieces {
			return all[:mostPieces]
		}
	}
	if len(all) == 0 {
		all = append(all, p.unknown)
	}
	return all
}

// match adds the pieces of a part, each the longest there is, or that it is unknown.
func (p *Pieces) match(part string, all []int32) []int32 {
	before, from := len(all), p.ids
	for len(part) > 0 {
		size := min(len(part), p.longest)
		for size > 0 {
			if id, ok := from[part[:size]]; ok {
				all = append(all, id)
				break
			}
			size--
		}
		if size == 0 {
			return append(all[:before], p.unknown)
		}
		part, from = part[size:], p.rest
	}
	return all
}

// parts takes a text apart: words, and marks by themselves, in lower case and
// without accents.
func parts(text string) func(yield func(string) bool) {
	plain := make([]byte, 0, len(text))
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		if r == '’' {
			r = '\''
		}
		if !unicode.Is(unicode.Mn, r) {
			plain = utf8.AppendRune(plain, r)
		}
	}
	return func(yield func(string) bool) {
		for at := 0; at < len(plain); {
			end := at + 1
			switch {
			case isSpace(plain[at]):
				at = end
				continue
			case inWord(plain[at]):
				for end < len(plain) && inWord(plain[end]) {
					end++
				}
			}
			if !yield(string(plain[at:end])) {
				return
			}
			at = end
		}
	}
}

func isSpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// inWord reports whether a byte is of a word: a letter, a digit, or of a character
// beyond ASCII.
func inWord(b byte) bool {
	letter := 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
	return letter || '0' <= b && b <= '9' || b >= utf8.RuneSelf
}
