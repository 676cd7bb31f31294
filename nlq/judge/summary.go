package judge

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"
)

// Counts is how questions went. Those that have no right query count in the last
// members alone. Accuracies are fractions of 1.
type Counts struct {
	Questions            int     `json:"questions"`
	Answered             int     `json:"answered"`
	Correct              int     `json:"correct"`
	ExecutionAccuracy    float64 `json:"execution_accuracy"`
	AccuracyWhenAnswered float64 `json:"accuracy_when_answered"`
	// Of the answered, by whether the answer said that it may be wrong.
	RightWithNote int `json:"right_with_note"`
	WrongWithNote int `json:"wrong_with_note"`
	SilentlyWrong int `json:"silently_wrong"`
	// Declined is how many got no rows, AskedBack how many of these got choices, and
	// OfferedRight how many of those a choice that has the right rows.
	Declined     int `json:"declined"`
	AskedBack    int `json:"asked_back"`
	OfferedRight int `json:"offered_right"`

	Unanswerable         int `json:"unanswerable"`
	UnanswerableDeclined int `json:"unanswerable_declined"`
	// MissingSaid is how many unanswerable questions say which word is missing, and
	// MissingNamed how many of these were declined for it.
	MissingSaid  int `json:"missing_said"`
	MissingNamed int `json:"missing_named"`
	// Score is one number with a price for being wrong: right answers, and declined
	// questions that nothing answers, less wrong answers, over all questions.
	Score float64 `json:"score"`
}

// Summary is how a set of questions went.
type Summary struct {
	Counts
	P50   float64           `json:"p50_ms"`
	P95   float64           `json:"p95_ms"`
	Kinds map[string]Counts `json:"kinds,omitempty"`
	// Classes counts unanswerable questions by why nothing answers them.
	Classes map[string]Counts `json:"classes,omitempty"`
}

// Summarise counts verdicts.
func Summarise(verdicts []Verdict) Summary {
	var s Summary
	took := make([]time.Duration, 0, len(verdicts))
	for _, v := range verdicts {
		if v.LeftOut {
			continue
		}
		s.add(v)
		if !v.Question.Unanswerable {
			took = append(took, v.Took)
		}
		s.Kinds = countBy(s.Kinds, v.Question.Kind, v)
		s.Classes = countBy(s.Classes, v.Question.Class, v)
	}
	if len(took) > 0 {
		slices.Sort(took)
		s.P50, s.P95 = milliseconds(took, 50), milliseconds(took, 95)
	}
	s.rate()
	for _, by := range []map[string]Counts{s.Kinds, s.Classes} {
		for name, counts := range by {
			counts.rate()
			by[name] = counts
		}
	}
	return s
}

// countBy counts a verdict under a name, if it has one.
func countBy(all map[string]Counts, name string, v Verdict) map[string]Counts {
	if name == "" {
		return all
	}
	if all == nil {
		all = map[string]Counts{}
	}
	counts := all[name]
	counts.add(v)
	all[name] = counts
	return all
}

// add counts one verdict.
func (c *Counts) add(v Verdict) {
	if v.Question.Unanswerable {
		c.Unanswerable++
		c.UnanswerableDeclined += one(v.Correct)
		c.MissingSaid += one(v.Question.Missing != "")
		c.MissingNamed += one(v.MissingNamed)
		return
	}
	c.Questions++
	c.Answered += one(v.Answered)
	c.Correct += one(v.Correct)
	c.RightWithNote += one(v.Correct && v.Noted)
	wrong := v.Answered && !v.Correct
	c.WrongWithNote += one(wrong && v.Noted)
	c.SilentlyWrong += one(wrong && !v.Noted)
	c.Declined += one(!v.Answered)
	c.AskedBack += one(v.Choices > 0)
	c.OfferedRight += one(v.OfferedRight)
}

// rate fills in the fractions.
func (c *Counts) rate() {
	if c.Questions > 0 {
		c.ExecutionAccuracy = float64(c.Correct) / float64(c.Questions)
	}
	if c.Answered > 0 {
		c.AccuracyWhenAnswered = float64(c.Correct) / float64(c.Answered)
	}
	if all := c.Questions + c.Unanswerable; all > 0 {
		wrong := c.WrongWithNote + c.SilentlyWrong + c.Unanswerable - c.UnanswerableDeclined
		c.Score = float64(c.Correct+c.UnanswerableDeclined-wrong) / float64(all)
	}
}

// one is 1 for what is counted.
func one(counted bool) int {
	if counted {
		return 1
	}
	return 0
}

func milliseconds(sorted []time.Duration, percent int) float64 {
	return float64(sorted[(len(sorted)-1)*percent/100].Microseconds()) / 1000
}

// Surest returns the share of right answers among the part of the verdicts in
// which the translator was surest.
func Surest(verdicts []Verdict, part float64) float64 {
	sorted := slices.Clone(verdicts)
	slices.SortStableFunc(sorted, func(a, b Verdict) int { return cmp.Compare(b.Confidence, a.Confidence) })
	sorted = sorted[:int(part*float64(len(sorted)))]
	right := 0
	for _, v := range sorted {
		right += one(v.Correct)
	}
	return float64(right) / float64(max(1, len(sorted)))
}

// verdictLine is a verdict as WriteVerdict writes it.
type verdictLine struct {
	DB           string   `json:"db"`
	Question     string   `json:"question"`
	Kind         string   `json:"kind,omitempty"`
	Class        string   `json:"class,omitempty"`
	MissingNamed bool     `json:"missing_named,omitempty"`
	Dialogue     string   `json:"dialogue,omitempty"`
	Turn         int      `json:"turn,omitempty"`
	SQL          *string  `json:"sql"`
	Query        string   `json:"query"`
	Answered     bool     `json:"answered"`
	Correct      bool     `json:"correct"`
	Noted        bool     `json:"noted"`
	OfferedRight bool     `json:"offered_right"`
	Asked        string   `json:"asked,omitempty"`
	Offers       []string `json:"choices,omitempty"`
	Notes        []string `json:"notes,omitempty"`
	Confidence   float64  `json:"confidence"`
	Took         float64  `json:"took_ms"`
}

// WriteVerdict writes a verdict as one line of JSON, right or not.
func WriteVerdict(w io.Writer, v Verdict) error {
	q := v.Question
	line := verdictLine{
		DB: q.DB, Question: q.Question, Kind: q.Kind, Class: q.Class, MissingNamed: v.MissingNamed, Dialogue: q.Dialogue, Turn: q.Turn, SQL: &q.SQL,
		Query: v.Query, Answered: v.Answered, Correct: v.Correct, Noted: v.Noted, OfferedRight: v.OfferedRight,
		Asked: v.Asked, Offers: v.Offers, Notes: v.Notes, Confidence: v.Confidence, Took: float64(v.Took.Microseconds()) / 1000,
	}
	if q.Unanswerable {
		line.SQL = nil
	}
	return json.NewEncoder(w).Encode(line)
}
