package structure_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/structure"
)

// run puts rows, JSON objects, through steps and returns what came out, without what
// tells of values, and the reports.
func run(t *testing.T, job structure.Job, rows ...string) (out []map[string]any, reports []quern.StepReport) {
	t.Helper()
	made, reports, err := try(t, job, rows...)
	if err != nil {
		t.Fatalf("steps = %v, want rows", err)
	}
	for _, row := range made {
		shown := map[string]any{}
		for _, m := range row.Members {
			if m.Name == quern.ValidColumn || !quern.IsInternal(m.Name) && m.Value != nil {
				shown[m.Name] = m.Value
			}
		}
		out = append(out, shown)
	}
	return out, reports
}

func try(t *testing.T, job structure.Job, rows ...string) ([]structure.Row, []quern.StepReport, error) {
	t.Helper()
	work, err := structure.New(structure.Options{}).Begin(job)
	if err != nil {
		return nil, nil, err
	}
	in := make([]structure.Row, len(rows))
	for i, text := range rows {
		if in[i], err = structure.DecodeRow([]byte(text)); err != nil {
			t.Fatalf("DecodeRow(%s) = %v", text, err)
		}
		in[i].Source = int64(i)
	}
	made, err := work.Rows(t.Context(), in)
	return made, work.Reports(), err
}

func textRow(text string) string {
	raw, _ := json.Marshal(map[string]string{"text": text})
	return string(raw)
}

func tableJob(schema map[string]string) structure.Job {
	return structure.Job{
		Steps:      []quern.InferStep{{Type: quern.StepTable, DeriveFrom: "text", Replace: true}},
		Definition: quern.InferDefinition{SchemaDefinition: schema},
	}
}

func TestTextBecomesRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		schema map[string]string
		want   []string // rows as fmt prints maps, by name
	}{
		"delimited": {
			text: "Our ships\nname;draught;arrived\nAriadne;7,25;2030-01-31\n\"Bella; II\";4;2030-02-01\n",
			want: []string{"map[arrived:2030-01-31 draught:7,25 name:Ariadne]", "map[arrived:2030-02-01 draught:4 name:Bella; II]"},
		},
		"a table of Markdown": {
			text: "| ship | crew |\n|------|-----:|\n| Ariadne | 12 |\n| Bella | 9 |\n",
			want: []string{"map[crew:12 ship:Ariadne]", "map[crew:9 ship:Bella]"},
		},
		"named values, twice": {
			text:   "Invoice No.: 2031-17\nDate: 3 March 2031\nTotal: $1,250.00\n\nInvoice No.: 2031-18\nDate: 4 March 2031\nTotal: $80.00",
			schema: map[string]string{"number": "the number of the invoice", "issued": "date of the invoice", "total": "what is to be paid"},
			want: []string{"map[issued:3 March 2031 number:2031-17 total:$1,250.00]",
				"map[issued:4 March 2031 number:2031-18 total:$80.00]"},
		},
		"messages": {
			text: "From: ada@harbour.example\nTo: bob@harbour.example\nSubject: Late again\nDate: Tue, 5 Feb 2030 08:15:00 +0100\n\nThe Bella is late.\nAda\n",
			want: []string{"map[Date:2030-02-05T07:15:00Z From:ada@harbour.example Subject:Late again To:bob@harbour.example body:The Bella is late.\nAda]"},
		},
		"a receipt": {
			text: "Corner Shop\nDate: 2030-03-01\n2 x 1.50 Milk        3.00\nBread              2.10\nCoffee beans      12.90\nTOTAL             18.00\n",
			want: []string{"map[amount:3.00 date:2030-03-01 item:Milk price:1.50 quantity:2 title:Corner Shop total:18.00]",
				"map[amount:2.10 date:2030-03-01 item:Bread title:Corner Shop total:18.00]",
				"map[amount:12.90 date:2030-03-01 item:Coffee beans title:Corner Shop total:18.00]"},
		},
		"a price list": {
			text: "Article      Unit   Price\nScrew M4     100    4.50\nBolt M6      50     7.20\nWasher       200    1.10",
			want: []string{"map[Article:Screw M4 Price:4.50 Unit:100]", "map[Article:Bolt M6 Price:7.20 Unit:50]",
				"map[Article:Washer Price:1.10 Unit:200]"},
		},
		"a statement": {
			text: "31.01.2030 REWE SAGT DANKE -23,45 EUR\n01.02.2030 Gehalt ACME 2.500,00 EUR\n03.02.2030 Miete Februar -850,00 EUR",
			want: []string{"map[amount:-23,45 EUR date:31.01.2030 text:REWE SAGT DANKE]", "map[amount:2.500,00 EUR date:01.02.2030 text:Gehalt ACME]",
				"map[amount:-850,00 EUR date:03.02.2030 text:Miete Februar]"},
		},
		"addresses": {
			text: "Jane Doe\n12 High Street\nLondon SW1A 1AA\njane@doe.example\n\nErika Muster\nHauptstr. 5\n10115 Berlin\nTel: +49 30 123456\n",
			want: []string{"map[city:London email:jane@doe.example name:Jane Doe postcode:SW1A 1AA street:12 High Street]",
				"map[city:Berlin name:Erika Muster phone:+49 30 123456 postcode:10115 street:Hauptstr. 5]"},
		},
		"a log, with a trace": {
			text: "2030-01-31 12:00:01,123 INFO [main] quern.Server - listening on 8080\n" +
				"2030-01-31 12:00:02,500 ERROR [w-1] quern.Store - cannot write\n  at store.go:17\n" +
				"2030-01-31 12:00:03,001 WARN [main] quern.Server - slow\n2030-01-31 12:00:09,000 INFO [main] quern.App - done with it\n",
			schema: map[string]string{"at": "when it happened", "severity": "the level", "message": "what the program says"},
			want: []string{
				"map[at:2030-01-31 12:00:01.123 context:main message:listening on 8080 severity:INFO source:quern.Server]",
				"map[at:2030-01-31 12:00:02.500 context:w-1 message:cannot write\n  at store.go:17 severity:ERROR source:quern.Store]",
				"map[at:2030-01-31 12:00:03.001 context:main message:slow severity:WARN source:quern.Server]",
				"map[at:2030-01-31 12:00:09.000 context:main message:done with it severity:INFO source:quern.App]",
			},
		},
		"what servers log": {
			text: "127.0.0.1 - - [10/Oct/2030:13:55:36 -0700] \"GET /a HTTP/1.1\" 200 2326\n10.0.0.7 - frank [10/Oct/2030:13:55:40 -0700] \"POST /b HTTP/1.1\" 404 17\n" +
				"10.0.0.9 - - [10/Oct/2030:13:56:01 -0700] \"GET /c HTTP/1.0\" 500 0\n",
			want: []string{
				"map[bytes:2326 ip:127.0.0.1 method:GET path:/a protocol:HTTP/1.1 status:200 time:2030-10-10T20:55:36Z]",
				"map[bytes:17 ip:10.0.0.7 method:POST path:/b protocol:HTTP/1.1 status:404 time:2030-10-10T20:55:40Z user:frank]",
				"map[bytes:0 ip:10.0.0.9 method:GET path:/c protocol:HTTP/1.0 status:500 time:2030-10-10T20:56:01Z]",
			},
		},
		"a sentence, by what is asked for": {
			text:   "Please refund Mrs Berg: she paid $49.90 on 3 March 2031 and can be reached at berg@example.org.",
			schema: map[string]string{"amount": "what was paid", "paid_on": "date of the payment", "email": "where to reach her", "phone": "her number"},
			want:   []string{"map[amount:$49.90 email:berg@example.org paid_on:3 March 2031]"},
		},
		"nothing that can be read": {
			text: "Some actors and their films.",
			want: []string{"map[text:Some actors and their films.]"},
		},
		"JSON after all": {
			text: `[{"a":1},{"a":2,"b":[3]}]`,
			want: []string{"map[a:1]", "map[a:2 b:[51]]"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, reports := run(t, tableJob(c.schema), textRow(c.text))
			got := make([]string, len(out))
			for i, row := range out {
				got[i] = strings.ReplaceAll(fmt.Sprint(row), "[[51]]", "[51]")
			}
			if name == "JSON after all" {
				got = got[:0]
				for _, row := range out {
					got = append(got, strings.ReplaceAll(fmt.Sprint(row), "[91 51 93]", "[51]"))
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("rows = %s\nwant %s\nreports %+v", strings.Join(got, "\n"), strings.Join(c.want, "\n"), reports)
			}
		})
	}
}

