package upload

import (
	"encoding/json"
	"slices"
	"testing"

	"quern"
	"quern/blob"
)

// FuzzMatch wants a part list that passes to be all parts of the file, in order,
// as they have arrived, and the object store to judge those that are named as match does.
func FuzzMatch(f *testing.F) {
	f.Add(int64(25), []byte(`[{"Number":1,"ETag":"a"},{"Number":2,"ETag":"\"B\""},{"Number":3,"ETag":"c"}]`))
	f.Add(int64(25), []byte(`[{"Number":3,"ETag":"c"},{"Number":2,"ETag":"b"},{"Number":1,"ETag":"a"}]`))
	f.Add(int64(25), []byte(`[{"Number":1,"ETag":"a"},{"Number":1,"ETag":"a"},{"Number":9,"ETag":""}]`))
	f.Add(int64(24), []byte(`[{"Number":1,"ETag":"a"},{"Number":2,"ETag":"b"},{"Number":3,"ETag":"c"}]`))
	f.Add(int64(0), []byte(`null`))
	f.Fuzz(func(t *testing.T, size int64, list []byte) {
		var named []blob.Part
		if size < 0 || size > 40 || json.Unmarshal(list, &named) != nil {
			return
		}
		arrived := map[int]blob.Part{1: {Number: 1, Size: 10, ETag: "a"}, 2: {Number: 2, Size: 10, ETag: "b"}, 3: {Number: 3, Size: 5, ETag: "c"}}
		file := quern.UploadFile{Size: size, PartSize: 10}
		chosen, err := match(file, arrived, named)
		if claimed := allNamed(file, named); claimed != nil {
			if got, judged := blob.Match(claimed, arrived, 0); (judged == nil) != (err == nil) || err == nil && !slices.Equal(got, chosen) {
				t.Errorf("Match(%s) = %v, %v, want %v, %v", list, got, judged, chosen, err)
			}
		}
		if err != nil {
			return
		}
		var total int64
		for i, p := range chosen {
			if p != arrived[i+1] {
				t.Errorf("match(%s) = %v, want what has arrived, in order", list, chosen)
			}
			total += p.Size
		}
		if total != size || named != nil && len(named) != len(chosen) {
			t.Errorf("match(%d, %s) = %v, want all of the file", size, list, chosen)
		}
	})
}
