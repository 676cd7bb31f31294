package rest_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/api"
	"quern/store"
	"quern/upload"
)

// newUploads makes upload sessions with limits that tests can reach.
func newUploads(s *store.Store, objects upload.Objects) *upload.Service {
	return upload.New(upload.Options{
		Store: s, Objects: objects, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Limits: upload.Limits{
			PartSize: 8, FileSize: 1_000_000, OpenBytes: 2_000_000, Files: 5, OpenSessions: 1000,
			URLLife: time.Hour, SessionLife: 24 * time.Hour,
		},
	})
}

// prepare opens a session for files of the given contents, named a, b and so on.
func (h *house) prepare(name string, contents ...string) api.PreparedFileUpload {
	h.t.Helper()
	files := make([]string, len(contents))
	for i, text := range contents {
		files[i] = fmt.Sprintf(`{"filename":"%c","size":%d}`, 'a'+i, len(text))
	}
	a := h.want(200, name, "POST", "/file-upload/prepare", `{"filesToUpload":[`+strings.Join(files, ",")+`]}`)
	return into[api.PreparedFileUpload](h.t, a)
}

// put sends one part where its URL leads in this house, and returns its ETag.
func (h *house) put(address, body string) string {
	h.t.Helper()
	u, err := url.Parse(address)
	must(h.t, err)
	req, err := http.NewRequestWithContext(h.t.Context(), "PUT", h.url+u.RequestURI(), strings.NewReader(body))
	must(h.t, err)
	resp, err := h.http.Do(req)
	must(h.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(h.t, err)
	if resp.StatusCode != 200 {
		h.t.Errorf("PUT %s = %d %s, want 200", u.Path, resp.StatusCode, text)
	}
	return resp.Header.Get("ETag")
}

// sendParts sends all parts of a file and returns the body that finishes it.
func (h *house) sendParts(f api.PreparedFile, content string) string {
	h.t.Helper()
	parts := make([]string, len(f.PresignedUrls))
	for i, u := range f.PresignedUrls {
		tag := h.put(u.URL, content[:u.PartSize])
		content = content[u.PartSize:]
		parts[i] = fmt.Sprintf(`{"partNumber":%d,"etag":%q}`, i+1, tag)
	}
	return fmt.Sprintf(`{"uploadId":%q,"key":%q,"parts":[%s]}`, f.UploadID, f.Key, strings.Join(parts, ","))
}

// sentUpload makes a session of one file, all of whose parts have arrived, and
// returns what replaces {s}, {f}, {u} and {k} in requests about it.
func (h *house) sentUpload(name string) *strings.Replacer {
	h.t.Helper()
	session := h.prepare(name, "x")
	f := session.Files[0]
	h.sendParts(f, "x")
	return strings.NewReplacer("{s}", session.SessionID, "{f}", f.FileID, "{u}", f.UploadID, "{k}", f.Key)
}

func TestUploadFromPrepareToFiles(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		first, second := "0123456789abcdefXYZ", ""
		session := h.prepare("ada", first, second)
		at := "/file-upload/" + session.SessionID
		f := session.Files[0]
		if f.PartSize != 8 || len(f.PresignedUrls) != 3 || f.PresignedUrls[2].PartSize != 3 || f.Filename != "a" {
			t.Errorf("first file = %+v, want parts of 8, 8 and 3", f)
		}
		if g := session.Files[1]; len(g.PresignedUrls) != 1 || g.PresignedUrls[0].PartSize != 0 {
			t.Errorf("empty file = %+v, want one part of 0", g)
		}
		h.put(f.PresignedUrls[1].URL, first[8:16])
		status := into[api.FileUpload](t, h.want(200, "ada", "GET", at, ""))
		if parts := status.Files[0].Parts; status.SessionStatus != "preparing" || len(parts) != 1 || parts[0].PartNumber != 2 || status.ExpiresAt.Sub(status.CreatedAt) != 24*time.Hour {
			t.Errorf("session = %+v, want preparing, with part 2", status)
		}
		renewed := into[api.RenewedFile](t, h.want(200, "ada", "POST", at+"/files/"+f.FileID+"/urls", ""))
		if urls := renewed.PresignedUrls; len(urls) != 2 || urls[0].PartNumber != 1 || urls[1].PartNumber != 3 || urls[1].PartSize != 3 {
			t.Errorf("fresh URLs = %+v, want those of parts 1 and 3", urls)
		}
		if got := into[api.RenewedFile](t, h.want(200, "ada", "POST", at+"/files/"+f.FileID+"/urls", `{"partNumbers":[2]}`)).PresignedUrls; len(got) != 1 || got[0].PartNumber != 2 {
			t.Errorf("fresh URLs of part 2 = %+v, want one", got)
		}
		h.want(422, "ada", "POST", at+"/files/"+f.FileID+"/urls", `{"partNumbers":[4]}`)
		body := h.sendParts(f, first)
		finish := at + "/files/" + f.FileID + "/finish"
		for range 2 {
			done := into[api.FinishedFile](t, h.want(200, "ada", "POST", finish, body))
			if done.SessionStatus != "preparing" || done.FileStatus != "completed" || done.FileID != f.FileID {
				t.Errorf("finish = %+v, want the file completed and the session preparing", done)
			}
		}
		last := session.Files[1]
		done := into[api.FinishedFile](t, h.want(200, "ada", "POST", at+"/files/"+last.FileID+"/finish", h.sendParts(last, second)))
		if done.SessionStatus != "completed" {
			t.Errorf("finish of the last file = %+v, want the session completed", done)
		}
		listed := into[api.UploadedFiles](t, h.want(200, "ada", "GET", at+"/files", ""))
		files := listed.Files
		if listed.SessionID != session.SessionID || listed.SessionStatus != "completed" {
			t.Errorf("files are of %s, %s, want the completed session", listed.SessionID, listed.SessionStatus)
		}
		if len(files) != 2 || files[0].FileSize != 19 || files[0].S3Key != f.Key || files[0].S3Bucket != "local" {
			t.Errorf("files = %+v, want both, in order", files)
		}
		if got := h.want(422, "ada", "POST", at+"/abort", "").failure(t); got.ErrorCode != "VALIDATION_FAILED" {
			t.Errorf("abort of a completed session = %+v, want VALIDATION_FAILED", got)
		}
		if got := into[api.RenewedFile](t, h.want(200, "ada", "POST", at+"/files/"+f.FileID+"/urls", "")).PresignedUrls; len(got) != 0 {
			t.Errorf("fresh URLs of a completed file = %+v, want none", got)
		}
	})
}

func TestFinishRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	session := h.prepare("ada", "0123456789", "0123456789")
	at := "/file-upload/" + session.SessionID
	f, g := session.Files[0], session.Files[1]
	one := h.put(f.PresignedUrls[0].URL, "01234567")
	finish := at + "/files/" + f.FileID + "/finish"
	claim := func(uploadID, key, parts string) string {
		return fmt.Sprintf(`{"uploadId":%q,"key":%q%s}`, uploadID, key, parts)
	}
	refuse := func(body string, codes ...string) {
		t.Helper()
		e := h.want(422, "ada", "POST", finish, body).failure(t)
		var got []string
		for _, s := range e.SubErrors {
			got = append(got, s.Code)
		}
		if strings.Join(got, " ") != strings.Join(codes, " ") {
			t.Errorf("finish %s = %v, want sub errors %v", body, e.SubErrors, codes)
		}
	}
	refuse(claim(f.UploadID, f.Key, ""), "PART_MISSING")
	two := h.put(f.PresignedUrls[1].URL, "89")
	refuse(claim(g.UploadID, f.Key, ""), "uploadId")
	refuse(claim(f.UploadID, g.Key, ""), "key")
	refuse(claim(g.UploadID, g.Key, ""), "uploadId", "key")
	refuse(claim(f.UploadID, f.Key, `,"parts":[]`), "PART_MISSING", "PART_MISSING")
	refuse(claim(f.UploadID, f.Key, fmt.Sprintf(`,"parts":[{"partNumber":1,"etag":%q}]`, one)), "PART_MISSING")
	refuse(claim(f.UploadID, f.Key, fmt.Sprintf(`,"parts":[{"partNumber":1,"etag":%q},{"partNumber":2,"etag":%q}]`, two, one)), "PART_ETAG_MISMATCH", "PART_ETAG_MISMATCH")
	refuse(claim(f.UploadID, f.Key, fmt.Sprintf(`,"parts":[{"partNumber":1,"etag":%q},{"partNumber":2,"etag":%q},{"partNumber":3,"etag":""},{"partNumber":1,"etag":%q}]`, one, two, one)), "PART_UNKNOWN", "PART_REPEATED")
	refuse(`{"uploadId":"x"}`, "required")
	refuse(claim(f.UploadID, f.Key, `,"parts":[{"partNumber":0,"etag":"x"}]`), "minimum")
	h.want(400, "ada", "POST", finish, "{")
	h.want(404, "ada", "POST", at+"/files/"+session.SessionID+"/finish", claim(f.UploadID, f.Key, ""))
	h.want(404, "ada", "POST", at+"/files/x/finish", claim(f.UploadID, f.Key, ""))
	// Nothing was lost: the parts, named in any order, still make the file.
	h.want(200, "ada", "POST", finish, claim(f.UploadID, f.Key, fmt.Sprintf(`,"parts":[{"partNumber":2,"etag":%q},{"partNumber":1,"etag":%q}]`, two, strings.Trim(one, `"`))))
}

