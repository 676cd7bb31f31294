package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatOthersCallRowsBy shows rows by the one of two names that other files have.
func TestWhatOthersCallRowsBy(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("vehicles", `[{"callsign":"Rescue 1","plate":"OB-417RK","model":"Sprinter","built":2021,"km":68450,"status":"in service"},{"callsign":"Rescue 2","plate":"OB-203RK","model":"Crafter","built":2017,"km":142300,"status":"in service"},
		{"callsign":"Rescue 3","plate":"OB-118RK","model":"Sprinter","built":2013,"km":231870,"status":"workshop"}]`)
	h.Put("callouts", `[{"call_no":"C1","alarm":"2023-01-10","vehicle":"Rescue 1","reason":"fall"},{"call_no":"C2","alarm":"2023-01-11","vehicle":"Rescue 2","reason":"stroke"},
		{"call_no":"C3","alarm":"2023-02-11","vehicle":"Rescue 1","reason":"fall"}]`)
	h.Link(h.Ada, "ada.trade.callouts.vehicle", "ada.trade.vehicles.callsign")
	h.Put("fabrics", `[{"fab":"HLN","fab_name":"Harris Linen","per_m":42},{"fab":"CTV","fab_name":"Cotton Velvet","per_m":88},{"fab":"WLT","fab_name":"Wool Tweed","per_m":95}]`)
	h.Put("chairs", `[{"chair":1,"piece":"wing chair","fab":"CTV"},{"chair":2,"piece":"stool","fab":"HLN"},{"chair":3,"piece":"settee","fab":"CTV"}]`)
	h.Link(h.Ada, "ada.trade.chairs.fab", "ada.trade.fabrics.fab")
	h.Answers(map[string]string{
		"which vehicles are in service":                 "Rescue 1; Rescue 2",
		"fabrics over 60 a metre":                       "Cotton Velvet; Wool Tweed",
		"which vehicle has the most km":                 "Rescue 3",
		"What is the plate of Rescue 2?":                "OB-203RK",
		"Which plates do the vehicles in service have?": "OB-203RK; OB-417RK",
	})
}
