package quern_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fencedBlock  = regexp.MustCompile("(?s)```.*?```")
	markdownLink = regexp.MustCompile(`\]\((?P<to>[^()\s]+)\)`)
	markdownHead = regexp.MustCompile(`(?m)^#+ (?P<text>.+)$`)
	noAnchor     = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

// TestLinksOfTheDocsLeadSomewhere looks up every link between our own pages: the file,
// and the heading where one is named.
func TestLinksOfTheDocsLeadSomewhere(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"docs", "learned"} {
		err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
			if path.Ext(name) == ".md" {
				pages = append(pages, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	links := 0
	for _, page := range pages {
		if page == "THIRD_PARTY_NOTICES.md" { // texts of others, with links of theirs
			continue
		}
		for _, link := range markdownLink.FindAllStringSubmatch(proseOf(t, page), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(link[1], "#")
			to := page
			if file != "" {
				to = path.Join(path.Dir(page), file)
			}
			switch _, err := os.Stat(to); {
			case err != nil:
				t.Errorf("%s links to %s, which is not there", page, link[1])
			case anchor != "" && !anchorsOf(t, to)[anchor]:
				t.Errorf("%s links to %s: %s has no such heading", page, link[1], to)
			}
		}
	}
	if links == 0 {
		t.Error("no page has a link")
	}
}

// proseOf returns a page without its blocks of code.
func proseOf(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return fencedBlock.ReplaceAllString(string(text), "")
}

// anchorsOf returns the names under which the headings of a page are linked to.
func anchorsOf(t *testing.T, page string) map[string]bool {
	t.Helper()
	anchors := map[string]bool{}
	for _, head := range markdownHead.FindAllStringSubmatch(proseOf(t, page), -1) {
		anchors[strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(head[1])), ""), " ", "-")] = true
	}
	return anchors
}
