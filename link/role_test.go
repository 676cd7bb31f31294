package link_test

import (
	"fmt"
	"testing"

	"quern/store/storetest"
)

// TestWhoDidSomething: a number that says who did something refers to the people who may
// have, whatever their key is called; a count of something does not.
func TestWhoDidSomething(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("staff", 20, func(i int) string {
		return fmt.Sprintf(`{"pers_no":%d,"first_name":"F%d","surname":"S%d"}`, i+1, i, i)
	})
	w.rows("customers", 20, func(i int) string { return fmt.Sprintf(`{"cust_no":%d,"name":"C%d"}`, i+1, i) })
	w.rows("sales", 60, func(i int) string {
		return fmt.Sprintf(`{"sale":%d,"sold_by":%d,"floor":%d,"pieces":%d}`, 1000+i, i%9+1, i%3+1, i%7+1)
	})
	w.settle()
	if got, want := w.links("sales"), "sales.sold_by>staff.pers_no 9 many-to-one"; got != want {
		t.Errorf("links of sales = %s, want %s", got, want)
	}
}

// TestWhoInShort: a name that is short for who had a part refers to people too.
func TestWhoInShort(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("members", 20, func(i int) string { return fmt.Sprintf(`{"mem_no":%d,"first_name":"F%d","surname":"S%d"}`, i+1, i, i) })
	w.rows("meetings", 60, func(i int) string { return fmt.Sprintf(`{"meeting":%d,"spkr":%d,"seats":%d}`, 1000+i, i%9+1, i%3+1) })
	w.settle()
	if got, want := w.links("meetings"), "meetings.spkr>members.mem_no 9 many-to-one"; got != want {
		t.Errorf("links of meetings = %s, want %s", got, want)
	}
}

// TestPeopleOfTwoTables: what may be people of two tables refers to neither by itself.
func TestPeopleOfTwoTables(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	for _, people := range []string{"drivers", "mechanics"} {
		w.rows(people, 20, func(i int) string { return fmt.Sprintf(`{"id":%d,"nick":"N%d"}`, i+1, i) })
	}
	w.rows("reports", 60, func(i int) string { return fmt.Sprintf(`{"report":%d,"written_by":%d}`, 1000+i, i%9+1) })
	w.settle()
	if got := w.links("reports"); got != "" {
		t.Errorf("links of reports = %s, want none", got)
	}
}

// TestNumbersFarFromZero: numbers that begin far from zero, and are all of a key, refer to
// it; amounts and measures do not.
func TestNumbersFarFromZero(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("members", 30, func(i int) string { return fmt.Sprintf(`{"mem_no":%d,"nick":"N%d"}`, 300+i, i) })
	w.rows("regattas", 60, func(i int) string {
		return fmt.Sprintf(`{"regatta":%d,"bow":%d,"price":%d,"length_m":%d}`, i+1, 300+i%25, 300+i%20, 300+i%15)
	})
	w.settle()
	if got, want := w.links("regattas"), "regattas.bow>members.mem_no 25 many-to-one"; got != want {
		t.Errorf("links of regattas = %s, want %s", got, want)
	}
}

// TestCodes: a few codes that are all of a key refer to it, whatever their column is called; as
// few words do not.
func TestCodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("crew", 20, func(i int) string { return fmt.Sprintf(`{"s_id":"S%02d","nick":"N-%d-n"}`, i+1, i) })
	w.rows("days", 60, func(i int) string {
		return fmt.Sprintf(`{"day":%d,"in_charge":"S%02d","mood":"N-%d-n"}`, i+1, i%4+1, i%4)
	})
	w.settle()
	if got, want := w.links("days"), "days.in_charge>crew.s_id 4 many-to-one"; got != want {
		t.Errorf("links of days = %s, want %s", got, want)
	}
}

// TestHandedTo: a number that says who got something refers to people, though few have and most
// rows have none; one that says how far something goes does not.
func TestHandedTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("members", 40, func(i int) string { return fmt.Sprintf(`{"no":%d,"name":"F%d L%d"}`, 11+i, i, i) })
	w.rows("tools", 30, func(i int) string {
		if i%5 > 0 {
			return fmt.Sprintf(`{"tool":"T%d","lent_to":null,"wide":%d,"up_to":%d}`, i, 11+i%3, 12+i%4)
		}
		return fmt.Sprintf(`{"tool":"T%d","lent_to":%d,"wide":%d,"up_to":%d}`, i, 11+i, 11+i%3, 12+i%4)
	})
	w.settle()
	if got, want := w.links("tools"), "tools.lent_to>members.no 6 many-to-one"; got != want && got != "tools.lent_to>members.no 6 one-to-one" {
		t.Errorf("links of tools = %s, want %s", got, want)
	}
}

// TestWholeNames: a few names of people that are all of a column of names refer to those people;
// as few names of one word do not.
func TestWholeNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	first, last := []string{"Ann", "Bert", "Cleo", "Dan"}, []string{"Marsh", "O'Neil", "van der Berg", "Poole", "Quick"}
	name := func(i int) string { return first[i%4] + " " + last[i%5] }
	w.rows("singers", 20, func(i int) string {
		return fmt.Sprintf(`{"name":%q,"home":"Place%c"}`, name(i), 'a'+i)
	})
	w.rows("concerts", 30, func(i int) string {
		return fmt.Sprintf(`{"concert":%d,"in_charge":%q,"hall":"Place%c"}`, 900+i, name(i%4), 'a'+i%4)
	})
	w.settle()
	if got, want := w.links("concerts"), "concerts.in_charge>singers.name 4 many-to-one"; got != want {
		t.Errorf("links of concerts = %s, want %s", got, want)
	}
}

// TestRemarks: what somebody remarked refers to nothing, though the same was remarked elsewhere.
func TestRemarks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("visits", 20, func(i int) string { return fmt.Sprintf(`{"visit":%d,"notes":"note %d"}`, i+1, i) })
	w.rows("lessons", 20, func(i int) string { return fmt.Sprintf(`{"lesson":%d,"notes":"note %d"}`, i+101, i) })
	w.settle()
	if got := w.links("lessons"); got != "" {
		t.Errorf("links of lessons = %s, want none", got)
	}
}