func TestLinesThatDifferAreKeptAndTold(t *testing.T) {
	t.Parallel()
	buyers := []string{"Harbour House", "Acme", "The Old Mill Inn"}
	var rows []string
	for i := range 20 {
		rows = append(rows, textRow(fmt.Sprintf("Sold %d crates to %s for $%d.50 on 2030-01-%02d", i+1, buyers[i%3], i+10, i+1)))
	}
	rows = append(rows, textRow("--- end of the day ---"))
	out, reports := run(t, structure.Job{
		Steps: []quern.InferStep{{Type: quern.StepTable, DeriveFrom: "text"}},
		Definition: quern.InferDefinition{SchemaDefinition: map[string]string{
			"crates": "how many were sold", "customer": "whom they were sold to", "price": "what was paid", "day": "date of the sale"}},
	}, rows...)
	if len(out) != 21 || fmt.Sprintf("%v %v %v", out[2]["crates"], out[2]["price"], out[2]["day"]) != "3 $12.50 2030-01-03" {
		t.Errorf("rows = %v, want every line read", out[2])
	}
	if last := out[20]; len(last) != 1 || last["text"] != "--- end of the day ---" {
		t.Errorf("the odd line = %v, want it kept as text", last)
	}
	if r := reports[0]; r.In != 21 || r.Out != 21 || r.Unread != 1 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "end of the day") {
		t.Errorf("report = %+v, want the odd line counted and told", r)
	}
}

func TestValuesTellWhereTheyAreFrom(t *testing.T) {
	t.Parallel()
	made, _, err := try(t, structure.Job{Steps: []quern.InferStep{{Type: quern.StepTable, DeriveFrom: "text"}}},
		`{"id":7,"text":"Größe: 12 cm\nSent: Tue, 5 Feb 2030 08:15:00 +0100"}`)
	if err != nil || len(made) != 1 {
		t.Fatalf("rows = %v, %v, want one", made, err)
	}
	got, err := made[0].AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":7,"text":"Größe: 12 cm\nSent: Tue, 5 Feb 2030 08:15:00 +0100",` +
		`"Größe":"12 cm","__metadata_Größe":{"from":"text","start":7,"end":12,"by":"label","confidence":0.95},` +
		`"Sent":"2030-02-05T07:15:00Z","__metadata_Sent":{"from":"text","words":"Tue, 5 Feb 2030 08:15:00 +0100","start":19,"end":49,"by":"label","confidence":0.95}}`
	if string(got) != want {
		t.Errorf("row = %s\nwant  %s", got, want)
	}
}

func TestRowsOutOfColumns(t *testing.T) {
	t.Parallel()
	job := structure.Job{Steps: []quern.InferStep{{Type: quern.StepRows, DeriveFrom: "rows"}}}
	out, _ := run(t, job, `{"rows":[{"a":1},{"a":2,"source":"own"},3],"source":"x"}`, `{"rows":"{\"a\":4}"}`, `{"rows":"a,b\n5,x\n6,y\n7,z"}`, `{"other":1}`)
	const want = "[map[a:1 source:x] map[a:2 source:own source_2:x] map[rows:3 source:x] map[a:4] map[a:5 b:x] map[a:6 b:y] map[a:7 b:z] map[other:1]]"
	if got := fmt.Sprint(out); got != want {
		t.Errorf("rows = %s\nwant   %s", got, want)
	}
}

