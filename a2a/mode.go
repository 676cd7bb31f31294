package a2a

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"

	"quern"
)

const (
	textMode = "text/plain"
	dataMode = "application/json"
)

// modes are what sorts of parts a client takes.
type modes struct{ text, data bool }

var allModes = modes{true, true}

// readModes reads what a client accepts; an empty list means everything.
func readModes(accepted []string) (modes, error) {
	if len(accepted) == 0 {
		return allModes, nil
	}
	var m modes
	for _, mode := range accepted {
		mode, _, _ = strings.Cut(strings.ToLower(mode), ";")
		switch strings.TrimSpace(mode) {
		case textMode, "text", "text/*":
			m.text = true
		case dataMode, "data", "application/*":
			m.data = true
		case "*/*", "*":
			m = allModes
		}
	}
	if m == (modes{}) {
		return m, fail(contentNotSupported, "the agent gives %s and %s, and the client accepts neither", textMode, dataMode)
	}
	return m, nil
}

// content is one thing to say: in words, as data, or as whichever a client takes.
type content struct {
	text    string
	data    map[string]any
	textual bool // words are its natural form
}

// parts writes contents for a client. Each is a part in its natural form, or,
// where the client does not take that, in the other form if it has one.
func (m modes) parts(all []content) []*a2apb.Part {
	var parts []*a2apb.Part
	for _, c := range all {
		if c.text == "" && c.data == nil {
			continue
		}
		asText := m.text
		if !c.textual {
			asText = !m.data && c.text != ""
		}
		if asText {
			parts = append(parts, &a2apb.Part{Content: &a2apb.Part_Text{Text: c.text}, MediaType: textMode})
		} else if m.data && c.data != nil {
			parts = append(parts, &a2apb.Part{Content: &a2apb.Part_Data{Data: mustValue(c.data)}, MediaType: dataMode})
		}
	}
	return parts
}

// rows is a step's rows as data, with what the reader should know about them: how
// the step was read, and how many rows there were where some were cut.
func rows(s quern.Step) map[string]any {
	all := s.Data
	if all == nil {
		all = []json.RawMessage{}
	}
	data := map[string]any{"rows": all}
	if s.Truncated {
		data["truncated"], data["totalCount"] = true, s.TotalCount
	}
	return aboutStep(data, s)
}

// caveats is what a reader should know about how something was read.
type caveats struct {
	notes []string
	words []quern.Word
	doubt bool
}

// addTo returns about with the caveats, where there are any.
func (c caveats) addTo(about map[string]any) map[string]any {
	some := len(c.notes) > 0 || len(c.words) > 0 || c.doubt
	if about == nil && some {
		about = map[string]any{}
	}
	if len(c.notes) > 0 {
		about["notes"] = c.notes
	}
	if len(c.words) > 0 {
		about["words"] = c.words
	}
	if c.doubt {
		about["doubt"] = true
	}
	return about
}

// aboutStep returns about with what a reader should know of a step.
func aboutStep(about map[string]any, s quern.Step) map[string]any {
	return caveats{s.Notes, s.Words, s.Doubt}.addTo(about)
}

// aboutResult returns about with what a reader should know of a result.
func aboutResult(about map[string]any, r quern.Result) map[string]any {
	return caveats{r.Notes, r.Words, r.Doubt}.addTo(about)
}

// notesText is notes for people, one on a line, "" when there are none.
func notesText(notes []string) string {
	var b strings.Builder
	for _, note := range notes {
		b.WriteString("Note: " + note + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// withNotes is a text with the notes below it, so that whoever reads words
// alone does not take a guess for a fact.
func withNotes(text string, notes []string) string {
	if len(notes) == 0 {
		return text
	}
	return text + "\n\n" + notesText(notes)
}

// rowsText is a step's rows as text, one JSON object on a line.
func rowsText(s quern.Step) string {
	var b strings.Builder
	for _, row := range s.Data {
		b.Write(row)
		b.WriteString("\n")
	}
	if s.Truncated {
		b.WriteString("the first " + strconv.Itoa(len(s.Data)) + " of " + strconv.FormatInt(s.TotalCount, 10) + " rows\n")
	}
	if b.Len() == 0 {
		return "no rows"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
