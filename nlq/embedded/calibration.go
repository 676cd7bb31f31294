package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sort"

	"quern/nlq/account"
)

// calibration is how far an answer is to be trusted, as learned/train/calibration.py
// fitted it: what speaks for and against an answer has a worth each, and a table
// says how many answers with such a sum are right.
type calibration struct {
	safe    float64 // odds below which a word is in no doubt
	one     float64
	worth   map[string]float64
	uses    [account.Uses]float64
	steps   [][2]float64 // sums, rising, and shares of right answers
	decline float64      // the sum below which no rows are shown
	note    float64      // the sum below which an answer is in doubt
}

// useNames name the uses of words as the calibration does.
var useNames = [account.Uses]string{
	account.Named: "named", account.Value: "value", account.Time: "time", account.Does: "does",
	account.Near: "near", account.Like: "like", account.Joins: "joins", account.Left: "left", account.Lost: "lost",
}

// calibrations are those of questions that stand on their own, and of questions that
// are read together with those before them.
type calibrations struct{ alone, together *calibration }

// trust returns the calibration of answers to the text.
func (g *grounding) trust() *calibration {
	if g.Own > 0 {
		return g.calibrations.together
	}
	return g.calibrations.alone
}

// fitted is what learned/train/calibration.py writes.
type fitted struct {
	Safe, One     float64
	Worth         map[string]float64
	Steps         [][2]float64
	Decline, Note float64
}

// loadCalibrations reads what was fitted.
func loadCalibrations(data []byte) (all calibrations, err error) {
	var l struct {
		fitted
		Together fitted
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return all, err
	}
	if all.alone, err = newCalibration(l.fitted); err != nil {
		return all, err
	}
	all.together, err = newCalibration(l.Together)
	return all, err
}

// newCalibration makes a calibration of what was fitted.
func newCalibration(l fitted) (*calibration, error) {
	if len(l.Steps) == 0 {
		return nil, errors.New("embedded: the calibration has no steps")
	}
	c := &calibration{safe: l.Safe, one: l.One, worth: l.Worth, steps: l.Steps, decline: l.Decline, note: l.Note}
	for use, name := range useNames {
		worth, ok := l.Worth[name]
		if !ok && name != "" {
			return nil, fmt.Errorf("embedded: the calibration does not know words that are %s", name)
		}
		c.uses[use] = worth
	}
	return c, nil
}

// sum returns what speaks for an answer less what speaks against it.
func (c *calibration) sum(t *trial) float64 {
	const certainty, least = 0.001, 0.01 // as in learned/train/calibration.py
	sure := min(max(t.confidence, certainty), 1-certainty)
	sum := c.one + c.worth["confidence"]*math.Log(sure/(1-sure)) + c.worth["agreement"]*math.Log(t.agreement+least) + c.worth["rival"]*t.rival
	sum += c.worth["unnamed"] * float64(t.unnamed)
	if t.chosen.isAstray() {
		sum += c.worth["misplaced"]
	}
	var most [account.Uses]float64
	strict := false
	for i, w := range t.words {
		most[w.Use] = max(most[w.Use], t.odds[i]-c.safe)
		strict = strict || w.Strict
	}
	if strict {
		sum += c.worth["strict"]
	}
	for use, odds := range most {
		sum += c.uses[use] * odds
	}
	return sum
}

// against returns how much a word speaks against an answer, 0 and more.
func (c *calibration) against(t *trial, word int) float64 {
	return max(0, -c.uses[t.words[word].Use]*max(0, t.odds[word]-c.safe))
}

// right returns how likely an answer with such a sum is right.
func (c *calibration) right(sum float64) float64 {
	i := sort.Search(len(c.steps), func(i int) bool { return c.steps[i][0] > sum })
	switch {
	case i == 0:
		return c.steps[0][1]
	case i == len(c.steps):
		return c.steps[i-1][1]
	}
	low, high := c.steps[i-1], c.steps[i]
	return low[1] + (high[1]-low[1])*(sum-low[0])/(high[0]-low[0])
}
