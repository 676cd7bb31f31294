package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"quern/api"
)

func TestOneFileFromPrepareToRows(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		const at = "/upload/multipart/self/files/people"
		const content = "id,name\n1,Ada\n2,Bo\n"
		prepared := into[api.PreparedUpload](t, h.want(200, "ada", "POST", at+"/prepare", fmt.Sprintf(`{"filename":"people.csv","size":%d}`, len(content))))
		ref := fmt.Sprintf(`"uploadId":%q,"key":%q`, prepared.UploadID, prepared.Key)
		h.want(422, "ada", "POST", at+"/finish", "{"+ref+"}")
		var parts []string
		for i, rest := 0, content; rest != ""; i++ {
			part := prepared.PresignedUrls[i]
			etag := h.put(part.URL, rest[:part.Size])
			parts = append(parts, fmt.Sprintf(`{"partNumber":%d,"etag":%q}`, i+1, strings.Trim(etag, `"`)))
			rest = rest[part.Size:]
		}
		h.want(422, "ada", "POST", at+"/finish", "{"+ref+`,"infer":[{"table":{}}]}`)
		h.want(404, "ada", "POST", at+"/finish", `{"uploadId":"other","key":"`+prepared.Key+`"}`)
		h.want(404, "ada", "POST", at+"/finish", `{"uploadId":"other","key":"../etc/passwd"}`)
		h.want(404, "bob", "POST", at+"/finish", "{"+ref+"}")
		finish := "{" + ref + `,"parts":[` + strings.Join(parts, ",") + `]}`
		first := into[api.IngestionRef](t, h.want(201, "ada", "POST", at+"/finish", finish))
		again := into[api.IngestionRef](t, h.want(201, "ada", "POST", at+"/finish", finish))
		if first != again {
			t.Errorf("finishing again = %v, want the same ingestion %v", again, first)
		}
		for {
			took, err := h.ingest.WorkOnce(t.Context())
			must(t, err)
			if !took {
				break
			}
		}
		if got := h.rows("ada", "files", "select id, name from people order by id"); got != `[{"id":1,"name":"Ada"},{"id":2,"name":"Bo"}]` {
			t.Errorf("rows = %s, want both, once", got)
		}
		h.want(422, "ada", "POST", at+"/abort", "{"+ref+"}")
	})
}

func TestOneFileAborted(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const at = "/upload/multipart/self/files/people"
	prepared := into[api.PreparedUpload](t, h.want(200, "ada", "POST", at+"/prepare", `{"filename":"a.csv","size":3}`))
	ref := fmt.Sprintf(`{"uploadId":%q,"key":%q}`, prepared.UploadID, prepared.Key)
	h.want(404, "bob", "POST", at+"/abort", ref)
	h.want(200, "ada", "POST", at+"/abort", ref)
	h.want(200, "ada", "POST", at+"/abort", ref)
	h.want(422, "ada", "POST", at+"/finish", ref)
	for _, bad := range []string{`{}`, `{"filename":"a"}`, `{"filename":"../x","size":1}`, `{"filename":"","size":1}`, `{"filename":"a","size":-1}`, `{"filename":"a","size":1.5}`} {
		if a := h.want(422, "ada", "POST", at+"/prepare", bad); len(a.failure(t).SubErrors) == 0 {
			t.Errorf("prepare %s names no field", bad)
		}
	}
	h.want(422, "ada", "POST", "/upload/multipart/self/files/_bad/prepare", `{"filename":"a","size":1}`)
	h.want(404, "bob", "POST", "/upload/multipart/ada/files/people/prepare", `{"filename":"a","size":1}`)
}
