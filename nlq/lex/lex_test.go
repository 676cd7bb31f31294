package lex_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"quern/english"
	"quern/nlq/lex"
)

func texts(tokens []lex.Token) string {
	var all []string
	for _, t := range tokens {
		all = append(all, t.Text)
	}
	return strings.Join(all, " | ")
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"How many heads are older than 56 ?", "How | many | heads | are | older | than | 56 | ?"},
		{"over 1,200.5 or 3.", "over | 1,200.5 | or | 3 | ."},
		{"$5, 20% and 3k of the 20th", "$ | 5 | , | 20 | % | and | 3k | of | the | 20th"},
		{"France's don't O'Brien the students' names", "France | 's | do | n't | O'Brien | the | students | ' | names"},
		{"it’s 'New York'", "it | ’s | ' | New | York | '"},
		{"first_name open-source A350", "first | name | open | - | source | A350"},
		{"2021-03-04", "2021 | - | 03 | - | 04"},
		{"Zürich 東京 naïve", "Zürich | 東 | 京 | naïve"},
		{" \t_ ", ""},
		{"a\xffb", "a | \xff | b"},
	} {
		if got := texts(lex.Tokens(c.text)); got != c.want {
			t.Errorf("Tokens(%q) = %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "don't", "1,2.3,", "'a' \"b\"", "東京\xff_", "О'Бр’ен's", "Q3 2022 - last 3 months"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens := lex.Tokens(text)
		at := 0
		for _, token := range tokens {
			if token.Start < at || token.End <= token.Start || token.Text != text[token.Start:token.End] {
				t.Fatalf("Tokens(%q) has %+v after %d", text, token, at)
			}
			if strings.Trim(text[at:token.Start], "_"+spaces(text)) != "" {
				t.Fatalf("Tokens(%q) left out %q", text, text[at:token.Start])
			}
			if again := lex.Tokens(token.Text); !strings.ContainsAny(token.Text, "'’") && len(again) != 1 {
				t.Fatalf("Tokens(%q) = %v, want one", token.Text, again)
			}
			at = token.End
		}
		if strings.Trim(text[at:], "_"+spaces(text)) != "" {
			t.Fatalf("Tokens(%q) left out %q", text, text[at:])
		}
		now := time.Date(2024, 5, 15, 12, 0, 0, 0, time.UTC)
		last := -1
		for _, p := range lex.Periods(tokens, now) {
			if p.First <= last || p.Last < p.First || p.Last >= len(tokens) {
				t.Fatalf("Periods(%q) has %+v after %d", text, p, last)
			}
			last = p.Last
		}
		for _, q := range lex.Quotes(text, tokens) {
			if q.First > q.Last || q.Last >= len(tokens) {
				t.Fatalf("Quotes(%q) has %+v", text, q)
			}
		}
		if folded := lex.Fold(text); lex.Fold(folded) != folded {
			t.Fatalf("Fold(%q) = %q, folded again %q", text, folded, lex.Fold(folded))
		}
		if n, ok := lex.Number(text); ok {
			if again, ok := lex.Number(n); !ok || again != n {
				t.Fatalf("Number(%q) = %s, read again %s", text, n, again)
			}
		}
		for _, w := range lex.Words(text, nil) {
			if w == "" || strings.ToLower(w) != w {
				t.Fatalf("Words(%q) has %q", text, w)
			}
			english.Stem(w)
		}
	})
}

