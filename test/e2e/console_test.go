package e2e_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheConsoleInABrowser walks through the page as a newcomer does, in
// test/console: from signing in to a shared answer that is taken back. It runs beside
// no other test: a browser that waits for a core does what no reader sees.
//
//nolint:paralleltest // for that reason
func TestTheConsoleInABrowser(t *testing.T) {
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	_, _, password := printedLogin(t, s.printed("Data "))
	h.must("a long password of bob\n", "user", "add", "bob")
	folder := t.TempDir()
	sheet := filepath.Join(folder, "orders.xlsx")
	if err := os.WriteFile(sheet, workbook(t, [][]string{
		{"code", "customer", "city", "price", "ordered", "note"},
		{"101", "Ada", "Oslo", "12.5", "2030-01-31", "<img src=x onerror=alert(1)>"},
		{"102", "Bo", "Rome", "7.25", "2030-02-01", "=1+1"},
		{"103", "Cy", "Oslo", "99", "2030-02-03", "مرحبا بالعالم"},
		{"104", "Di", "Lima", "15", "2030-02-14", ""},
		{"105", "Ed", "Oslo", "3", "2030-03-01", "plain"},
		{"106", "Flo", "Rome", "41", "2030-03-09", "plain"},
	}), 0o600); err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{
		"base": s.url, "sheet": sheet, "folder": folder,
		"people": map[string]string{"ada": password, "bob": "a long password of bob"},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "journey.mjs", string(config))
	cmd.Dir = "../console"
	out, err := cmd.CombinedOutput()
	t.Logf("journey.mjs:\n%s", out)
	if err != nil {
		t.Errorf("the journey through the console = %v, want no problem", err)
	}
}

// TestTheConsoleOutlivesItsServer kills the server under a page that follows a
// question, and starts it again: the page goes on where it was.
//
//nolint:paralleltest // as the journey
func TestTheConsoleOutlivesItsServer(t *testing.T) {
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	_, _, password := printedLogin(t, s.printed("Data "))
	config, err := json.Marshal(map[string]string{"base": s.url, "password": password})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "gone.mjs", string(config))
	cmd.Dir = "../console"
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	killed := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "asked" {
			s.kill()
			s = h.serve("--listen", strings.TrimPrefix(s.url, "http://"))
			killed = true
		}
	}
	if err := cmd.Wait(); err != nil || !killed {
		t.Errorf("a page whose server was killed: %t = %v, want it to go on\n%s", killed, err, complaints.String())
	}
}

// workbook makes a spreadsheet of one sheet: cells that are numbers as numbers,
// the others as texts.
func workbook(t *testing.T, rows [][]string) []byte {
	t.Helper()
	var sheet strings.Builder
	for r, row := range rows {
		fmt.Fprintf(&sheet, `<row r="%d">`, r+1)
		for c, cell := range row {
			at := fmt.Sprintf("%c%d", 'A'+c, r+1)
			if r > 0 && json.Valid([]byte(cell)) {
				fmt.Fprintf(&sheet, `<c r="%s"><v>%s</v></c>`, at, cell)
				continue
			}
			text := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(cell)
			fmt.Fprintf(&sheet, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, text)
		}
		sheet.WriteString("</row>")
	}
	const head, main = `<?xml version="1.0" encoding="UTF-8"?>`, "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	const packaged, typed = "http://schemas.openxmlformats.org/package/2006/", "application/vnd.openxmlformats-"
	const related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="` + packaged + `content-types">` +
			`<Default Extension="rels" ContentType="` + typed + `package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + typed + `officedocument.spreadsheetml.sheet.main+xml"/>` +
			`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + typed + `officedocument.spreadsheetml.worksheet+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + packaged + `relationships">` +
			`<Relationship Id="rId1" Type="` + related + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="` + main + `" xmlns:r="` + related + `"><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packaged + `relationships">` +
			`<Relationship Id="rId1" Type="` + related + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet xmlns="` + main + `"><sheetData>` + sheet.String() + `</sheetData></worksheet>`},
	} {
		member, err := w.Create(part[0])
		if err == nil {
			_, err = member.Write([]byte(head + part[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
