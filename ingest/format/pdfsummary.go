package format

import (
	"math"
	"strconv"
	"strings"
)

// cutSummary takes the lines at the end of a grid out of it that add up those above:
// a name such as Subtotal, VAT or Total with amounts behind it.
func (g *grid) cutSummary() (summary []pageLine) {
	end := len(g.lines)
	for end > 2 && isSummary(g.lines[end-1]) {
		end--
	}
	summary, g.lines = g.lines[end:], g.lines[:end]
	return summary
}

func isSummary(l pageLine) bool {
	if len(l.phrases) < 2 || len(l.phrases) > 4 || !callsSummary(l.phrases[0].text) {
		return false
	}
	for _, p := range l.phrases[1:] {
		if !looksLikeAmount(p.text) {
			return false
		}
	}
	return true
}

// placed returns lines as rows of a table with these columns.
func placed(lines []pageLine, columns []band) (rows [][]string) {
	for _, l := range lines {
		row := make([]string, len(columns))
		for _, p := range l.phrases {
			at, nearest := 0, math.Inf(1)
			for i, c := range columns {
				if far := max(c.left-p.right, p.left-c.right, 0); far < nearest {
					at, nearest = i, far
				}
			}
			row[at] = strings.TrimSpace(row[at] + " " + p.text)
		}
		rows = append(rows, row)
	}
	return rows
}

// looksLikeAmount reports whether a phrase is a number, maybe with a currency.
func looksLikeAmount(text string) bool {
	_, ok := amountOf(text)
	return ok
}

// amountOf reads the number of a phrase such as € 1.250,00 or (35.00).
func amountOf(text string) (float64, bool) {
	digits, letters := 0, 0
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
			b.WriteRune(r)
		case r == '.' || r == ',':
			b.WriteRune(r)
		case strings.ContainsRune(" \u00a0'+-\u2212()%*", r):
		default:
			letters++
		}
	}
	if digits == 0 || letters > 4 {
		return 0, false
	}
	whole, fraction := cutFraction(strings.Trim(b.String(), ".,"))
	n, err := strconv.ParseFloat(strings.NewReplacer(".", "", ",", "").Replace(whole)+"."+fraction, 64)
	if strings.ContainsAny(text, "-\u2212(") {
		n = -n
	}
	return n, err == nil
}

// cutFraction splits digits and marks at the one that begins a fraction, if one does.
func cutFraction(plain string) (whole, fraction string) {
	at := strings.LastIndexAny(plain, ".,")
	if at < 0 {
		return plain, ""
	}
	mark := plain[at : at+1]
	other := strings.ContainsAny(strings.ReplaceAll(plain, mark, ""), ".,")
	thousands := len(plain)-at-1 == 3 && plain[0] != '0' && !other
	if strings.Count(plain, mark) > 1 || thousands {
		return plain, ""
	}
	return plain[:at], plain[at+1:]
}

// addsUp reports whether amounts below a table follow from its rows: one is the sum of
// a column, or the last is that sum with the others added or taken off.
func addsUp(rows, summary [][]string) bool {
	amounts := make([]float64, 0, len(summary))
	for _, row := range summary {
		for i := len(row) - 1; i >= 0; i-- {
			if n, ok := amountOf(row[i]); ok && !callsSummary(row[i]) {
				amounts = append(amounts, n)
				break
			}
		}
	}
	if len(amounts) == 0 || len(rows) == 0 {
		return false
	}
	const near = 0.011
	between := 0.0
	for _, n := range amounts[:len(amounts)-1] {
		between += n
	}
	last := amounts[len(amounts)-1]
	for c := range rows[0] {
		sum, values := 0.0, 0
		for _, row := range rows {
			if n, ok := amountOf(row[c]); ok {
				sum, values = sum+n, values+1
			}
		}
		if values == 0 {
			continue
		}
		for _, n := range amounts {
			if math.Abs(n-sum) < near {
				return true
			}
		}
		if math.Abs(sum+between-last) < near || math.Abs(sum-between-last) < near {
			return true
		}
	}
	return false
}

// rowTexts writes rows for people.
func rowTexts(rows [][]string) (texts []string) {
	for _, row := range rows {
		texts = append(texts, strings.Join(row, "\t"))
	}
	return texts
}