// spaces returns the white space of a text.
func spaces(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsSpace(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func TestStem(t *testing.T) {
	t.Parallel()
	for _, forms := range []string{
		"country countries", "movie movies", "class classes", "address addresses", "box boxes", "branch branches",
		"person people persons", "child children", "woman women", "city cities", "price prices priced pricing",
		"stop stopped stopping", "plan planned plans", "control controlled", "rate rated rating", "status statuses",
		"name names named", "bus buses", "hero heroes", "index indices", "sell sold sells", "write written",
		"play played playing", "study studied studies", "employee employees", "fly flies flew", "cache caches",
		"date dates dated", "age ages", "shoe shoes", "agree agreed",
	} {
		list := strings.Fields(forms)
		for _, form := range list[1:] {
			if english.Stem(form) != english.Stem(list[0]) {
				t.Errorf("Stem(%s) = %s, Stem(%s) = %s, want the same", form, english.Stem(form), list[0], english.Stem(list[0]))
			}
		}
	}
	for _, pair := range []string{"new news", "string str", "king k", "red r", "university universe", "order border", "id is", "date data", "bed be", "during dure"} {
		if w := strings.Fields(pair); english.Stem(w[0]) == english.Stem(w[1]) {
			t.Errorf("Stem(%s) = Stem(%s) = %s, want them apart", w[0], w[1], english.Stem(w[0]))
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	vocabulary := strings.Fields("country code product name date birth count entry order line total student customer user username dorm aut hid dor mid elation app bandmate")
	known := func(w string) bool { return slices.Contains(vocabulary, w) }
	for _, c := range []struct{ name, want string }{
		{"first_name", "first name"}, {"firstName", "first name"}, {"First Name", "first name"}, {"HTTPServerURL", "http server url"},
		{"IDs", "ids"}, {"StuID", "student id"}, {"address2", "address 2"}, {"qty", "quantity"}, {"num_of_rooms", "number of rooms"},
		{"countrycode", "country code"}, {"productname", "product name"}, {"dateofbirth", "date of birth"}, {"custid", "customer id"},
		{"username", "username"}, {"dob", "date of birth"}, {"xyzzyfoo", "xyzzyfoo"}, {"orderlinetotal", "order line total"},
		{"dormid", "dorm id"}, {"authid", "auth id"}, {"facid", "fac id"}, {"appelation", "appelation"}, {"bname", "b name"}, {"bandmateid", "bandmate id"},
		{"dept", "department"}, {"empno", "employee number"}, {"größeInCm", "größe in cm"}, {"__a--b", "a b"}, {"", ""},
	} {
		if got := strings.Join(lex.Words(c.name, known), " "); got != c.want {
			t.Errorf("Words(%q) = %s, want %s", c.name, got, c.want)
		}
	}
	if got := lex.Words("countrycode", nil); len(got) != 1 {
		t.Errorf("Words(countrycode, nil) = %v, want one word", got)
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"New  York!", "new york"}, {"Zürich", "zurich"}, {"Straße", "strasse"}, {"A-350/b", "a 350 b"}, {"ÅÉî", "aei"},
		{"--", ""}, {"Łódź", "lodz"}, {"東京", "東京"}, {"ﬁne", "fine"},
	} {
		if got := lex.Fold(c.text); got != c.want {
			t.Errorf("Fold(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"56", "56"}, {"1,200.5", "1200.5"}, {"1.200,5", "1200.5"}, {"1,200", "1200"}, {"1,5", "1.5"}, {"1.200.000", "1200000"},
		{"-5", "-5"}, {"minus 5", "-5"}, {"$5", "5"}, {"€ 1.5", "1.5"}, {"20%", "20"}, {"20 percent", "20"}, {"3k", "3000"}, {"2.5m", "2500000"},
		{"1.5 million", "1500000"}, {"two thousand", "2000"}, {"two hundred and five", "205"}, {"a hundred", "100"}, {"twenty-five", "25"},
		{"one million two hundred thousand", "1200000"}, {"third", "3"}, {"3rd", "3"}, {"5 km", "5"}, {"5km", "5"}, {"30 years", "30"},
		{"twice", "2"}, {"0.10", "0.1"}, {"007", "7"}, {"five dollars", "5"}, {"zero", "0"}, {"hundred", "100"}, {"2 dozen", ""},
		{"", ""}, {"abc", ""}, {"five twenty", ""}, {"5 and 3", ""}, {"1e9", ""}, {"0x10", ""}, {"and", ""}, {"ten and five", ""}, {"$", ""}, {"-", ""},
		{"A350", ""}, {"2021-03-04", ""},
	} {
		got, ok := lex.Number(c.text)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Number(%q) = %q, %v, want %q", c.text, got, ok, c.want)
		}
	}
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 15, 12, 30, 0, 0, time.UTC) // a Wednesday
	for _, c := range []struct{ text, want string }{
		{"orders in 2021", "2021: 2021-01-01..2022-01-01"},
		{"March 2021", "March 2021: 2021-03-01..2021-04-01"},
		{"in March", "March: 2024-03-01..2024-04-01"},
		{"may they march", ""},
		{"on March 4th, 2021", "March 4th , 2021: 2021-03-04..2021-03-05"},
		{"4 March 2021", "4 March 2021: 2021-03-04..2021-03-05"},
		{"the 4th of March", "4th of March: 2024-03-04..2024-03-05"},
		{"2021-03-04", "2021 - 03 - 04: 2021-03-04..2021-03-05"},
		{"2021-03", "2021 - 03: 2021-03-01..2021-04-01"},
		{"3/4/2021", "3 / 4 / 2021: 2021-03-04..2021-03-05"},
		{"24/3/2021", "24 / 3 / 2021: 2021-03-24..2021-03-25"},
		{"4.3.2021", "4.3.2021: 2021-03-04..2021-03-05"},
		{"2021-02-30", "2021: 2021-01-01..2022-01-01"},
		{"the bill of next january", "next january: 2025-01-01..2025-02-01"},
		{"in last march", "last march: 2024-03-01..2024-04-01"},
		{"last year", "last year: 2023-01-01..2024-01-01"},
		{"this week", "this week: 2024-05-13..2024-05-20"},
		{"this week or next", "this week or next: 2024-05-13..2024-05-27"},
		{"this month or next month", "this month or next month: 2024-05-01..2024-07-01"},
		{"this week or the next one", "this week or the next one: 2024-05-13..2024-05-27"},
		{"this week or Tuesday next", "this week: 2024-05-13..2024-05-20"},
		{"this week or next Monday", "this week: 2024-05-13..2024-05-20; next Monday: 2024-05-20..2024-05-21"},
		{"this month or next week", "this month: 2024-05-01..2024-06-01; next week: 2024-05-20..2024-05-27"},
		{"today or tomorrow", "today or tomorrow: 2024-05-15..2024-05-17"},
		{"this quarter", "this quarter: 2024-04-01..2024-07-01"},
		{"yesterday", "yesterday: 2024-05-14..2024-05-15"},
		{"since spring 2022", "since spring 2022: 2022-03-01.."},
		{"the next fortnight", "next fortnight: 2024-05-15..2024-05-30"},
		{"since the first of July 2023", "since the first of July 2023: 2023-07-01.."},
		{"in the last week", "last week: 2024-05-08..2024-05-16"},
		{"within the next month", "next month: 2024-05-15..2024-06-16"},
		{"over the past year", "past year: 2023-05-15..2024-05-16"},
		{"in the last quarter of 2021", "last quarter of 2021: 2021-10-01..2022-01-01"},
		{"the coming week", "coming week: 2024-05-15..2024-05-23"},
		{"this weekend", "this weekend: 2024-05-18..2024-05-20"},
		{"last weekend", "last weekend: 2024-05-11..2024-05-13"},
		{"next weekend", "next weekend: 2024-05-25..2024-05-27"},
		{"last Monday", "last Monday: 2024-05-13..2024-05-14"},
		{"last Friday", "last Friday: 2024-05-10..2024-05-11"},
		{"this Friday", "this Friday: 2024-05-17..2024-05-18"},
		{"next Tuesday", "next Tuesday: 2024-05-21..2024-05-22"},
		{"coming Tuesday", "coming Tuesday: 2024-05-21..2024-05-22"},
		{"at weekends", ""},
		{"past 30 days", "past 30 days: 2024-04-15..2024-05-16"},
		{"the last three months", "last three months: 2024-02-15..2024-05-16"},
		{"3 days ago", "3 days ago: 2024-05-12..2024-05-13"},
		{"since 2020", "since 2020: 2020-01-01.."},
		{"after March 2020", "after March 2020: 2020-04-01.."},
		{"before 2019", "before 2019: ..2019-01-01"},
		{"until 2019", "until 2019: ..2020-01-01"},
		{"between 2019 and 2021", "between 2019 and 2021: 2019-01-01..2022-01-01"},
		{"from March 2019 to May 2019", "from March 2019 to May 2019: 2019-03-01..2019-06-01"},
		{"between May and July", "between May and July: 2024-05-01..2024-08-01"},
		{"from March until April 2022", "from March until April 2022: 2022-03-01..2022-05-01"},
		{"between November and 3 February 2022", "between November and 3 February 2022: 2021-11-01..2022-02-04"},
		{"between the beginning of June and the end of August 2022", "between the beginning of June and the end of August 2022: 2022-06-01..2022-09-01"},
		{"from the start of 2019 to the end of March 2020", "from the start of 2019 to the end of March 2020: 2019-01-01..2020-04-01"},
		{"between now and the end of the year", "between now and the end of the year: 2024-05-15..2025-01-01"},
		{"between now and the end of January", "between now and the end of January: 2024-05-15..2025-02-01"},
		{"between today and New Year", "between today and New Year: 2024-05-15..2025-01-02"},
		{"looked after in 2022", "2022: 2022-01-01..2023-01-01"},
		{"by the end of the month", "by the end of the month: ..2024-06-01"},
		{"until the end of the year 2021", "until the end of the year 2021: ..2022-01-01"},
		{"from now until March 2026", "from now until March 2026: 2024-05-15..2026-04-01"},
		{"what is there now", ""},
		{"what is on tonight", "tonight: 2024-05-15..2024-05-16"},
		{"the rest of this week", "rest of this week: 2024-05-15..2024-05-20"},
		{"the rest of the money", ""},
		{"since the end of April", "since the end of April: 2024-05-01.."},
		{"after the beginning of 2020", "after the beginning of 2020: 2020-01-01.."},
		{"before the end of May 2021", "before the end of May 2021: ..2021-06-01"},
		{"sold before Christmas 2023", "before Christmas 2023: ..2023-12-25"},
		{"between 1 October and Christmas Eve 2023", "between 1 October and Christmas Eve 2023: 2023-10-01..2023-12-25"},
		{"from New Year's Day 2022 to Valentine's Day 2022", "from New Year 's Day 2022 to Valentine 's Day 2022: 2022-01-01..2022-02-15"},
		{"between the start of October and Christmas 2023", "between the start of October and Christmas 2023: 2023-10-01..2023-12-26"},
		{"christmas puddings sold on boxing day", ""},
		{"before the end", ""},
		{"in sep 23", "sep 23: 2023-09-01..2023-10-01"},
		{"on sep 23", "sep 23: 2024-09-23..2024-09-24"},
		{"2022 rent that came after April", "2022: 2022-01-01..2023-01-01; after April: 2022-05-01.."},
		{"in March and in May of 2022", "March: 2022-03-01..2022-04-01; May of 2022: 2022-05-01..2022-06-01"},
		{"in March, not in 2021 or 2022", "March: 2024-03-01..2024-04-01; 2021: 2021-01-01..2022-01-01; 2022: 2022-01-01..2023-01-01"},
		{"last year in March", "last year: 2023-01-01..2024-01-01; March: 2023-03-01..2023-04-01"},
		{"2019 - 2021", "2019 - 2021: 2019-01-01..2022-01-01"},
		{"2019 and 2021", "2019: 2019-01-01..2020-01-01; 2021: 2021-01-01..2022-01-01"},
		{"Q3 2022", "Q3 2022: 2022-07-01..2022-10-01"},
		{"third quarter of 2022", "third quarter of 2022: 2022-07-01..2022-10-01"},
		{"takings for June to August 2022", "June to August 2022: 2022-06-01..2022-09-01"},
		{"June to August last year", "June to August last year: 2023-06-01..2023-09-01"},
		{"takings of June and July 2022", "June: 2022-06-01..2022-07-01; July 2022: 2022-07-01..2022-08-01"},
		{"who may and who did in July", "July: 2024-07-01..2024-08-01"},
		{"the first quarter of next year", "first quarter of next year: 2025-01-01..2025-04-01"},
		{"Q3 last year", "Q3 last year: 2023-07-01..2023-10-01"},
		{"second half of next year", "second half of next year: 2025-07-01..2026-01-01"},
		{"January of next year", "January of next year: 2025-01-01..2025-02-01"},
		{"in March next year", "March next year: 2025-03-01..2025-04-01"},
		{"first half of 2022", "first half of 2022: 2022-01-01..2022-07-01"},
		{"in H2 2022", "H2 2022: 2022-07-01..2023-01-01"},
		{"the second half of last year", "second half of last year: 2023-07-01..2024-01-01"},
		{"the first week of april 2025", "first week of april 2025: 2025-04-01..2025-04-08"},
		{"in the second week of may", "second week of may: 2024-05-08..2024-05-15"},
		{"spring 2025", "spring 2025: 2025-03-01..2025-06-01"},
		{"in the autumn of 2023", "autumn of 2023: 2023-09-01..2023-12-01"},
		{"a spring, winter 2025", "2025: 2025-01-01..2026-01-01"},
		{"last week of March 2024", "last week of March 2024: 2024-03-25..2024-04-01"},
		{"the last three months of 2024", "last three months of 2024: 2024-10-01..2025-01-01"},
		{"first 10 days of June 2023", "first 10 days of June 2023: 2023-06-01..2023-06-11"},
		{"second half of March 2021", "second half of March 2021: 2021-03-16..2021-04-01"},
		{"first half of Q1 2022", "first half of Q1 2022: 2022-01-01..2022-02-16"},
		{"last month of 2023", "last month of 2023: 2023-12-01..2024-01-01"},
		{"first year of 2023", "2023: 2023-01-01..2024-01-01"},
		{"ninth week of May 2024", "May 2024: 2024-05-01..2024-06-01"},
		{"the 1990s", "1990s: 1990-01-01..2000-01-01"},
		{"last name and 56 people by age", ""},
	} {
		tokens := lex.Tokens(c.text)
		var got []string
		for _, p := range lex.Periods(tokens, now) {
			var words []string
			for _, token := range tokens[p.First : p.Last+1] {
				words = append(words, token.Text)
			}
			got = append(got, strings.Join(words, " ")+": "+day(p.From)+".."+day(p.Until))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("Periods(%q) = %s, want %s", c.text, strings.Join(got, "; "), c.want)
		}
	}
	if from, until, ok := lex.ReadPeriod("May", now); !ok || day(from)+".."+day(until) != "2024-05-01..2024-06-01" {
		t.Errorf("ReadPeriod(May) = %s..%s, %t, want this year's", day(from), day(until), ok)
	}
	if _, _, ok := lex.ReadPeriod("2021 or so", now); ok {
		t.Error("ReadPeriod(2021 or so) = ok, want it refused")
	}
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

func TestQuotes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{`the "New York" one`, "New York"}, {"the 'New York' one", "New York"}, {"the students' names and teachers' ages", ""},
		{"“Ohio” and 'a'", "Ohio;a"}, {"France's 'x'", "x"}, {`""`, ""}, {`"open`, ""}, {"«Genève»", "Genève"},
	} {
		tokens := lex.Tokens(c.text)
		var got []string
		for _, s := range lex.Quotes(c.text, tokens) {
			got = append(got, c.text[tokens[s.First].Start:tokens[s.Last].End])
		}
		if strings.Join(got, ";") != c.want {
			t.Errorf("Quotes(%s) = %q, want %s", c.text, got, c.want)
		}
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"canadian", "canada"}, {"americans", "usa"}, {"british", "uk"}, {"united states", "usa"}, {"usa", "united states"},
		{"females", "f"}, {"women", "female"}, {"man", "m"}, {"california", "ca"}, {"france", "french"}, {"south african", "south africa"}, {"burmese", "burma"}, {"parisians", "paris"},
	} {
		if got := english.Aliases(c.text); !slices.Contains(got, c.want) {
			t.Errorf("Aliases(%s) = %v, want %s among them", c.text, got, c.want)
		}
	}
	for _, text := range []string{"in", "or", "me", "table", ""} {
		if got := english.Aliases(text); len(got) != 0 {
			t.Errorf("Aliases(%s) = %v, want none", text, got)
		}
	}
	if slices.Contains(english.Aliases("canadian"), "canadian") || slices.Contains(english.Aliases("american"), "canada") {
		t.Error("Aliases name the text itself or another country")
	}
}
