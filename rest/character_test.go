package rest_test

import (
	"testing"
)

// TestTextThatNoDatabaseStores comes in addresses and parameters: what it names
// is not there, or it is not a parameter. It is the same over every database.
func TestTextThatNoDatabaseStores(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		for _, text := range []string{"%00", "a%00b", "%ff", "a%c3%28"} {
			for _, path := range []string{
				"/data/" + text, "/data/" + text + "/harbour/ds", "/data/self/" + text + "/ds", "/data/self/harbour/" + text, "/data/self/harbour/" + text + "/rows",
				"/query/runs/" + text, "/query/conversations/" + text, "/links/self/harbour/" + text, "/permissions/namespaces/" + text + "/harbour/shares",
				"/permissions/namespaces/self/" + text + "/shares", "/file-upload/" + text, "/ingestionTracking/" + text, "/schema/" + text + "/namespaces",
				"/user/tokens/" + text + "/permissions",
			} {
				a := h.as("ada", "GET", path, "")
				if a.StatusCode != 404 {
					t.Errorf("GET %s = %d %s, want 404", path, a.StatusCode, a.body)
				}
			}
			for _, path := range []string{
				"/query/conversations?namespace=" + text, "/query/conversations?username=" + text, "/query/conversations?cursor=" + text,
				"/query/feedback?username=self&namespace=" + text, "/data?cursor=" + text, "/user/usage/history?pageCursor=" + text,
			} {
				a := h.as("ada", "GET", path, "")
				if a.StatusCode != 400 {
					t.Errorf("GET %s = %d %s, want 400", path, a.StatusCode, a.body)
				}
			}
		}
	})
}
