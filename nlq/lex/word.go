package lex

import (
	"strings"
	"unicode"
)

// abbreviations are those that mean the same wherever they are used.
var abbreviations = func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(`
num number
no number
nbr number
nr number
nos numbers
qty quantity
amt amount
dept department
addr address
emp employee
cust customer
desc description
descr description
dob date of birth
pct percent
perc percent
avg average
min minimum
max maximum
cnt count
tot total
yr year
yrs years
hrs hours
mins minutes
secs seconds
mgr manager
acct account
org organization
loc location
pos position
prod product
proj project
ref reference
src source
dest destination
stu student
prof professor
lang language
msg message
info information
img image
pic picture
pwd password
usr user
val value
freq frequency
wt weight
ht height
inv invoice
txn transaction
trx transaction
pmt payment
mfr manufacturer
mfg manufacturing
govt government
intl international
natl national
univ university
assoc association
seq sequence
idx index
dt date
cd code
nm name
typ type
grp group
lvl level
flg flag
bldg building
rm room
appt appointment
tel telephone
fname first name
lname last name
mname middle name
lat latitude
lng longitude
lon longitude
temp temperature
sched schedule
cert certificate
admin administrator
app application
apps applications
orig original
curr current
prev previous
std standard
vol volume
dist distance
attr attribute
cfg configuration
doc document
docs documents
mkt market
ctry country
prov province
terr territory
apt apartment
prereq prerequisite
crs course
dst destination
bal balance
`) {
		if words := strings.Fields(line); len(words) > 1 {
			all[words[0]] = words[1:]
		}
	}
	return all
}()

// Words takes a raw name apart into words in lower case: first_name, firstName,
// "First Name" and first-name are the same. Frequent abbreviations are written
// out. A name without any seam (countrycode) is taken apart where known, which
// may be nil, knows all parts and not the whole.
func Words(name string, known func(string) bool) []string {
	var all []string
	for _, w := range pieces(name) {
		for _, part := range unglued(w, known) {
			all = append(all, Expand(part)...)
		}
	}
	return all
}

// pieces cuts a name at its seams.
func pieces(name string) []string {
	var all []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			all = append(all, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !inWord(r):
			cut(i)
			start = i + 1
		case i > start && seam(runes, i):
			cut(i)
		}
	}
	cut(len(runes))
	return all
}

// seam reports whether a new word starts at i inside a run of letters and digits.
func seam(runes []rune, i int) bool {
	before, r := runes[i-1], runes[i]
	if unicode.IsDigit(before) != unicode.IsDigit(r) {
		return true
	}
	if !unicode.IsUpper(r) {
		return false
	}
	if unicode.IsLower(before) {
		return true
	}
	// The last capital of several starts the next word (HTTPServer), unless all
	// that follows is the s of a plural (IDs).
	next := i + 1
	plural := next < len(runes) && runes[next] == 's' && (next+1 == len(runes) || !unicode.IsLower(runes[next+1]))
	return unicode.IsUpper(before) && next < len(runes) && unicode.IsLower(runes[next]) && !plural
}

// Expand writes an abbreviation out; other words are given as they are.
func Expand(word string) []string {
	if long, ok := abbreviations[word]; ok {
		return long
	}
	return []string{word}
}

// longestGlued bounds the work for a name without seams.
const longestGlued = 40

// heads are what names without seams often end in. Before them, any letters are
// a word.
var heads = []string{"id", "no", "name", "date", "code", "type", "year", "time", "number", "num"}

// threes are the words of three letters that parts of a name may be; most others
// in a vocabulary are no words.
var threes = set(`age day end fax job key max min sex tax top way zip car bus pay net old new log bar map
law art web air sea war win run dog cat sum avg red row box tag bin ads fee pet gas oil`)

// unglued takes a word apart that has no seam: behind it a head, or into two
// known parts, or three.
func unglued(w string, known func(string) bool) []string {
	if known == nil || len(w) < 4 || len(w) > longestGlued || !plain(w) || known(w) {
		return []string{w}
	}
	if _, short := abbreviations[w]; short {
		return []string{w}
	}
	isPart := func(part string) bool { return threes[part] || len(part) >= 4 && known(part) }
	if cut := halves(w, isPart); cut > 0 && !strings.HasSuffix(w, "id") {
		return []string{w[:cut], w[cut:]}
	}
	for _, head := range heads {
		if rest, ok := strings.CutSuffix(w, head); ok && rest != "" {
			return append(unglued(rest, known), head)
		}
	}
	return thirds(w, known)
}

// thirds cuts a word into three known parts, if it has them.
func thirds(w string, known func(string) bool) []string {
	isLong := func(part string) bool { return part == "of" || len(part) >= 4 && known(part) }
	for i := len(w) - 6; i >= 4; i-- {
		if !isLong(w[:i]) {
			continue
		}
		if cut := halves(w[i:], isLong); cut > 0 {
			return []string{w[:i], w[i : i+cut], w[i+cut:]}
		}
	}
	return []string{w}
}

// halves gives where to cut a word into two parts, the shorter of them as long
// as can be; 0 when it has no such two.
func halves(w string, isPart func(string) bool) int {
	best, longest := 0, 0
	for i := 2; i <= len(w)-2; i++ {
		if shorter := min(i, len(w)-i); shorter > longest && isPart(w[:i]) && isPart(w[i:]) {
			best, longest = i, shorter
		}
	}
	return best
}
