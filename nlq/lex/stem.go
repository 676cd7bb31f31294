package lex

import "strings"

// irregular are the forms that no ending gives away.
var irregular = pairs(`
people person  children child  men man  women woman  feet foot  teeth tooth
mice mouse  geese goose  oxen ox  lives life  wives wife  knives knife
leaves leaf  shelves shelf  halves half  wolves wolf  thieves thief  loaves loaf  ids id
criteria criterion  phenomena phenomenon  indices index  matrices matrix
vertices vertex  analyses analysis  theses thesis  crises crisis  diagnoses diagnosis
alumni alumnus  fungi fungus  syllabi syllabus  media medium  bacteria bacterium
staffs staff  persons person  movies movie  cookies cookie  ties tie  pies pie
sold sell  bought buy  paid pay  made make  held hold  won win  wrote write
written write  taught teach  built build  took take  taken take  gave give
given give  flew fly  flown fly  drove drive  driven drive  spent spend
lent lend  sent send  met meet  left leave  kept keep  began begin  begun begin
chose choose  chosen choose  grew grow  grown grow  knew know  known know
owned own  ran run  sang sing  sung sing  spoke speak  spoken speak  wore wear
worn wear  said say  saw see  seen see  got get  lost lose  ate eat  eaten eat`)

// unchanged end like other forms and are none.
var unchanged = set(`news series species always across during gas bus lens
texas kansas arkansas athens paris wales james charles physics mathematics
economics politics statistics athletics wedding evening king ring wing spring
string thing nothing something everything anything need seed feed speed breed
hundred united red bed this his its was has is as us yes plus`)

// Stem gives what a word has in common with its other forms, in lower case:
// plurals, -ed and -ing. It need not be a word; stems are only compared. Words
// with other than the letters a to z are left as they are.
func Stem(word string) string {
	w := strings.ToLower(word)
	if to, ok := irregular[w]; ok {
		w = to
	}
	if len(w) < 3 || unchanged[w] || !plain(w) {
		return w
	}
	if len(w) > 3 {
		w = withoutTense(singular(w))
	}
	return tidied(w)
}

func plain(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-2]
	case endsIn(w, "sses", "ches", "shes", "xes", "zzes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !endsIn(w, "ss", "us", "is"):
		return w[:len(w)-1]
	}
	return w
}

// withoutTense takes -ed and -ing off what has a vowel without them.
func withoutTense(w string) string {
	if rest, ok := strings.CutSuffix(w, "eed"); ok {
		return rest + "ee"
	}
	for _, ending := range []string{"ing", "ed"} {
		rest, ok := strings.CutSuffix(w, ending)
		if ok && len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy") {
			return rest
		}
	}
	return w
}

// tidied makes the same of what spelling makes different at the end of a word:
// a silent e, y for i, a doubled letter.
func tidied(w string) string {
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	n := len(w)
	switch {
	case n >= 3 && w[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(w[n-2])):
		return w[:n-1] + "i"
	case n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeious", rune(w[n-1])):
		return w[:n-1]
	}
	return w
}

func endsIn(w string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// Stems gives the stem of each word.
func Stems(words []string) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = Stem(w)
	}
	return all
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

func pairs(words string) map[string]string {
	all, list := map[string]string{}, strings.Fields(words)
	for i := 0; i+1 < len(list); i += 2 {
		all[list[i]] = list[i+1]
	}
	return all
}
