package judge

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	orders     = regexp.MustCompile(`(?i)\border\s+by\b`)
	selects    = regexp.MustCompile(`(?i)^\s*select\s+(?:distinct\s+)?`)
	listEnds   = regexp.MustCompile(`(?i)\bfrom\b`)
	orderEnds  = regexp.MustCompile(`(?i)\b(?:limit|offset)\b|;`)
	setsApart  = regexp.MustCompile(`(?i)\b(?:union|intersect|except)\b`)
	directions = regexp.MustCompile(`(?i)(?:\s+(?:asc|desc))?(?:\s+nulls\s+(?:first|last))?\s*$`)
	aliases    = regexp.MustCompile(`(?is)^(?P<value>.*?[\s)])(?:as\s+)?"?(?P<alias>[a-z_]\w*)"?\s*$`)
	sources    = regexp.MustCompile(`(?i)\b[a-z_]\w*\.`)
)

// Order says by which of its columns a query orders its rows: those have to come in its
// order, and the rows that they leave equal in any. All is true of an order by anything that
// it does not show: the rows then have to come as they are.
type Order struct {
	By  []int
	All bool
}

// OrderOf returns the order that a query says its rows are in.
func OrderOf(sql string) Order {
	at := lastTop(sql, orders)
	if at == nil {
		return Order{} // what a part of it orders is not the order of its rows
	}
	shown, ok := shownBy(sql)
	if !ok {
		return Order{All: true}
	}
	text := sql[at[1]:]
	if end := firstTop(text, orderEnds); end != nil {
		text = text[:end[0]]
	}
	var order Order
	for _, key := range atCommas(text) {
		key = directions.ReplaceAllString(key, "")
		i := slices.IndexFunc(shown, func(names []string) bool { return slices.Contains(names, plainly(key)) })
		if n, err := strconv.Atoi(strings.TrimSpace(key)); err == nil {
			i = n - 1
		}
		if i < 0 || i >= len(shown) {
			return Order{All: true}
		}
		order.By = append(order.By, i)
	}
	return order
}

// shownBy returns what an order may call each column that a query shows: as it is reckoned, and by its
// alias. ok is false where that cannot be told.
func shownBy(sql string) (names [][]string, ok bool) {
	start := selects.FindStringIndex(sql)
	if start == nil || firstTop(sql, setsApart) != nil {
		return nil, false
	}
	list := sql[start[1]:]
	end := firstTop(list, listEnds)
	if end == nil {
		return nil, false
	}
	for _, item := range atCommas(list[:end[0]]) {
		if strings.HasSuffix(strings.TrimSpace(item), "*") {
			return nil, false
		}
		own := []string{plainly(item)}
		if m := aliases.FindStringSubmatch(item); m != nil {
			own = append(own, plainly(m[1]), plainly(m[2]))
			own[1] = strings.TrimSuffix(own[1], "as")
		}
		names = append(names, own)
	}
	return names, true
}

// plainly writes an expression without white space, quotes and names of tables.
func plainly(expr string) string {
	expr = sources.ReplaceAllString(strings.ReplaceAll(strings.ToLower(expr), `"`, ""), "")
	return strings.Join(strings.Fields(expr), "")
}

// tops returns where a pattern is found outside of brackets and texts.
func tops(sql string, what *regexp.Regexp) (all [][]int) {
	depth, quoted := 0, false
	depths := make([]int, len(sql)+1)
	for i := range len(sql) {
		switch c := sql[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		depths[i] = depth
		if quoted {
			depths[i] = depth + 1
		}
	}
	for _, at := range what.FindAllStringIndex(sql, -1) {
		if depths[at[0]] == 0 {
			all = append(all, at)
		}
	}
	return all
}

func firstTop(sql string, what *regexp.Regexp) []int {
	if all := tops(sql, what); len(all) > 0 {
		return all[0]
	}
	return nil
}

func lastTop(sql string, what *regexp.Regexp) []int {
	if all := tops(sql, what); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

var comma = regexp.MustCompile(`,`)

// atCommas returns the parts of a list.
func atCommas(list string) (parts []string) {
	from := 0
	for _, at := range tops(list, comma) {
		parts = append(parts, list[from:at[0]])
		from = at[1]
	}
	return append(parts, list[from:])
}