func TestPrepareNamesEachBadFile(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		file := func(name string, size string) string { return fmt.Sprintf(`{"filename":%s,"size":%s}`, name, size) }
		long := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
		for _, tt := range []struct {
			files string
			want  []string
		}{
			{"", []string{"filesToUpload: "}},
			{file(`""`, "1"), []string{"filesToUpload[0].filename: "}},
			{file(long(1025), "1"), []string{"filesToUpload[0].filename: "}},
			{file(`"`+strings.Repeat("ä", 513)+`"`, "1"), []string{"filesToUpload[0].filename: "}},
			{file(`"../x"`, "1"), []string{"filesToUpload[0].filename: "}},
			{file(`"a\\b"`, "1") + "," + file(`"fine"`, "1") + "," + file(`".."`, "1"), []string{"filesToUpload[0].filename: ", "filesToUpload[2].filename: "}},
			{file(`"a\u0000"`, "1"), []string{"filesToUpload[0].filename: "}},
			{file(`"a\nb"`, "1"), []string{"filesToUpload[0].filename: "}},
			{file(`"a"`, "-1"), []string{"filesToUpload[0].size: "}},
			{file(`"a"`, "1.5"), []string{"filesToUpload[0].size: "}},
			{file(`"a"`, `"1"`), []string{"filesToUpload[0].size: "}},
			{file(`"a"`, "null"), []string{"filesToUpload[0].size: "}},
			{file(`"a"`, "1000001"), []string{"filesToUpload[0].size: "}},
			{file(`"a"`, "99999999999999999999"), []string{"filesToUpload"}},
			{file(`""`, "-1") + "," + file(`"a/b"`, "1"), []string{"filesToUpload[0].filename: ", "filesToUpload[1].filename: "}},
			{strings.TrimSuffix(strings.Repeat(file(`"a"`, "1")+",", 6), ","), []string{"filesToUpload: must have at most 5"}},
			{file(`"a"`, "1000000") + "," + file(`"b"`, "1000000") + "," + file(`"c"`, "1"), []string{"filesToUpload: at most 2000000 bytes"}},
		} {
			e := h.want(422, "ada", "POST", "/file-upload/prepare", `{"filesToUpload":[`+tt.files+`]}`).failure(t)
			ok := len(e.SubErrors) == len(tt.want)
			for i := range min(len(e.SubErrors), len(tt.want)) {
				ok = ok && strings.HasPrefix(e.SubErrors[i].Message, tt.want[i])
			}
			if !ok {
				t.Errorf("prepare [%.80s] = %v, want sub errors that begin %v", tt.files, e.SubErrors, tt.want)
			}
		}
		h.want(422, "ada", "POST", "/file-upload/prepare", `{}`)
		h.want(400, "ada", "POST", "/file-upload/prepare", ``)
		h.want(200, "ada", "POST", "/file-upload/prepare", `{"filesToUpload":[`+file(long(1024), "1")+","+file(`"ä b%.csv"`, "1.0")+","+file(`"ä b%.csv"`, "1")+`]}`)
		err := h.store.View(t.Context(), func(tx *store.Tx) error {
			p, err := h.auth.As(t.Context(), "ada")
			must(t, err)
			open, err := tx.OpenUploads(t.Context(), p.User.ID, time.Now())
			if open.Sessions != 1 {
				t.Errorf("open sessions = %d, want only the good one", open.Sessions)
			}
			return err
		})
		must(t, err)
	})
}

func TestRestrictedTokenReachesItsOwnSessions(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.user("ada")
	narrow := h.token("ada", quern.TokenSpec{Name: "narrow", Scopes: []quern.Scope{{Username: "ada", Namespace: "ns"}}})
	other := h.token("ada", quern.TokenSpec{Name: "other", Scopes: []quern.Scope{{Username: "ada", Namespace: "ns"}}})
	made := h.do(ask{method: "POST", path: "/api/v1/file-upload/prepare", token: narrow, body: `{"filesToUpload":[{"filename":"a","size":0}]}`})
	at := "/api/v1/file-upload/" + into[api.PreparedFileUpload](t, made).SessionID
	for token, want := range map[string]int{narrow: 200, other: 404, h.user("ada"): 200, h.user("bob"): 404} {
		if got := h.do(ask{method: "GET", path: at, token: token}); got.StatusCode != want {
			t.Errorf("GET of a restricted token's session = %d, want %d", got.StatusCode, want)
		}
	}
	h.want(200, "ada", "POST", strings.TrimPrefix(at, "/api/v1")+"/abort", "")
	if got := into[api.AbortedFileUpload](t, h.want(200, "ada", "POST", strings.TrimPrefix(at, "/api/v1")+"/abort", "")); got.SessionStatus != "aborted" {
		t.Errorf("abort again = %+v, want aborted", got)
	}
}
