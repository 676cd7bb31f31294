package nlqtest

import "testing"

// League makes a house with the files of a football league: players of teams, matches with goals of both
// sides, some of them still to come, cards, and what members of the club pay.
func League(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("teams", `[{"code":"FOX","team":"Ferndale Foxes","coach":"Sandra Holt","kit":"Green"},{"code":"OWL","team":"Oakley Owls","coach":"Pete Marlow","kit":"Brown"},{"code":"HAR","team":"Hill Hares","coach":"Ida Stone","kit":"White"}]`)
	h.Put("players", `[{"id":1,"name":"Kian West","team":"FOX","dob":"2012-11-16","pos":"GK"},{"id":2,"name":"Billy Adams","team":"FOX","dob":"2011-11-14","pos":"MID"},{"id":3,"name":"Zed Ford","team":"OWL","dob":"2012-01-05","pos":"DEF"},
		{"id":4,"name":"Abe Lane","team":"FOX","dob":"2013-02-01","pos":"DEF"},{"id":5,"name":"Max Hill","team":"OWL","dob":"2011-06-09","pos":"GK"},{"id":6,"name":"Jo Moss","team":"HAR","dob":"2012-08-08","pos":"MID"}]`)
	h.Put("matches", `[{"match_no":301,"date":"2023-09-16","home":"OWL","away":"FOX","home_goals":1,"away_goals":4,"status":"played"},{"match_no":302,"date":"2023-09-17","home":"FOX","away":"HAR","home_goals":2,"away_goals":0,"status":"played"},
		{"match_no":303,"date":"2023-09-23","home":"HAR","away":"OWL","home_goals":3,"away_goals":3,"status":"played"},{"match_no":304,"date":"2023-09-30","home":"OWL","away":"HAR","home_goals":null,"away_goals":null,"status":"postponed"},
		{"match_no":305,"date":"2023-10-08","home":"FOX","away":"OWL","home_goals":null,"away_goals":null,"status":"scheduled"},{"match_no":306,"date":"2023-10-29","home":"HAR","away":"FOX","home_goals":null,"away_goals":null,"status":"scheduled"}]`)
	h.Put("cards", `[{"card_id":1,"match_no":301,"player_id":2,"card":"yellow"},{"card_id":2,"match_no":302,"player_id":6,"card":"red"},{"card_id":3,"match_no":303,"player_id":3,"card":"yellow"}]`)
	h.Link(h.Ada, "ada.trade.players.team", "ada.trade.teams.code")
	h.Link(h.Ada, "ada.trade.matches.home", "ada.trade.teams.code")
	h.Link(h.Ada, "ada.trade.matches.away", "ada.trade.teams.code")
	h.Link(h.Ada, "ada.trade.cards.match_no", "ada.trade.matches.match_no")
	h.Link(h.Ada, "ada.trade.cards.player_id", "ada.trade.players.id")
	return h
}
