package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestTeamsOfPlayers: the team that players are of is no part that somebody had in them.
func TestTeamsOfPlayers(t *testing.T) {
	t.Parallel()
	nlqtest.League(t).Answers(map[string]string{
		"which coaches have more than one player":             "Pete Marlow; Sandra Holt",
		"show players and their coach where the kit is Brown": "Max Hill Pete Marlow; Zed Ford Pete Marlow",
	})
}

// TestSaidInSeveralWords: what people say in several words is a value of the data.
func TestSaidInSeveralWords(t *testing.T) {
	t.Parallel()
	nlqtest.League(t).Answers(map[string]string{
		"Which players got sent off?": "Jo Moss",
		"which players play in goal":  "Kian West; Max Hill",
	})
}
