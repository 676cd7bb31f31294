package embedded_test

import (
	"strings"
	"testing"
)

// league makes the files of a football league: players of teams, matches with goals of both sides,
// some of them still to come, cards, and what members of the club pay.
func (h *house) league() *house {
	h.dataset(at("teams"), `[{"code":"FOX","team":"Ferndale Foxes","coach":"Sandra Holt","kit":"Green"},{"code":"OWL","team":"Oakley Owls","coach":"Pete Marlow","kit":"Brown"},{"code":"HAR","team":"Hill Hares","coach":"Ida Stone","kit":"White"}]`)
	h.dataset(at("players"), `[{"id":1,"name":"Kian West","team":"FOX","dob":"2012-11-16","pos":"GK"},{"id":2,"name":"Billy Adams","team":"FOX","dob":"2011-11-14","pos":"MID"},{"id":3,"name":"Zed Ford","team":"OWL","dob":"2012-01-05","pos":"DEF"},
		{"id":4,"name":"Abe Lane","team":"FOX","dob":"2013-02-01","pos":"DEF"},{"id":5,"name":"Max Hill","team":"OWL","dob":"2011-06-09","pos":"GK"},{"id":6,"name":"Jo Moss","team":"HAR","dob":"2012-08-08","pos":"MID"}]`)
	h.dataset(at("matches"), `[{"match_no":301,"date":"2023-09-16","home":"OWL","away":"FOX","home_goals":1,"away_goals":4,"status":"played"},{"match_no":302,"date":"2023-09-17","home":"FOX","away":"HAR","home_goals":2,"away_goals":0,"status":"played"},
		{"match_no":303,"date":"2023-09-23","home":"HAR","away":"OWL","home_goals":3,"away_goals":3,"status":"played"},{"match_no":304,"date":"2023-09-30","home":"OWL","away":"HAR","home_goals":null,"away_goals":null,"status":"postponed"},
		{"match_no":305,"date":"2023-10-08","home":"FOX","away":"OWL","home_goals":null,"away_goals":null,"status":"scheduled"},{"match_no":306,"date":"2023-10-29","home":"HAR","away":"FOX","home_goals":null,"away_goals":null,"status":"scheduled"}]`)
	h.dataset(at("cards"), `[{"card_id":1,"match_no":301,"player_id":2,"card":"yellow"},{"card_id":2,"match_no":302,"player_id":6,"card":"red"},{"card_id":3,"match_no":303,"player_id":3,"card":"yellow"}]`)
	h.Link(h.ada, "ada.trade.players.team", "ada.trade.teams.code")
	h.Link(h.ada, "ada.trade.matches.home", "ada.trade.teams.code")
	h.Link(h.ada, "ada.trade.matches.away", "ada.trade.teams.code")
	h.Link(h.ada, "ada.trade.cards.match_no", "ada.trade.matches.match_no")
	h.Link(h.ada, "ada.trade.cards.player_id", "ada.trade.players.id")
	return h
}

// TestTeamsOfPlayers: the team that players are of is no part that somebody had in them.
func TestTeamsOfPlayers(t *testing.T) {
	t.Parallel()
	newHouse(t).league().answers(map[string]string{
		"which coaches have more than one player":             "Pete Marlow; Sandra Holt",
		"show players and their coach where the kit is Brown": "Max Hill Pete Marlow; Zed Ford Pete Marlow",
	})
}

// TestPlaces: the second dearest is not the dearest.
func TestPlaces(t *testing.T) {
	t.Parallel()
	newHouse(t).league().answers(map[string]string{
		"second oldest player in the foxes":                        "Kian West",
		"Who is the third youngest player?":                        "Jo Moss",
		"Which team has the second most players?":                  "Oakley Owls",
		"What is the 2nd highest number of away goals in a match?": "3",
	})
	h := newHouse(t).league()
	first := h.read("second oldest player in the foxes", nil)
	if !strings.Contains(first.Reading, "only the second") {
		t.Errorf("Reading = %q, want the second", first.Reading)
	}
}

// TestPartsOfAWhole: goals of a match are those of both sides, unless one is named.
func TestPartsOfAWhole(t *testing.T) {
	t.Parallel()
	newHouse(t).league().answers(map[string]string{
		"How many goals were scored in total?":      "13",
		"how many goals per match on average":       "4.333333333333333",
		"How many home goals were scored in total?": "6",
	})
}

// TestDaysOfOneWeek: this weekend is none of last year's, and the last Sunday is one day.
func TestDaysOfOneWeek(t *testing.T) {
	t.Parallel()
	newHouse(t).league().answers(map[string]string{
		"How many matches are there this weekend?":           "1",
		"How many matches were there last Sunday?":           "0",
		"How many matches are on a Saturday or Sunday?":      "6",
		"How many matches are on Sundays?":                   "3",
		"How many matches were there on Sundays so far?":     "1",
		"Which matches are there within the next two weeks?": "305",
	})
}

// TestSaidInSeveralWords: what people say in several words is a value of the data.
func TestSaidInSeveralWords(t *testing.T) {
	t.Parallel()
	newHouse(t).league().answers(map[string]string{
		"Which players got sent off?": "Jo Moss",
		"which players play in goal":  "Kian West; Max Hill",
	})
}

// TestWhoWillWin: nobody knows yet.
func TestWhoWillWin(t *testing.T) {
	t.Parallel()
	h := newHouse(t).league()
	for _, text := range []string{"who will win the league?", "close card 3"} {
		if got := h.read(text, nil); got.Clarification == nil {
			t.Errorf("Translate(%q) = %s, want a refusal", text, got.SQL)
		}
	}
}