func TestColumnsComeToTheirNames(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"all-in-one", "field-by-field", "embeddings"} {
		out, reports := run(t, structure.Job{Steps: []quern.InferStep{{Type: "normalize", Mode: mode, TargetCols: map[string]string{
			"email": "e-mail address of the customer", "birth_date": "day of birth", "Name": "", "city": "where they live"}}}},
			`{"Customer Name":"Ada","e-mail address":"ada@x.example","date of birth":"1815-12-10","shoe":9}`,
			`{"name":"Bob","EMail":"bob@x.example","birthDate":"1990-01-02","shoe":10}`)
		const want = "[map[Name:Ada birth_date:1815-12-10 email:ada@x.example shoe:9] map[Name:Bob birth_date:1990-01-02 email:bob@x.example shoe:10]]"
		if got := fmt.Sprint(out); got != want {
			t.Errorf("%s: rows = %s\nwant %s", mode, got, want)
		}
		if told := len(reports[0].Notes) > 0; told != (mode == "embeddings") {
			t.Errorf("%s: notes = %v", mode, reports[0].Notes)
		}
	}
}

func TestRowsAreValidated(t *testing.T) {
	t.Parallel()
	schema := map[string]string{
		"email": "where to write to", "stars": "rating between 1 and 5", "code": "article code, /^[A-Z]{2}-\\d+$/", "state": "one of open, closed",
		"zip": "5 digits", "price": "at least 0.5", "when": "date of the order, required",
	}
	columns := []string{"email", "stars", "code", "state", "zip", "price", "when"}
	good := `{"email":"a@b.example","stars":4,"code":"AB-17","state":"Open","zip":"01234","price":"$12.50","when":"2030-01-31"}`
	for _, c := range []struct{ mode, row, why string }{
		{"rows", good, ""},
		{"fields", strings.Replace(good, `"stars":4`, `"stars":6`, 1), "stars"},
		{"regex", strings.Replace(good, `"stars":4`, `"stars":6`, 1), ""},
		{"regex", strings.Replace(good, `AB-17`, `ab17`, 1), "code"},
		{"fields", strings.Replace(good, `a@b.example`, `nobody`, 1), "email"},
		{"fields", strings.Replace(good, `"Open"`, `"ajar"`, 1), "state"},
		{"fields", strings.Replace(good, `01234`, `1234`, 1), "zip"},
		{"fields", strings.Replace(good, `$12.50`, `0.10 €`, 1), "price"},
		{"regex", strings.Replace(good, `2030-01-31`, `soon`, 1), "when"},
		{"fields", strings.Replace(good, `,"when":"2030-01-31"`, ``, 1), "when"},
		{"fields", strings.Replace(good, `"state":"Open"`, `"state":null`, 1), ""},
		{"rows", strings.Replace(good, `"state":"Open"`, `"state":null`, 1), "state"},
	} {
		made, _, err := try(t, structure.Job{Definition: quern.InferDefinition{SchemaDefinition: schema},
			Steps: []quern.InferStep{{Type: quern.StepValidate, Mode: c.mode, Columns: columns}}}, c.row, good)
		if err != nil {
			t.Fatalf("validate = %v", err)
		}
		got, err := made[0].AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		valid := strings.Contains(string(got), `"__valid":true`)
		told := strings.Contains(string(got), `"__metadata_`+c.why+`":{"invalid":`)
		if valid != (c.why == "") || !valid && !told {
			t.Errorf("%s of %s = %s, want %q to be wrong", c.mode, c.row, got, c.why)
		}
	}
}

func TestPlacesOfCoordinates(t *testing.T) {
	t.Parallel()
	geo := func(from string) structure.Job {
		return structure.Job{Steps: []quern.InferStep{{Type: quern.StepReverseGeo, DeriveFrom: from}}}
	}
	out, reports := run(t, geo("seen"), `{"seen":"48.857, 2.353"}`, `{"seen":{"lat":52.52,"lng":13.4}}`, `{"seen":[0.5,-30.25]}`, `{"seen":"nowhere"}`, `{"seen":null}`)
	if got := fmt.Sprintf("%v %v %v %v", out[0]["seen_city"], out[0]["seen_country"], out[1]["seen_city"], out[1]["seen_country_code"]); got != "Paris France Berlin DE" {
		t.Errorf("places = %s", got)
	}
	if len(out) != 5 || out[2]["seen_city"] != nil || reports[0].Unread != 2 {
		t.Errorf("at sea = %v, %+v, want no place, and that said", out[2], reports[0])
	}
	pair, _ := run(t, geo(""), `{"Latitude":"40.42","Longitude":-3.7}`)
	if pair[0]["city"] != "Madrid" {
		t.Errorf("a pair of columns = %v, want Madrid", pair[0])
	}
}

