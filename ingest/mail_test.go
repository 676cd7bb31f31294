package ingest_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"quern"
)

// letter makes a message with a text, its page, a picture and attachments by name.
func letter(subject string, attached map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Received: from a by b;\r\n Mon, 1 Jan 2024 00:00:00 +0000\r\nFrom: =?utf-8?q?J=C3=B6rg?= Berg <joerg@example.org>\r\n"+
		"To: ada@example.org, Bo <bo@example.org>\r\nSubject: %s\r\nDate: Fri, 5 Jan 2024 10:30:00 +0100\r\nMessage-ID: <1@example.org>\r\n"+
		"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=outer\r\n\r\n", subject)
	b.WriteString("--outer\r\nContent-Type: multipart/alternative; boundary=inner\r\n\r\n" +
		"--inner\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
		"Gr=FC=DFe,\r\n>From here on it is quiet.\r\n" +
		"--inner\r\nContent-Type: text/html\r\n\r\n<p>Gr&uuml;&szlig;e</p>\r\n--inner--\r\n" +
		"--outer\r\nContent-Type: image/png; name=logo.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n")
	for _, name := range []string{"ports.csv", "ports.xlsx", "note.txt", "broken.zip"} {
		if data, ok := attached[name]; ok {
			fmt.Fprintf(&b, "--outer\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=%q\r\n"+
				"Content-Transfer-Encoding: base64\r\n\r\n%s\r\n", name, base64.StdEncoding.EncodeToString([]byte(data)))
		}
	}
	b.WriteString("--outer--\r\n")
	return b.String()
}

const mailHeader = "date timestamp, from_name text, from_address text, to text, cc text, subject text, text text, attachments text, message_id text\n"

func TestMailAndWhatIsAttached(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	text := letter("=?iso-8859-1?Q?H=E4fen?=", map[string]string{
		"ports.csv": "port,ships\nBergen,12\nOslo,7\n", "note.txt": "nothing here\n", "broken.zip": "PK\x03\x04 no archive",
	})
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.eml", []byte(text)})
	want := mailHeader + `["2024-01-05T09:30:00Z","Jörg Berg","joerg@example.org","ada@example.org, bo@example.org",null,"Häfen",` +
		`"Grüße,\n\u003eFrom here on it is quiet.","logo.png, ports.csv, note.txt, broken.zip","1@example.org"]` + "\n"
	if got := m.table("it"); got != want {
		t.Errorf("ingest(mail) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	if got, want := m.table("it_ports"), "port text, ships integer\n[\"Bergen\",12]\n[\"Oslo\",7]\n"; got != want {
		t.Errorf("the attached table =\n%s\nwant\n%s", got, want)
	}
	if notes := fmt.Sprint(i.Report.Tables[0].Notes); !strings.Contains(notes, "attachments that are no tables were not read: note.txt, broken.zip") {
		t.Errorf("the report says %s, want the attachments that were left out", notes)
	}
	lines := m.ingestFiles("lines", quern.IngestionOptions{Format: "text"}, file{"a.eml", []byte(text)})
	if got := m.table("lines"); !strings.HasPrefix(got, "text text\n") {
		t.Errorf("ingest(mail as text) = %s %s\n%s, want lines", lines.Status, lines.Message, got)
	}
}

func TestBoxesOfMail(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	var box strings.Builder
	for n := range 3 {
		fmt.Fprintf(&box, "From joerg@example.org Fri Jan  5 10:30:00 2024\n%s\n\n",
			strings.ReplaceAll(letter(fmt.Sprintf("Ports %d", n), map[string]string{"ports.csv": fmt.Sprintf("port,ships\nBergen,%d\n", n)}), "\r\n", "\n"))
	}
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"inbox", []byte(box.String())})
	got := m.table("it")
	if !strings.HasPrefix(got, mailHeader) || strings.Count(got, "\n") != 4 || !strings.Contains(got, `"Ports 2","Grüße,\nFrom here on it is quiet."`) {
		t.Errorf("ingest(box) = %s %s\n%s\nwant three messages", i.Status, i.Message, got)
	}
	if got := m.table("it_ports"); strings.Count(got, "\n") != 4 || !strings.Contains(got, `["Bergen",2,`) {
		t.Errorf("the attached tables =\n%s\nwant one row of each message", got)
	}
}

func TestMailThatIsNotToBeTrusted(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	deep := "From: a@example.org\nSubject: x\nContent-Type: multipart/mixed; boundary=b0\n\n"
	for n := range 20 {
		deep += fmt.Sprintf("--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n", n, n+1)
	}
	bomb := zipped(file{"zeros.csv", []byte("a,b\n" + strings.Repeat("0,0\n", 40<<20))})
	for name, tc := range map[string]struct{ text, want string }{
		"parts in parts": {deep, "it is made of more than 1000 parts, or of parts more than 8 deep"},
		"a long head":    {"From: a@example.org\nSubject: x\nX: " + strings.Repeat("y", 2<<20) + "\n\ntext\n", "its head is longer than 1024 KiB"},
		"a bomb":         {letter("x", map[string]string{"broken.zip": string(bomb)}), "the archive unpacks to more than 64 MiB"},
	} {
		if i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.eml", []byte(tc.text)}); i.Status != quern.IngestionFailed || !strings.Contains(i.Message, tc.want) {
			t.Errorf("ingest(%s) = %s: %q, want %q", name, i.Status, i.Message, tc.want)
		}
	}
}
