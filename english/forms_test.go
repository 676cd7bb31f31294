package english_test

import (
	"slices"
	"strings"
	"testing"

	"quern/english"
)

func TestNouns(t *testing.T) {
	t.Parallel()
	for one, many := range map[string]string{
		"order": "orders", "city": "cities", "day": "days", "box": "boxes", "class": "classes", "branch": "branches", "status": "statuses",
		"person": "people", "child": "children", "analysis": "analyses", "index": "indexes", "wolf": "wolves", "alumnus": "alumni",
		"house": "houses", "cause": "causes", "cache": "caches", "approach": "approaches", "excuse": "excuses", "use": "uses", "bus": "buses",
		"series": "series", "aircraft": "aircraft", "datum": "data", "movie": "movies", "quiz": "quizzes", "soliloquy": "soliloquies",
	} {
		if got := english.Plural(one); got != many {
			t.Errorf("Plural(%s) = %s, want %s", one, got, many)
		}
		if got := english.Singular(many); got != one {
			t.Errorf("Singular(%s) = %s, want %s", many, got, one)
		}
		if got := english.Singular(one); got != one {
			t.Errorf("Singular(%s) = %s, want it as it is", one, got)
		}
	}
	for many, one := range map[string]string{"persons": "person", "indices": "index", "ids": "id", "address": "address", "basis": "basis"} {
		if got := english.Singular(many); got != one {
			t.Errorf("Singular(%s) = %s, want %s", many, got, one)
		}
	}
	holds(t, "Uncountable", english.Uncountable, "data,equipment,sales,rows", "order,product")
	holds(t, "NotNouns", english.NotNouns, "at,sold,active", "price,name")
}

func TestVerbs(t *testing.T) {
	t.Parallel()
	for form, base := range map[string]string{"sold": "sell", "written": "write", "saw": "see", "left": "leave", "begun": "begin"} {
		if got, want := english.Stem(form), english.Stem(base); got != want {
			t.Errorf("Stem(%s) = %s, want %s as of %s", form, got, want, base)
		}
	}
}

