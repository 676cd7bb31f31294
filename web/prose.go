package web

import (
	"html/template"
	"regexp"
	"strings"
)

var (
	codeMark = regexp.MustCompile("`([^`]+)`")
	boldMark = regexp.MustCompile(`\*\*([^*]+)\*\*`)
)

// prose renders the little Markdown that the contract uses: paragraphs, `code`
// and **bold**. Everything else is text.
func prose(text string) template.HTML {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph == "" {
			continue
		}
		html := template.HTMLEscapeString(strings.Join(strings.Fields(paragraph), " "))
		html = codeMark.ReplaceAllString(html, "<code>$1</code>")
		html = boldMark.ReplaceAllString(html, "<strong>$1</strong>")
		b.WriteString("<p>" + html + "</p>\n")
	}
	return template.HTML(b.String()) //nolint:gosec // escaped above; only our own tags are added
}
