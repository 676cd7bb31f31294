package judge

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Classes are the reasons for which nothing answers a question.
var Classes = []string{"other topic", "missing column", "missing value", "ambiguous", "deed", "reason", "prediction"}

// Question is one line of a question set.
type Question struct {
	DB       string `json:"db"`
	Question string `json:"question"`
	SQL      string `json:"sql"` // the right query: SQLite's for a SQLite file, the engine's for CSV files
	// Unanswerable says that the line's sql is null: the data do not tell, and the
	// right thing is to decline or to ask back.
	Unanswerable bool `json:"-"`
	// Also are queries of other fair readings; rows of one of them are right too.
	Also []string `json:"also,omitempty"`
	Kind string   `json:"kind,omitempty"` // what the summary counts by
	// Class says why nothing answers an unanswerable question, one of Classes, and
	// Missing is the word to which nothing answers; both may be empty.
	Class   string `json:"class,omitempty"`
	Missing string `json:"missing,omitempty"`
	// Dialogue names the conversation that the question is asked in, as the turn
	// with the number Turn, from 1; empty when it is asked alone.
	Dialogue string `json:"dialogue,omitempty"`
	Turn     int    `json:"turn,omitempty"`
	// Today is the day on which the question is asked, YYYY-MM-DD: the right query of what
	// is late by now names it. Empty: the day on which it is judged.
	Today string `json:"today,omitempty"`
	// Target is a derivation instead of SQL, with the characters of its spans in
	// the order of the derivation; for questions that training makes up.
	Target []string `json:"target,omitempty"`
	Spans  [][2]int `json:"values,omitempty"`
	Set    string   `json:"set,omitempty"`
}

// UnmarshalJSON tells a query that is null from one that was left out.
func (q *Question) UnmarshalJSON(line []byte) error {
	type plain Question
	if err := json.Unmarshal(line, (*plain)(q)); err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		return err
	}
	q.Unanswerable = string(members["sql"]) == "null"
	return nil
}

// check reports what a line lacks.
func (q *Question) check() error {
	switch {
	case q.DB == "" || q.Question == "":
		return errors.New("names no db or no question")
	case !q.hasDay():
		return fmt.Errorf("is asked on %q, which is no day of the form YYYY-MM-DD", q.Today)
	case q.Dialogue != "" && q.Turn < 1:
		return errors.New("is of a dialogue and has no turn from 1")
	case q.Unanswerable && len(q.Also) > 0:
		return errors.New("has no right query, but other fair ones")
	case !q.Unanswerable && (q.Class != "" || q.Missing != ""):
		return errors.New("has a right query, and says why there is none")
	case q.Class != "" && !slices.Contains(Classes, q.Class):
		return fmt.Errorf("is of the class %q, which is none of %s", q.Class, strings.Join(Classes, ", "))
	case !strings.Contains(strings.ToLower(q.Question), strings.ToLower(q.Missing)):
		return fmt.Errorf("misses %q, which is no word of it", q.Missing)
	}
	return nil
}

// hasDay reports whether the day of the question is one.
func (q *Question) hasDay() bool {
	_, err := time.Parse(time.DateOnly, cmp.Or(q.Today, time.DateOnly))
	return err == nil
}

// now returns when the question is asked: at noon of its day.
func (q *Question) now() time.Time {
	day, err := time.ParseInLocation(time.DateOnly, q.Today, time.Local)
	if err != nil {
		return time.Now()
	}
	return day.Add(12 * time.Hour)
}

// Questions reads a question set, one JSON object a line, at most limit of them
// (0: all).
func Questions(r io.Reader, limit int) ([]Question, error) {
	const longest = 1 << 20
	var all []Question
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longest)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var q Question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("line %d of the questions is not a JSON object of the expected form: %w", n, err)
		}
		if err := q.check(); err != nil {
			return nil, fmt.Errorf("line %d of the questions %w", n, err)
		}
		if all = append(all, q); len(all) == limit {
			break
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("the questions cannot be read: %w", err)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no questions")
	}
	return all, nil
}

// inTurn returns questions in the order in which they are asked: as they come,
// with the turns of each dialogue together, in their order, where its first line
// stands.
func inTurn(questions []Question) []Question {
	dialogues := map[string][]Question{}
	for _, q := range questions {
		if q.Dialogue != "" {
			dialogues[q.Dialogue] = append(dialogues[q.Dialogue], q)
		}
	}
	var all []Question
	for _, q := range questions {
		if q.Dialogue == "" {
			all = append(all, q)
			continue
		}
		turns := dialogues[q.Dialogue]
		delete(dialogues, q.Dialogue)
		slices.SortStableFunc(turns, func(a, b Question) int { return cmp.Compare(a.Turn, b.Turn) })
		all = append(all, turns...)
	}
	return all
}