func TestStems(t *testing.T) {
	t.Parallel()
	for _, forms := range []string{
		"order orders ordered ordering", "city cities", "buy bought buys buying", "plan plans planned planning", "house houses housed housing",
		"person people persons", "use uses", "company companies", "write wrote written writes", "Price PRICES",
	} {
		all := strings.Fields(forms)
		for _, form := range all {
			if got, want := english.Stem(form), english.Stem(all[0]); got != want {
				t.Errorf("Stem(%s) = %s, want %s as of %s", form, got, want, all[0])
			}
		}
	}
	for _, word := range []string{"news", "series", "paris", "king", "string", "need", "hundred", "this", "mp3", "größe", "is"} {
		if got := english.Stem(word); got != word {
			t.Errorf("Stem(%s) = %s, want it as it is", word, got)
		}
	}
	for a, b := range map[string]string{"wedding": "weds", "data": "datum", "means": "meaning less", "bases": "basis", "status": "stat"} {
		if english.Stem(a) == english.Stem(b) {
			t.Errorf("Stem(%s) = Stem(%s) = %s, want them apart", a, b, english.Stem(a))
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		words map[string]int64
		in    map[string]int64
		out   string
	}{
		{"Cardinals", english.Cardinals, map[string]int64{"zero": 0, "two": 2, "fourteen": 14, "ninety": 90, "dozen": 12}, "twice couple second hundred"},
		{"NumberWords", english.NumberWords, map[string]int64{"seven": 7, "once": 1, "couple": 2, "thrice": 3}, "third hundred"},
		{"Ordinals", english.Ordinals, map[string]int64{"first": 1, "twelfth": 12, "hundredth": 100}, "one last"},
		{"Scales", english.Scales, map[string]int64{"hundred": 100, "k": 1e3, "millions": 1e6, "bn": 1e9, "trillion": 1e12}, "m b dozen"},
		{"AttachedScales", english.AttachedScales, map[string]int64{"k": 1e3, "m": 1e6, "b": 1e9, "tn": 1e12}, "million km"},
	} {
		for word, want := range c.in {
			if got, ok := c.words[word]; got != want || !ok {
				t.Errorf("%s[%s] = %d, %v, want %d", c.name, word, got, ok, want)
			}
		}
		for word := range strings.FieldsSeq(c.out) {
			if n, ok := c.words[word]; ok {
				t.Errorf("%s[%s] = %d, want none", c.name, word, n)
			}
		}
	}
	holds(t, "Units", english.Units, "%,percent,km,dollars,people", "orders,second,k")
	holds(t, "Currencies", english.Currencies, "$,€,us$", "dollar,%")
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"order_id": "order id", "orderId": "order id", "Order ID": "order id", "HTTPServer": "http server", "customerIDs": "customer ids",
		"mp3": "mp 3", "Q1-Sales": "q 1 sales", "größeCM": "größe cm", "": "", "__x__": "x", "a\xffb": "a b",
	} {
		if got := strings.Join(english.NameWords(name), " "); got != want {
			t.Errorf("NameWords(%s) = %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"unit_price": "unit price", "Line-Items": "Line Items", " a__b ": "a b", "orderId": "orderId"} {
		if got := english.Spaced(name); got != want {
			t.Errorf("Spaced(%s) = %q, want %q", name, got, want)
		}
	}
	if heads := english.NameHeads.Words(); heads[0] != "id" || !slices.Contains(heads, "date") {
		t.Errorf("NameHeads = %v, want id first, and date", heads)
	}
	holds(t, "NameHeads", english.NameHeads, "id,no,name,number", "ids,price")
	holds(t, "ShortParts", english.ShortParts, "age,day,tax", "the,xyz,name")
	holds(t, "GenericNames", english.GenericNames, "id,key,title,uuid", "order,price")
	holds(t, "Identifiers", english.Identifiers, "id,zip,year,phone", "price,amount,count")
}

func TestAbbreviations(t *testing.T) {
	t.Parallel()
	for short, want := range map[string]string{"qty": "quantity", "dob": "date of birth", "no": "number", "nos": "numbers"} {
		if got := strings.Join(english.Abbreviations[short], " "); got != want {
			t.Errorf("Abbreviations[%s] = %s, want %s", short, got, want)
		}
	}
	for _, word := range []string{"number", "name", "id"} {
		if got := english.Abbreviations[word]; got != nil {
			t.Errorf("Abbreviations[%s] = %v, want none", word, got)
		}
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"canadian": "canada", "female": "f", "women": "female", "ohio": "oh", "usa": "united states", "germans": "germany", "american": "usa", "ladies": "female",
	} {
		if got := english.Aliases(text); !slices.Contains(got, want) {
			t.Errorf("Aliases(%s) = %v, want %s among them", text, got, want)
		}
	}
	for _, text := range []string{"in", "or", "us", "lamp", ""} {
		if got := english.Aliases(text); got != nil {
			t.Errorf("Aliases(%s) = %v, want none", text, got)
		}
	}
}

func TestFunctionWords(t *testing.T) {
	t.Parallel()
	holds(t, "FunctionWords", english.FunctionWords, "the,of,which,n't,without,most", "show,name,order")
	holds(t, "ThinWords", english.ThinWords, "name,ids,total,highest,two", "the,price,city")
}

func TestPrepositions(t *testing.T) {
	t.Parallel()
	holds(t, "Prepositions", english.Prepositions, "in,of,during,until", "and,the,not")
}

func TestShortenedWords(t *testing.T) {
	t.Parallel()
	holds(t, "Shortened", english.Shortened, "e.g,vs,dr,u.s", "eg.,number,a")
}

func TestTimeWords(t *testing.T) {
	t.Parallel()
	holds(t, "BeforeMonths", english.BeforeMonths, "in,since,last,every", "the,soldiers")
}

func TestUnitsOfNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"fee eur":      {"fee", "EUR"},
		"length m":     {"length", "m"},
		"weight in kg": {"weight", "kg"},
		"Price (EUR)":  {"Price", "EUR"},
		"share pct":    {"share", "%"},
		"plan t":       {"plan t", ""},
		"kg":           {"kg", ""},
		"fee":          {"fee", ""},
		"":             {"", ""},
	} {
		if bare, unit := english.WithoutUnit(name); bare != want[0] || unit != want[1] {
			t.Errorf("WithoutUnit(%q) = %q, %q, want %q, %q", name, bare, unit, want[0], want[1])
		}
	}
}

func TestUnitsOfDescriptions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"revenue of the order in EUR (sales, turnover)": "EUR", "price in euros": "EUR", "net weight (kg)": "kg", "length in m.": "m",
		"paid in EUR or in USD": "", "city in which they live": "", "": "",
	} {
		if got := english.UnitIn(text); got != want {
			t.Errorf("UnitIn(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNamesThatSayWhatHappened(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ordered on": "ordered", "arrived": "arrived", "built": "built", "last updated at": "last updated",
		"due date": "", "price": "", "need": "", "": "", "the goods are shipped": "",
	} {
		if got := english.Happening(name); got != want {
			t.Errorf("Happening(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDatasetNouns(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"sales.xlsx": "sales", "order_items.csv": "order items", "csv": "csv", "a.csv.gz": "a", "Ships": "ships", "VAT_Rates": "VAT rates"} {
		if got := english.DatasetNoun(name); got != want {
			t.Errorf("DatasetNoun(%q) = %q, want %q", name, got, want)
		}
	}
}
