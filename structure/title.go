package structure

import (
	"regexp"
	"strings"
	"unicode"

	"quern/english"
)

var (
	// marked is a line that is a heading by the signs before or around it: "## Ariadne", "[ada]", "*** Ariadne ***".
	marked = regexp.MustCompile(`^\s*(?:#{1,6}\s+(.*?)\s*#*|\[([^\[\]]+)\]|[*=_~-]{2,}\s*([^*=_~-].*?)\s*[*=_~-]{2,}|=+\s+(.*?)\s+=+)\s*:?$`)
	// numbered is a line that begins with its number: "1) Ariadne", "#12", "No. 3".
	numbered = regexp.MustCompile(`^(?:(?:#|(?i:no|nr)\.?)\s*(\d+)[.):]?|(\d+)[.)])(?:\s*[-–—]\s+|\s+|$)(.*)$`)
	// identified is what tells a record apart in its title, and what else the title says: "101: Ariadne".
	identified = regexp.MustCompile(`^#?(\S*\d\S*?)(?:\s*[-–—:,]\s+|\s+\(|\s+)(.+?)\)?$`)
)

// isHeading reports whether a line is marked or numbered as a heading.
func isHeading(line string) bool {
	return marked.MatchString(line) || numbered.MatchString(strings.TrimSpace(line))
}

// titleSpan is where in a line its title stands, without the signs that mark it.
func titleSpan(line string) span {
	if m := marked.FindStringSubmatchIndex(line); m != nil {
		for n := 2; n < len(m); n += 2 {
			if m[n] >= 0 {
				return span{m[n], m[n+1]}
			}
		}
	}
	end := len(strings.TrimRight(line, " \t:"))
	return span{min(end, len(line)-len(strings.TrimLeft(line, " \t"))), end}
}

// titleValues is what the titles of records say, by the numbers of their lines, in columns whose names are not taken:
// "Arrival 101" is 101 in a column Arrival. Nothing, where all of several titles are the same.
func titleValues(titles []textLine, taken map[string]int) map[int64][]value {
	spans := make([]span, len(titles))
	texts := make([]string, len(titles))
	differ := len(titles) == 1
	for i, l := range titles {
		spans[i] = titleSpan(l.text)
		texts[i] = l.text[spans[i].start:spans[i].end]
		differ = differ || texts[i] != texts[0]
	}
	if len(titles) == 0 || !differ {
		return nil
	}
	names, parts := titleParts(texts)
	for i := range names {
		names[i] = unique(taken, names[i])
	}
	const sure = 0.85
	all := map[int64][]value{}
	for i, l := range titles {
		for n, at := range parts[i] {
			if text := strings.TrimSpace(texts[i][at.start:at.end]); text != "" {
				all[l.number] = append(all[l.number], value{name: names[n], text: text, shape: shapeOf(text),
					at: span{spans[i].start + at.start, spans[i].start + at.end}, by: "title", sure: sure})
			}
		}
	}
	return all
}

// titleParts takes titles apart in the way that fits all of them, and names the parts.
func titleParts(texts []string) (names []string, parts [][]span) {
	if names, parts = numberedParts(texts); names != nil {
		return names, parts
	}
	name := "title"
	prefix := commonWords(texts)
	if prefix != "" {
		name = columnName(prefix)
	}
	values := make([]value, len(texts))
	whole := make([][]span, len(texts))
	split := prefix != ""
	for i, text := range texts {
		start := len(prefix) + len(text[len(prefix):]) - len(strings.TrimLeft(text[len(prefix):], " \t#"))
		values[i].shape = shapeOf(text[start:])
		whole[i] = []span{{start, len(text)}}
		m := identified.FindStringSubmatchIndex(text[start:])
		if split = split && m != nil; split {
			parts = append(parts, []span{{start + m[2], start + m[3]}, {start + m[4], start + m[5]}})
		}
	}
	if split {
		return []string{name, "title"}, parts
	}
	if s := commonShape(values); prefix == "" && s != word && s != code {
		name = shapeNames[s]
	}
	return []string{name}, whole
}

// numberedParts are the numbers of titles that all begin with one, and what they say besides; no names when they do not.
func numberedParts(texts []string) (names []string, parts [][]span) {
	for _, text := range texts {
		m := numbered.FindStringSubmatchIndex(text)
		if m == nil {
			return nil, nil
		}
		number := span{m[2], m[3]}
		if m[2] < 0 {
			number = span{m[4], m[5]}
		}
		parts = append(parts, []span{number, {m[6], m[7]}})
	}
	return []string{"number", "title"}, parts
}

// commonWords are the words that several titles all begin with, behind which each says something of its own; empty when
// there are none, or none that could name what follows.
func commonWords(texts []string) string {
	if len(texts) < 2 {
		return ""
	}
	telling, end := false, 0
	for {
		rest := texts[0][end:]
		n := strings.IndexAny(rest, " \t#")
		if n <= 0 || strings.IndexFunc(rest[:n], func(r rune) bool { return !unicode.IsLetter(r) }) >= 0 {
			break
		}
		next := end + len(rest) - len(strings.TrimLeft(rest[n:], " \t"))
		for _, text := range texts {
			if !strings.HasPrefix(text, texts[0][:next]) || len(text) == next {
				next = 0
				break
			}
		}
		if next == 0 {
			break
		}
		telling = telling || !english.FunctionWords.Has(strings.ToLower(rest[:n]))
		end = next
	}
	if !telling {
		return ""
	}
	return texts[0][:end]
}
