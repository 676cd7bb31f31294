package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestHoursOfMinutes: hours are sixty of the minutes that the data have.
func TestHoursOfMinutes(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("massages", `[{"massage":1,"client":"Ada","day":"2024-03-01","mins":45,"charge":40,"paid":"yes"},{"massage":2,"client":"Bo","day":"2024-03-04","mins":90,"charge":70,"paid":"no"},
		{"massage":3,"client":"Ada","day":"2024-04-02","mins":75,"charge":60,"paid":"yes"},{"massage":4,"client":"Cy","day":"2024-05-09","mins":30,"charge":30,"paid":"no"}]`)
	h.Answers(map[string]string{
		"Which massages took longer than an hour?": "2; 3",
		"How many massages took 90 minutes?":       "1",
		"What do I earn per hour, overall?":        "50",
	})
}
