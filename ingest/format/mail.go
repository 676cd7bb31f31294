package format

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/htmlindex"
)

// What a message may be made of.
const (
	maxMailHeader = 1 << 20
	maxMailText   = MaxRecord / 2
	maxMailParts  = 1000
	maxMailDepth  = 8 // parts in one another
)

// mailHeaders are names that the head of a message has.
var mailHeaders = wordSet("from to cc subject date received message-id mime-version return-path delivered-to content-type reply-to " +
	"sender dkim-signature x-mailer")

// looksLikeMail reports whether a text begins with the head of a message, or with the
// line that begins one in a mailbox.
func looksLikeMail(head []byte) bool {
	if isMailbox(head) {
		return true
	}
	known, sender := 0, false
	for i, line := range bytes.Split(head, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			break
		}
		if i > 0 && bytes.IndexByte([]byte(" \t"), line[0]) >= 0 {
			continue // goes on with the line before
		}
		key, ok := mailKey(line)
		if !ok {
			cut := len(head) >= mailHead && known > 2
			return cut && sender
		}
		if mailHeaders[key] {
			known++
		}
		sender = sender || mailSenders[key]
	}
	return known > 1 && sender
}

// mailSenders are the headers of which every message has one.
var mailSenders = wordSet("from received return-path message-id")

// mailKey is the name of a header, in small letters.
func mailKey(line []byte) (key string, ok bool) {
	const most = 60
	name, _, ok := bytes.Cut(line, []byte(":"))
	odd := len(name) == 0 || len(name) > most || bytes.ContainsAny(name, " \t\"',;<")
	return strings.ToLower(string(name)), ok && !odd
}

// mailHead is how much of a file is looked at to tell whether it is mail.
const mailHead = 4096

// isMailbox reports whether a file is messages one behind the other.
func isMailbox(head []byte) bool {
	line, rest, ok := bytes.Cut(head, []byte("\n"))
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	name, _, header := bytes.Cut(next, []byte(":"))
	return ok && header && bytes.HasPrefix(line, []byte("From ")) && len(bytes.Fields(line)) >= 3 && !bytes.ContainsAny(name, " \t")
}

// message is one message of mail, as far as it was read.
type message struct {
	header mail.Header
	plain  strings.Builder
	page   strings.Builder // of HTML, where there is no other text
	names  []string        // of attachments
	parts  int
}

// attachment is a file that a message brings.
type attachment struct {
	name string
	body io.Reader
}

var (
	errMailHeader = refuse("its head is longer than %d KiB", maxMailHeader>>10)
	errMailText   = refuse("its text is longer than %d MiB", maxMailText>>20)
	errMailParts  = refuse("it is made of more than %d parts, or of parts more than %d deep", maxMailParts, maxMailDepth)
)

// readMessage reads a message. Attachments are handed to attach as they come, nil:
// they are named only.
func readMessage(in io.Reader, attach func(attachment) error) (*message, error) {
	bounded := &io.LimitedReader{R: in, N: maxMailHeader}
	read, err := mail.ReadMessage(bounded)
	switch {
	case bounded.N <= 0:
		return nil, errMailHeader
	case err != nil:
		return nil, refuse("is no message of mail").Because(err)
	}
	bounded.N = math.MaxInt64
	m := &message{header: read.Header}
	head := func(name string) string { return read.Header.Get(name) }
	return m, m.part(head, read.Body, attach, 0)
}

// part reads a part of a message, which may be made of parts.
func (m *message) part(head func(string) string, body io.Reader, attach func(attachment) error, depth int) error {
	if m.parts++; m.parts > maxMailParts || depth > maxMailDepth {
		return errMailParts
	}
	kind, params, err := mime.ParseMediaType(head("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	if boundary := params["boundary"]; strings.HasPrefix(kind, "multipart/") && boundary != "" {
		return m.inside(multipart.NewReader(body, boundary), attach, depth+1)
	}
	body = decoded(body, head("Content-Transfer-Encoding"))
	disposition, about, _ := mime.ParseMediaType(head("Content-Disposition"))
	name := mailWords(cmp.Or(about["filename"], params["name"]))
	if kind == "message/rfc822" && name == "" {
		name = "message.eml"
	}
	text := strings.HasPrefix(kind, "text/") && disposition != "attachment" && (name == "" || disposition == "inline")
	if !text {
		return m.attach(name, kind, body, attach)
	}
	to := &m.plain
	if kind == "text/html" {
		to = &m.page
	}
	return m.text(to, body, params["charset"])
}

// inside reads the parts of a part. One that is cut short ends the message.
func (m *message) inside(parts *multipart.Reader, attach func(attachment) error, depth int) error {
	for {
		p, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && m.parts > 1 {
			return nil
		}
		if err != nil {
			return refuse("its parts are damaged").Because(err)
		}
		if err := m.part(p.Header.Get, p, attach, depth); err != nil {
			return err
		}
	}
}

// attach notes an attachment and hands it on.
func (m *message) attach(name, kind string, body io.Reader, attach func(attachment) error) error {
	if name == "" {
		if strings.HasPrefix(kind, "image/") {
			return nil // drawn in the text
		}
		name = "attachment"
	}
	m.names = append(m.names, name)
	if attach == nil || strings.HasPrefix(kind, "image/") {
		return nil
	}
	return attach(attachment{name, body})
}

// text adds the text of a part.
func (m *message) text(to *strings.Builder, body io.Reader, charset string) error {
	if e, err := htmlindex.Get(charset); err == nil && charset != "" {
		body = e.NewDecoder().Reader(body)
	}
	if to.Len() > 0 {
		to.WriteByte('\n')
	}
	_, err := io.Copy(to, io.LimitReader(body, int64(maxMailText-to.Len()+1)))
	switch {
	case to.Len() > maxMailText:
		return errMailText
	case err != nil:
		return refuse("a part of it is damaged").Because(err)
	}
	return nil
}

// decoded undoes what makes a part fit to be sent.
func decoded(body io.Reader, how string) io.Reader {
	switch strings.ToLower(strings.TrimSpace(how)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

// mailWords reads words that are written in another charset.
func mailWords(text string) string {
	decoder := mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
		e, err := htmlindex.Get(charset)
		if err != nil {
			return nil, err
		}
		return e.NewDecoder().Reader(in), nil
	}}
	if read, err := decoder.DecodeHeader(text); err == nil {
		text = read
	}
	return strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
}

// body is the text of the message, written or taken from its page.
func (m *message) body() string {
	text := m.plain.String()
	if strings.TrimSpace(text) == "" {
		text = pageText(m.page.String())
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.TrimSpace(text)
}

// pageText is the text of a page, without its tags.
func pageText(page string) string {
	in := html.NewTokenizer(strings.NewReader(page))
	var b strings.Builder
	hidden := false
	for {
		switch in.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			words := strings.Join(strings.Fields(string(in.Text())), " ")
			if !hidden && words != "" {
				b.WriteString(words + " ")
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			token := in.Token()
			switch token.Data {
			case "script", "style", "head", "title":
				hidden = token.Type == html.StartTagToken
			case "br", "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "table", "ul", "ol", "blockquote":
				b.WriteByte('\n')
			}
		}
	}
}
