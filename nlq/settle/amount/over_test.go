package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestTogetherOverALimit: what was billed on a project is all of its bills, and a project is
// called by its title rather than by its code.
func TestTogetherOverALimit(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("projects", `[{"proj":"P101","title":"Bridge","budget":1000},{"proj":"P102","title":"Tower","budget":900},{"proj":"P103","title":"Dam","budget":500}]`)
	h.Put("bills", `[{"bill":1,"proj":"P101","net":600},{"bill":2,"proj":"P101","net":700},{"bill":3,"proj":"P102","net":300},{"bill":4,"proj":"P103","net":501}]`)
	h.Link(h.Ada, "ada.trade.bills.proj", "ada.trade.projects.proj")
	h.Answers(map[string]string{"On which projects have we billed more than the budget?": "Bridge; Dam"})
}
