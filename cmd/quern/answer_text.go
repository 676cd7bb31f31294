package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"quern/client"
)

// The most rows and columns of a step that an answer of the server has in a table.
const (
	answeredRows    = 20
	answeredColumns = 12
)

// printResponse prints an answer, which is Markdown, for a terminal: tables in columns, and
// texts as they are meant.
func printResponse(w io.Writer, text string) error {
	for _, block := range splitResponse(text) {
		var err error
		if block.table != nil {
			err = printTable(w, block.table)
		} else {
			err = printLines(w, block.text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// responseBlock is a part of an answer: a table with its heading, or lines of text.
type responseBlock struct {
	table [][]string
	text  string
}

// splitResponse parts an answer into its tables and what stands between. Code stays as it is.
func splitResponse(text string) (blocks []responseBlock) {
	lines := strings.SplitAfter(text, "\n")
	var said strings.Builder
	end := func() {
		if said.Len() > 0 {
			blocks = append(blocks, responseBlock{text: said.String()})
			said.Reset()
		}
	}
	code := false
	for i := 0; i < len(lines); i++ {
		if strings.HasPrefix(strings.TrimSpace(lines[i]), "```") {
			code = !code
		}
		if n := tableLines(lines[i:]); n > 0 && !code {
			end()
			blocks = append(blocks, responseBlock{table: tableCells(lines[i : i+n])})
			i += n - 1
			continue
		}
		if code {
			said.WriteString(lines[i])
		} else {
			said.WriteString(unescaped(lines[i]))
		}
	}
	end()
	return blocks
}

// ruleLine is what stands below the heading of a table.
var ruleLine = regexp.MustCompile(`^\|(\s*:?-+:?\s*\|)+$`)

// tableLines is how many lines the table has that the lines begin with; 0 where they do not
// begin with one.
func tableLines(lines []string) (n int) {
	if len(lines) < 2 || !ruleLine.MatchString(strings.TrimSpace(lines[1])) {
		return 0
	}
	for n < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n]), "|") {
		n++
	}
	if n < 2 { // the rule has no heading
		return 0
	}
	return n
}

// tableCells returns the cells of a table without its rule.
func tableCells(lines []string) (rows [][]string) {
	for i, line := range lines {
		if i == 1 {
			continue
		}
		var cells []string
		line = strings.TrimPrefix(strings.TrimSpace(line), "|")
		for line != "" {
			end := cellEnd(line)
			cells = append(cells, unescaped(strings.TrimSpace(line[:end])))
			line = line[min(end+1, len(line)):]
		}
		rows = append(rows, cells)
	}
	return rows
}

// cellEnd is where the bar stands that ends the first cell of a line.
func cellEnd(line string) int {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			return i
		}
	}
	return len(line)
}

// escapedMark is a character that Markdown is told to show as it is.
var escapedMark = regexp.MustCompile("\\\\([\\\\`*\\[\\]<>|~_!&])")

func unescaped(text string) string { return escapedMark.ReplaceAllString(text, "$1") }

// untold returns the steps whose rows the answer has no table of, each table being of one step.
func untold(a client.Answer) (steps []client.Step) {
	var tables [][][]string
	for _, block := range splitResponse(a.Response) {
		if block.table != nil {
			tables = append(tables, block.table)
		}
	}
	for _, step := range a.Steps {
		if i := tableOf(step, tables); i >= 0 {
			tables = tables[i+1:] // they come in the order of their steps
			continue
		}
		steps = append(steps, step)
	}
	return steps
}

// tableOf finds the table of a step's rows, by its size and what it shows of them; -1 where there is none.
func tableOf(step client.Step, tables [][][]string) int {
	rows, err := step.Rows()
	if err != nil || len(rows.Rows) == 0 {
		return -1
	}
	for i, table := range tables {
		sameSize := len(table)-1 == min(len(rows.Rows), answeredRows) && len(table[0]) == min(len(rows.Columns), answeredColumns)
		if sameSize && showsRows(rows.Rows, table[1:]) {
			return i
		}
	}
	return -1
}

// showsRows reports whether a table shows some rows: a value of one is there in its place, and no number is
// another. Times are shown in other ways, and numbers rounded.
func showsRows(rows [][]json.RawMessage, table [][]string) bool {
	agrees := false
	for i, shown := range table {
		for j := range min(len(rows[i]), len(shown)) {
			same, differs := compareCell(rows[i][j], shown[j])
			if differs {
				return false
			}
			agrees = agrees || same
		}
	}
	return agrees
}

// compareCell reports whether a value is the one that a table shows, or a number is another than that.
func compareCell(raw json.RawMessage, shown string) (same, differs bool) {
	value := strings.Join(strings.Fields(printable(cell(raw))), " ")
	number, err := strconv.ParseFloat(value, 64)
	rounded, errRounded := strconv.ParseFloat(strings.ReplaceAll(shown, ",", ""), 64)
	if err == nil && errRounded == nil {
		const tolerance = 0.01
		isNear := math.Abs(number-rounded) <= tolerance*math.Abs(number)
		return isNear, !isNear
	}
	return value != "" && value == strings.Join(strings.Fields(printable(shown)), " "), false
}

// printUntold prints the rows of steps that the answer has no table of; where there are several
// steps, each below what it does.
func printUntold(w io.Writer, a client.Answer) error {
	for _, step := range untold(a) {
		if len(a.Steps) > 1 && len(step.Data) > 0 {
			fmt.Fprintln(w, printable(step.Reasoning)+":")
		}
		if err := printRows(w, step); err != nil {
			return err
		}
	}
	return nil
}
