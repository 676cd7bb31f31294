package check_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/ask/asktest"
	"quern/ask/check"
	"quern/ask/prose"
)

func TestNumbersWithoutASourceAreFound(t *testing.T) {
	t.Parallel()
	cities := asktest.Step(`select city, sales, rate, opened, at from shops`, []quern.Column{{Name: "city", Type: quern.Text}, {Name: "sales", Type: quern.Integer}, {Name: "rate", Type: quern.Double},
		{Name: "opened", Type: quern.Date}, {Name: "at", Type: quern.Timestamp}},
		`["Oslo", 1234567, 0.25, "2024-05-01", "2024-05-01T14:30:05Z"]`, `["Boeing 747-8, Gate Q7", 1000, 12.3456, "1999-12-31", null]`)
	cities.TotalCount, cities.Truncated = 40, true
	question := "Which of the three shops sold over 900?"
	for answer, want := range map[string]string{
		"Oslo sold 1,234,567.":                                   "",
		"Oslo sold 1234567, about 1.2 million.":                  "",
		"Oslo sold about 1.3 million.":                           "1.3",
		"Oslo sold 1,234,568.":                                   "1,234,568",
		"Oslo sold 1,235k.":                                      "",
		"The rate is 25%, or 0.25.":                              "",
		"The rate is 25 percent.":                                "",
		"The rate is 26%.":                                       "26%",
		"The other rate is 12.35, or 12.3, or 12.":               "",
		"The other rate is 12.4.":                                "12.4",
		"It opened on 1 May 2024.":                               "",
		"It opened on May 1, 2024 at 14:30:05.":                  "",
		"It opened on 2024-05-01 14:30:05 UTC.":                  "",
		"It opened on 2024-05-02.":                               "2024-05-02",
		"It opened at 14:31.":                                    "14:31",
		"It opened in 2024, not in 2023.":                        "2023",
		"The 747-8 is at Gate Q7.":                               "",
		"The B-52 is at Gate Q8.":                                "52|Q8",
		"There are 2 rows here of 40, and 38 more.":              "",
		"and 37 more":                                            "37",
		"The top 2 are these; the three shops sold over 900.":    "",
		"The top 6 are these.":                                   "6",
		"All six shops sold well.":                               "six",
		"All fourteen shops sold well.":                          "fourteen",
		"1. Oslo\n2. Gate Q7\n3. nothing":                        "",
		"The score was 0.77.":                                    "0.77",
		"Together they sold 1,235,567.":                          "",
		"They sold 1,235,567.":                                   "1,235,567",
		"The difference is 1,233,567.":                           "",
		"Oslo sold 1,234.567 times as much (computed).":          "",
		"Oslo's share is 99.92% of the total.":                   "",
		"Oslo's share is 99.5% of the total.":                    "99.5%",
		"The average is 617,783.5 (computed).":                   "",
		"There are 5 columns \\| and 7\\.1 more.":                "7.1",
		"| city | sales |\n| --- | ---: |\n| Oslo | 1,234,567 |": "",
		"| city | sales |\n| --- | ---: |\n| Oslo | 7,654,321 |": "7,654,321",
	} {
		if got := strings.Join(check.Unsourced(answer, []quern.Step{cities}, question), "|"); got != want {
			t.Errorf("Unsourced(%q) = %q, want %q", answer, got, want)
		}
	}
	if got := check.Unsourced("It is 1000m long, 1000 km away, costs 1000k and 12:30:99.", []quern.Step{cities}, question); !slices.Equal(got, []string{"12:30:99"}) {
		t.Errorf("Unsourced of units = %q, want only the time that is none", got)
	}
	if got := check.Unsourced("There are 5 of them.", nil, "how many?"); !slices.Equal(got, []string{"5"}) {
		t.Errorf("Unsourced without steps = %q, want the number", got)
	}
}

