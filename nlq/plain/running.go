package plain

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern/english"
	"quern/nlq/schema"
)

var (
	// runningThings are things that have not ended: running subscriptions.
	runningThings = regexp.MustCompile(`(?i)\b(?:still )?(?P<how>running|active|ongoing|live|current) (?P<thing>[a-z]{3,})\b`)
	// thingsRunning are the same the other way round: subscriptions that are still running.
	thingsRunning = regexp.MustCompile(`(?i)\b(?P<thing>[a-z]{3,}),? (?:that|which|who) (?:is|are) (?:still |currently )?(?P<how>running|active|ongoing|live)\b` + byNow)
	// areRunning says that of things, and nothing else: which subscriptions are still active?
	areRunning = regexp.MustCompile(`(?i)\b(?P<thing>[a-z]{3,}) (?:is|are) (?:still |currently )?(?P<how>running|active|ongoing|live)\b` + byNow + `\W*$`)
	// notRunning denies it, or asks how long it went on.
	notRunning = regexp.MustCompile(`(?i)(?:\b(?:non|not|no longer|in)|\b(?:is|are|was|were|has|have|had|do|does|did)n['’]?t)[\s-]*(?:running|active|ongoing|live|current)\b|\b(?:longest|shortest)[\s-]running\b`)
)

// inRunning returns the words of a text by which something still goes on as what they come to,
// where one time of its dataset says when it ended: subscriptions with no cancelled.
func (r Rules) inRunning(text string) []english.Change {
	if r.SpeaksOfTimes(text) || notRunning.MatchString(text) {
		return nil
	}
	for _, form := range []*regexp.Regexp{thingsRunning, areRunning, runningThings} {
		m, ok := english.Groups(form, text)
		if !ok || r.IsOfData(strings.ToLower(m.Text("how"))) {
			continue
		}
		if ended, ok := r.endedOf(strings.ToLower(m.Text("thing"))); ok {
			with := " with no "
			if form == areRunning {
				with = " have no "
			}
			start, _ := m.Span("")
			_, end := m.Span("how")
			if form == runningThings {
				_, end = m.Span("thing")
			}
			return []english.Change{{Start: start, End: end, By: m.Text("thing") + with + limitWords(ended)}}
		}
	}
	return nil
}

// endedOf returns the one time, in the one dataset that a word names, that says when its rows
// ended, where all ends are past and some have none.
func (r Rules) endedOf(thing string) (ended schema.Column, ok bool) {
	today := r.Question.Now.UTC().Format(time.DateOnly)
	named, n := 0, 0
	for i, t := range r.Whole.Tables {
		if r.Whole.Mention(thing, i) < 0 {
			continue
		}
		named++
		for id := t.First; id < t.First+t.Len; id++ {
			c := r.Whole.Columns[id]
			if c.Type.Temporal() && slices.ContainsFunc(c.Words, english.Stops.Has) && r.Whole.HasNull(id) && c.Max[:min(len(c.Max), len(today))] <= today {
				ended, n = c, n+1
			}
		}
	}
	return ended, named == 1 && n == 1
}
