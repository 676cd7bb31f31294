package nlqtest

import "testing"

// Herd makes a house with a stable of hives, which have no names of their own, with what was taken from
// each.
func Herd(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("hives", `[{"hive_id":"H1","apiary":"Orchard","hive_type":"National"},{"hive_id":"H2","apiary":"Orchard","hive_type":"Langstroth"},
		{"hive_id":"H3","apiary":"Heath","hive_type":"National"},{"hive_id":"H4","apiary":"Heath","hive_type":"Warre"}]`)
	h.Put("harvests", `[{"harvest_no":1,"hive_id":"H1","taken_on":"2025-07-01","jars":10},{"harvest_no":2,"hive_id":"H2","taken_on":"2025-07-01","jars":12},
		{"harvest_no":3,"hive_id":"H3","taken_on":"2025-08-01","jars":21},{"harvest_no":4,"hive_id":"H1","taken_on":"2026-07-01","jars":5}]`)
	h.Link(h.Ada, "ada.trade.harvests.hive_id", "ada.trade.hives.hive_id")
	return h
}