// TestWhatIsWrittenFromRowsPassesTheCheck writes answers about random rows.
func TestWhatIsWrittenFromRowsPassesTheCheck(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1_500) {
		r := rand.New(rand.NewPCG(seed, 1))
		steps := make([]quern.Step, 1+r.IntN(3))
		answers := make([]string, len(steps))
		for i := range steps {
			steps[i] = randomStep(r)
			steps[i].Index = i
			answers[i] = prose.Answer(steps[i])
		}
		answer := strings.Join(answers, "\n\n")
		if missing := check.Unsourced(answer, steps, "what is there"); len(missing) > 0 {
			t.Fatalf("seed %d: %q has no source in\n%s\nfrom\n%s", seed, missing, answer, spelled(steps))
		}
	}
}

var shapes = []string{
	`select count(*) from things`, `select sum(a) from things where b > 17.5`, `select avg(a), max(b) from things`, `select a from things`, `select a, b from things order by b desc limit 3`,
	`select a, count(*) from things group by a order by count(*) desc limit 5`, `select a, b, c from things where c = 'x 99'`, `select distinct a from things`, `select * from things limit 4`,
	`select a from things union select b from things`, `select max(a) from things`, `select a from things where a = 3 order by b limit 1`, ``,
}

func randomStep(r *rand.Rand) quern.Step {
	shape := shapes[r.IntN(len(shapes))]
	columns := []quern.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}}[:1+min(strings.Count(strings.SplitN(shape, " from ", 2)[0], ","), 2)]
	if strings.Contains(shape, "*  from") || shape == "" || strings.Contains(shape, "select *") {
		columns = []quern.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	}
	types := []quern.Type{quern.Integer, quern.Double, quern.Text, quern.Date, quern.Timestamp, quern.Boolean, quern.JSON, quern.Decimal(18, 4)}
	for i := range columns {
		columns[i].Type = types[r.IntN(len(types))]
	}
	rows := []int{0, 1, 1, 2, 5, 12, 30}[r.IntN(7)]
	if strings.Contains(shape, "count(*) from") || strings.Contains(shape, "sum(a)") || strings.Contains(shape, "avg(a)") || strings.Contains(shape, "max(a)") {
		rows = 1
	}
	lines := make([]string, rows)
	for i := range lines {
		values := make([]string, len(columns))
		for j, c := range columns {
			values[j] = randomValue(r, c.Type)
		}
		lines[i] = "[" + strings.Join(values, ",") + "]"
	}
	s := asktest.Step(shape, columns, lines...)
	if r.IntN(4) == 0 {
		s.TotalCount += int64(r.IntN(5_000))
		s.Truncated = s.TotalCount > int64(rows)
	}
	return s
}

func randomValue(r *rand.Rand, t quern.Type) string {
	if r.IntN(8) == 0 {
		return "null"
	}
	switch t {
	case quern.Integer:
		return fmt.Sprint([]int64{0, 1, -1, 42, 1999, 2024, 1000, 123456789, -98765, r.Int64()}[r.IntN(10)])
	case quern.Double:
		b, _ := json.Marshal([]float64{0, 0.1, 12.333333333333334, 1e21, 1e-9, -5.5, 1234567.891, r.Float64() * 1e6, r.NormFloat64()}[r.IntN(9)])
		return string(b)
	case quern.Date:
		return fmt.Sprintf(`"%04d-%02d-%02d"`, 1900+r.IntN(200), 1+r.IntN(12), 1+r.IntN(28))
	case quern.Timestamp:
		return fmt.Sprintf(`"%04d-%02d-%02dT%02d:%02d:%02d%sZ"`, 1900+r.IntN(200), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(2)*r.IntN(60), []string{"", ".5", ".123456"}[r.IntN(3)])
	case quern.Boolean:
		return fmt.Sprint(r.IntN(2) == 0)
	case quern.JSON:
		return []string{`{"k":[1,2,{"z":"q | 9"}]}`, `[]`, `"text 5"`, `17`, `{"é":"\u0007 \\ 3"}`}[r.IntN(5)]
	case quern.Text:
		b, _ := json.Marshal(asktest.Hostile[r.IntN(len(asktest.Hostile))])
		return string(b)
	}
	return fmt.Sprintf("%d.%04d", r.IntN(1_000_000), r.IntN(10_000))
}

func spelled(steps []quern.Step) string {
	b, _ := json.MarshalIndent(steps, "", " ")
	return string(b)
}
