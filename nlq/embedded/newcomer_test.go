package embedded_test

import (
	"strings"
	"testing"
)

// TestTallies: where a column says how many each row stands for, that is added up; what
// the rows are told apart by is counted.
func TestTallies(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("visits"), `[{"museum":"Tower","country":"France","year":2021,"count":40},{"museum":"Tower","country":"Spain","year":2021,"count":7},
		{"museum":"Mill","country":"France","year":2021,"count":5},{"museum":"Mill","country":"Spain","year":2022,"count":60},
		{"museum":"Mill","country":"France","year":2022,"count":1}]`)
	h.answers(map[string]string{
		"how many visits were there from France": "46",
		"how many rows of visits are there":      "5",
	})
}

// TestTopsOfWhatIsKnown: those whose rows lack a value are no group that can be first.
func TestTopsOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("books"), `[{"title":"A","author":null},{"title":"B","author":null},{"title":"C","author":null},
		{"title":"D","author":"Ito"},{"title":"E","author":"Ito"},{"title":"F","author":"Berg"}]`)
	got := h.read("Which author has the most books?", nil)
	if rows := h.rows(h.ada, got); !strings.HasPrefix(rows, "Ito") {
		t.Errorf("Translate() = %s, which gives %s, want Ito first", got.SQL, rows)
	}
}

// TestMoreOfOneKind: two kinds of rows are compared in each group, by what they amount to.
func TestMoreOfOneKind(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("sales"), `[{"shop":"Corner","drink":"tea","cups":9},{"shop":"Corner","drink":"coffee","cups":4},{"shop":"Corner","drink":"coffee","cups":3},
		{"shop":"Market","drink":"tea","cups":4},{"shop":"Market","drink":"coffee","cups":8},{"shop":"Pier","drink":"tea","cups":1}]`)
	h.dataset(at("clubs"), `[{"town":"Alm","sex":"women","count":40},{"town":"Alm","sex":"men","count":9},{"town":"Bek","sex":"women","count":12},
		{"town":"Bek","sex":"men","count":30}]`)
	h.answers(map[string]string{
		"shops that sold more tea than coffee":    "Corner; Pier",
		"towns of clubs with more women than men": "Alm",
	})
}

// TestYearsOfWrittenDates: the year of a date that is a text is looked for in it, and is
// not taken for one of the dates.
func TestYearsOfWrittenDates(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("concerts"), `[{"band":"Reed","held":"Jun 12 1998"},{"band":"Oak","held":"Mar 1 1999"},{"band":"Fern","held":"Sep 16 1999"}]`)
	h.answers(map[string]string{"how many concerts were held in 1999": "2"})
}

// TestNoneOfWhatIsCounted: rows with none of what a column counts are those where it is 0.
func TestNoneOfWhatIsCounted(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("villages"), `[{"village":"Alm","fires":0,"people":80},{"village":"Bek","fires":3,"people":90},{"village":"Cor","fires":0,"people":50}]`)
	h.answers(map[string]string{"how many villages never had a fire": "2"})
}

// TestQualitiesThatNobodyMeasured: no number of rows says how humid it was.
func TestQualitiesThatNobodyMeasured(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("weather"), `[{"day":"2024-05-01","town":"Lyon","rain":3.5},{"day":"2024-05-02","town":"Lyon","rain":0},{"day":"2024-05-02","town":"Nice","rain":1}]`)
	if got := h.read("how humid was it in Lyon in 2024", nil); got.Query != nil && strings.Contains(got.SQL, "count(*)") {
		t.Errorf("Translate() = %s, want no count of rows", got.SQL)
	}
}

// TestPeriodsBesideAnotherYear: a column of another dataset that is named like a period
// does not keep rows from being grouped by their times.
func TestPeriodsBesideAnotherYear(t *testing.T) {
	t.Parallel()
	h := newHouse(t).trade()
	h.dataset(at("harvests"), `[{"field":"East","year":2021,"tons":4},{"field":"West","year":2022,"tons":6}]`)
	h.answers(map[string]string{"average price of orders per year": "2021 100.25; 2022 118.33333333333333; 2023 130"})
}
