package english

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Definition is what a description says that a column or a dataset is.
type Definition struct {
	Head string // the noun that it is, with what stands before it: "revenue", "hourly rate"; empty: none
	Of   string // what it is one of: "order" in "revenue of the order"; empty: not told
	// Others are what else it is called.
	Others []string
	Codes  []Code // the values that the description explains
}

const (
	// longestName is the most words of a name in a description.
	longestName = 4
	// mostNames is how many names are taken from a description.
	mostNames = 24
)

var (
	inParens  = regexp.MustCompile(`\((?P<inside>[^()]*)\)`)
	sentences = regexp.MustCompile(`[.;?!\n](?:\s|$)`)
	// rowsOf begin the descriptions of datasets, before what their rows are.
	rowsOf = regexp.MustCompile(`(?i)^(?:(?:a |the |this |our )?(?:dataset|table|file|list|export|register|log|overview|collection)s?(?: is| are)?(?: of| with| for)(?: all)?|` +
		`(?:one|each|every) (?:row|line|record|entry)(?: is| per| for| describes| stands for)?(?: one| a| an| each)?|all(?: of)?(?: the| our)?)\s+`)
	// asWhether begin the descriptions of what is so or not.
	asWhether = regexp.MustCompile(`(?i)^(?:(?:flag|indicator|marker|tells|says|shows|indicates|marks|true|false|yes|set|ticked|[yjx1])\s+)?` +
		`(?:whether|if|when|is|are|was|were|has|have|had|gets|does|did|can)\s+`)
	isOwning = regexp.MustCompile(`(?i)(?:has|have|had|gets)\s+$`)
	// asTime begin the descriptions of when something happens.
	asTime = regexp.MustCompile(`(?i)^(?P<time>date and time|date|day|time|month|year|moment|timestamp|when)\s+` +
		`(?:(?:on|at|in)\s+which\s+|since when\s+|when\s+|that\s+)?(?P<event>.+)$`)
	countOf  = regexp.MustCompile(`(?i)^(?:the )?(?:number|count|how many|quantity) (?:of )`)
	happened = regexp.MustCompile(`(?i)^(?:.*?\s)?(?:is|are|was|were|been|be|gets|get|got|has|have|had|we|they|it|you|i)\s+(?P<deed>.+)$`)
	isNote   = regexp.MustCompile(`(?i)^(?:e\.?g\b|i\.?e\b|for example|such as|in |if |when |where |empty|null|yes|no\b|true|false|one row|each row|optional|required|not |only |see )`)
)

// Define reads a description: "revenue of the order in EUR (sales, turnover)" is
// revenue, of an order, and is also called sales and turnover.
func Define(text string) Definition {
	var d Definition
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", "; ")), " ")
	var rest string
	d.Codes, rest = Codes(text)
	for _, inside := range inParens.FindAllStringSubmatch(rest, -1) {
		d.addList(inside[1])
	}
	rest = inParens.ReplaceAllString(rest, " ")
	main, _, _ := strings.Cut(sentences.Split(rest, 2)[0], ":")
	main = rowsOf.ReplaceAllString(strings.TrimSpace(main), "")
	first, more, _ := strings.Cut(main, ",")
	d.addList(more)
	d.read(strings.TrimSpace(first))
	return d
}

// addList adds the names of a list, without what is a note.
func (d *Definition) addList(list string) {
	for name := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == '/' || r == '|' || r == ';' }) {
		if name = strings.TrimSpace(name); !isNote.MatchString(name) {
			for opensWith(name, introductions) && strings.Contains(name, " ") {
				_, name, _ = strings.Cut(name, " ")
			}
			d.add(name)
		}
	}
}

// add adds a name that is short enough to be one.
func (d *Definition) add(name string) {
	name = plain(name)
	n := len(strings.Fields(name))
	if n == 0 || n > longestName || len(d.Others) == mostNames || name == d.Head || slices.Contains(d.Others, name) {
		return
	}
	d.Others = append(d.Others, name)
}

// read reads the phrase that a description begins with.
func (d *Definition) read(phrase string) {
	if s := asWhether.FindString(phrase); s != "" && !strings.EqualFold(s, phrase) {
		d.Head = deed(phrase[len(s):], !isOwning.MatchString(s))
		return
	}
	if at := asTime.FindStringSubmatch(phrase); at != nil && !opensWith(at[2], Prepositions) {
		event := deed(at[2], false)
		d.Head = plain(event + " " + strings.ToLower(at[1]))
		d.add(event)
		return
	}
	counted := countOf.FindString(phrase)
	head, of := cutOf(phrase[len(counted):])
	d.Head, d.Of = plain(head), plain(of)
	if counted != "" {
		d.add("number of " + head)
		return
	}
	if d.Of != "" {
		d.add(d.Of + " " + d.Head)
		d.add(d.Head + " of " + d.Of)
	}
	if rest := phrase[len(head):]; rest != "" && of == "" {
		if happened.MatchString(rest) {
			d.add(deed(rest, false))
		}
	}
}

// deed returns what is said to be done or to be so: "issued" in "the invoice was
// issued". subject says that what comes first may be who it is said of.
func deed(clause string, subject bool) string {
	if at := happened.FindStringSubmatch(clause); at != nil {
		return deed(at[1], false)
	} else if rest, ok := strings.CutPrefix(strings.ToLower(clause), "the "); ok && subject {
		if words := strings.Fields(rest); len(words) > 1 {
			clause = strings.Join(words[1:], " ")
		}
	}
	words := strings.Fields(plain(clause))
	return strings.Join(words[:min(phraseEnd(words), longestName)], " ")
}

// cutOf returns the noun that a phrase is about, and what it is of or for.
func cutOf(phrase string) (head, of string) {
	words := strings.Fields(phrase)
	end := phraseEnd(words)
	head = strings.Join(words[:end], " ")
	if end+1 >= len(words) || !slices.Contains([]string{"of", "for", "per"}, strings.ToLower(words[end])) {
		return head, ""
	}
	rest := words[end+1:]
	return head, strings.Join(rest[:phraseEnd(rest)], " ")
}

// phraseEnd returns where a noun and what stands before it end: before the next
// preposition, pronoun or clause.
func phraseEnd(words []string) int {
	for i, w := range words {
		w = strings.ToLower(w)
		ends := Prepositions.Has(w) || relatives.Has(w) || PersonalPronouns.Has(w) || w == "and"
		if i > 0 && ends {
			return i
		}
	}
	return len(words)
}

// Words of descriptions (definitions.txt).
var (
	// relatives begin a clause about what stands before it.
	relatives = marked("definitions.txt", "relative")
	// articles stand before nouns and say nothing of them.
	articles = marked("definitions.txt", "article")
	// introductions only introduce another name: also called.
	introductions = marked("definitions.txt", "introduction")
)

func cutArticle(text string) (string, bool) {
	first, rest, ok := strings.Cut(text, " ")
	if ok && articles.Has(strings.ToLower(first)) {
		return rest, true
	}
	return text, false
}

// plain returns a phrase in lower case without articles and marks around it.
func plain(phrase string) string {
	if !strings.ContainsFunc(phrase, unicode.IsLetter) {
		return ""
	}
	phrase = strings.ToLower(strings.Trim(strings.TrimSpace(phrase), `.,;:?!"'“”‘’`))
	for {
		rest, ok := cutArticle(phrase)
		if !ok {
			break
		}
		phrase = rest
	}
	return strings.TrimSpace(phrase)
}

func opensWith(text string, words interface{ Has(string) bool }) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	return words.Has(first)
}