func TestNamesInTexts(t *testing.T) {
	t.Parallel()
	out, _ := run(t, structure.Job{Steps: []quern.InferStep{{Type: quern.StepNamedEntities}}},
		`{"n":1,"note":"On 3 March 2031 Mary Jones of Acme GmbH paid $49.90 for 12 kg in Paris; write to m@acme.example."}`)
	var found []struct{ Kind, Text string }
	if err := json.Unmarshal(out[0]["entities"].(json.RawMessage), &found); err != nil {
		t.Fatal(err)
	}
	const want = "[{date 3 March 2031} {person Mary Jones} {organisation Acme GmbH} {money $49.90} {quantity 12 kg} {place Paris} {email m@acme.example}]"
	if got := fmt.Sprint(found); got != want {
		t.Errorf("entities = %s\nwant %s", got, want)
	}
}

func TestStepsThatCannotBeRun(t *testing.T) {
	t.Parallel()
	for want, step := range map[string]quern.InferStep{
		"infer.steps[0].deriveFrom: no row has a column nothing; there are a": {Type: quern.StepRows, DeriveFrom: "nothing"},
		"infer.steps[0].deriveFrom: no row has a column none; there are a":    {Type: quern.StepTable, DeriveFrom: "none"},
		"infer.steps[0].columns: no row has a column b; there are a":          {Type: quern.StepValidate, Mode: "rows", Columns: []string{"a", "b"}},
		"infer.steps[0].columns: must name a column":                          {Type: quern.StepValidate, Mode: "rows"},
		"infer.steps[0].targetCols: is required":                              {Type: quern.StepNormalise, Mode: "all-in-one"},
		"infer.steps[0].deriveFrom: no row has a column at; there are a":      {Type: quern.StepReverseGeo, DeriveFrom: "at"},
		"infer.steps[0].deriveFrom: is required: no column looks like":        {Type: quern.StepReverseGeo},
		"infer.steps[0].deriveFrom: a holds neither JSON nor a table":         {Type: quern.StepRows, DeriveFrom: "a"},
		"infer.steps[0].model: there is no such model":                        {Type: quern.StepTable, DeriveFrom: "a", Model: "large-9"},
		"infer.steps[0].type: is not a step":                                  {Type: "dance"},
	} {
		_, _, err := try(t, structure.Job{Steps: []quern.InferStep{step}}, `{"a":"just words"}`)
		var messages []string
		if e, ok := err.(*quern.Error); ok {
			for _, sub := range e.Sub {
				messages = append(messages, sub.Message)
			}
		}
		if len(messages) != 1 || !strings.HasPrefix(messages[0], want) || !quern.Is(err, quern.Invalid) {
			t.Errorf("%+v = %v, want %s", step, messages, want)
		}
	}
}

func BenchmarkLogLines(b *testing.B) {
	rows := logLines(10_000)
	b.ReportAllocs()
	for b.Loop() {
		work, err := structure.New(structure.Options{}).Begin(tableJob(map[string]string{"at": "when it happened", "severity": "the level"}))
		if err != nil {
			b.Fatal(err)
		}
		if out, err := work.Rows(b.Context(), rows); err != nil || len(out) != len(rows) {
			b.Fatalf("rows = %d, %v", len(out), err)
		}
	}
}

// logLines are lines as a program writes them.
func logLines(n int) []structure.Row {
	levels := []string{"INFO", "WARN", "ERROR", "DEBUG"}
	rows := make([]structure.Row, n)
	for i := range rows {
		text := fmt.Sprintf("2030-01-31 12:%02d:%02d,%03d %s [worker-%d] quern.Store - request %d took %d ms for user%d", i/60%60, i%60, i%1000, levels[i%4], i%8, i, i%97, i%13)
		rows[i] = structure.Row{Line: int64(i + 1), Source: int64(i), Members: []structure.Member{{Name: "text", Value: text}}}
	}
	return rows
}
