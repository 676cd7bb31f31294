package ingest_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"unicode/utf16"

	"quern"
)

// nasty is files as they come, and the tables that they are.
var nasty = []struct {
	name, file, data, want string
	options                quern.IngestionOptions
}{
	{name: "plain", file: "a.csv", data: "id,name,score\n1,Ada,1.5\n2,Bo,2\n", want: `id integer, name text, score double
[1,"Ada",1.5]
[2,"Bo",2]
`},
	{name: "byte order mark, CRLF, no last line end", file: "a.csv", data: "\ufeffid,name\r\n1,Ada\r\n2,Bo", want: `id integer, name text
[1,"Ada"]
[2,"Bo"]
`},
	{name: "old line ends", file: "a.csv", data: "id,name\r1,Ada\r2,Bo\r", want: `id integer, name text
[1,"Ada"]
[2,"Bo"]
`},
	{name: "semicolons and decimal commas", file: "a.csv", data: "Artikel;Preis;Menge\nSchraube;1.234,50;1.000\nMutter;0,05;20\n",
		want: `Artikel text, Preis double, Menge integer
["Schraube",1234.5,1000]
["Mutter",0.05,20]
`},
	{name: "tabs", file: "a.txt", data: "id\tname\n1\tAda, Countess\n2\tBo\n", want: `id integer, name text
[1,"Ada, Countess"]
[2,"Bo"]
`},
	{name: "pipes", file: "a.dat", data: "id|name\n1|Ada\n2|Bo\n", want: `id integer, name text
[1,"Ada"]
[2,"Bo"]
`},
	{name: "quotes, lines and delimiters inside of them", file: "a.csv",
		data: "id,text\n1,\"two\nlines, and \"\"quotes\"\"\"\n2,\"\"\n3,\n4,5'10\"\" tall\n", want: `id integer, text text
[1,"two\nlines, and \"quotes\""]
[2,""]
[3,null]
[4,"5'10\"\" tall"]
`},
	{name: "single quotes", file: "a.csv", data: "'id','text'\n'1','a, b'\n'2','c'\n", want: `id integer, text text
[1,"a, b"]
[2,"c"]
`},
	{name: "backslashes before quotes", file: "a.csv", data: "id,text\n1,\"say \\\"hi\\\", ok\"\n2,\"x\"\n", want: `id integer, text text
[1,"say \"hi\", ok"]
[2,"x"]
`},
	{name: "no header", file: "a.csv", data: "1,Ada,2024-01-02\n2,Bo,2024-01-03\n", want: `column_1 integer, column_2 text, column_3 date
[1,"Ada","2024-01-02"]
[2,"Bo","2024-01-03"]
`},
	{name: "years as names", file: "a.csv", data: "country,2019,2020\nFR,1.5,2\nDE,3,4\n", want: `country text, _2019 double, _2020 integer
["FR",1.5,2]
["DE",3,4]
`},
	{name: "ids keep their zeros", file: "a.csv", data: "id,zip,phone\n007,01234,+4912345\n010,99999,+4912346\n",
		want: `id text, zip text, phone text
["007","01234","+4912345"]
["010","99999","+4912346"]
`},
	{name: "null spellings beside numbers and beside words", file: "a.csv",
		data: "n,w,d\n1,None,2024-01-01\nn/a,NA,-\n3,x,NULL\n", want: `n integer, w text, d date
[1,"None","2024-01-01"]
[null,"NA",null]
[3,"x",null]
`},
	{name: "null spellings of one's own", file: "a.csv", options: quern.IngestionOptions{NullValues: []string{"missing"}},
		data: "n,m\n1,n/a\nMISSING,2\n", want: `n integer, m text
[1,"n/a"]
[null,"2"]
`},
	{name: "no null spellings", file: "a.csv", options: quern.IngestionOptions{NullValues: []string{}},
		data: "n,m\n1,n/a\n-,2\n", want: `n text, m text
["1","n/a"]
["-","2"]
`},
	{name: "thousands", file: "a.csv", data: "n,m,s\n\"1,234\",\"1,234,567.25\",1 234\n12,1,12\n", want: `n integer, m double, s integer
[1234,1234567.25,1234]
[12,1,12]
`},
	{name: "dates by column", file: "a.csv",
		data: "dmy,mdy,both,dot,named,iso\n31/01/2024,01/31/2024,01/02/2024,1.2.2024,2 Jan " +
			"2024,2024/01/02\n01/02/2024,02/01/2024,03/04/2024,31.12.2024,15-Mar-2024,2024/12/31\n",
		want: `dmy date, mdy date, both text, dot date, named date, iso date
["2024-01-31","2024-01-31","01/02/2024","2024-02-01","2024-01-02","2024-01-02"]
["2024-02-01","2024-02-01","03/04/2024","2024-12-31","2024-03-15","2024-12-31"]
`},
	{name: "years of two digits", file: "a.csv",
		data: "dmy,mdy,both,dot,named,mixed,version,at\n31/01/24,1/31/24,01/02/24,01.02.68,2-Jan-24,31/01/24,1.2.10,31/12/99 " +
			"10:00\n1/2/69,02/1/24,03/04/24,31.12.69,15-Mar-99,31/01/2024,3.4.11,01/01/00 23:59\n",
		want: `dmy date, mdy date, both text, dot date, named date, mixed text, version text, at timestamp
["2024-01-31","2024-01-31","01/02/24","2068-02-01","2024-01-02","31/01/24","1.2.10","1999-12-31T10:00:00Z"]
["1969-02-01","2024-02-01","03/04/24","1969-12-31","1999-03-15","31/01/2024","3.4.11","2000-01-01T23:59:00Z"]
`},
	{name: "times", file: "a.csv",
		data: "a,b,c\n2024-01-02 03:04:05,2024-01-02T03:04:05+02:00,01/31/2024 3:04 PM\n2024-01-02 " +
			"03:04:05.25,2024-01-02T03:04:05Z,02/01/2024 12:00 AM\n",
		want: `a timestamp, b timestamp, c timestamp
["2024-01-02T03:04:05Z","2024-01-02T01:04:05Z","2024-01-31T15:04:00Z"]
["2024-01-02T03:04:05.25Z","2024-01-02T03:04:05Z","2024-02-01T00:00:00Z"]
`},
	{name: "a late odd value", file: "a.csv", data: "n\n" + strings.Repeat("1\n", 3) + "x\n", want: `n text
["1"]
["1"]
["1"]
["x"]
`},
	{name: "truth", file: "a.csv", data: "t,c\ntrue,NO\nFALSE,NO\n", want: `t boolean, c text
[true,"NO"]
[false,"NO"]
`},
	{name: "numbers that no double holds", file: "a.csv",
		data: "d,i,h\n0.1234567890123456789,9223372036854775807,92233720368547758080\n1.5,1,2\n",
		want: `d decimal(20,19), i integer, h text
[0.1234567890123456789,9223372036854775807,"92233720368547758080"]
[1.5000000000000000000,1,"2"]
`},
	{name: "names", file: "a.csv", data: "Unit Price (€),unit price,,__x,Ünïcode\n1,2,3,4,5\n",
		want: `Unit_Price integer, unit_price_2 integer, column_3 integer, x integer, Ünïcode integer
[1,2,3,4,5]
`},
	{name: "short rows and empty ends", file: "a.csv", data: "a,b,c,\n1,2,3,\n4\n\n5,6,7,\n", want: `a integer, b integer, c integer
[1,2,3]
[4,null,null]
[5,6,7]
`},
	{name: "latin-1", file: "a.csv", data: "name,n\nJos\xe9,1\nM\xfcller,2\n", want: `name text, n integer
["José",1]
["Müller",2]
`},
	{name: "UTF-16", file: "a.csv", data: wide("name;n\nJosé;1\nMüller;2\n", true), want: `name text, n integer
["José",1]
["Müller",2]
`},
	{name: "UTF-16 without a mark", file: "a.csv", data: wide("name;n\nJosé;1\nMüller;2\n", false), want: `name text, n integer
["José",1]
["Müller",2]
`},
	{name: "gzip under another name", file: "a.csv", data: gzipped("id,name\n1,Ada\n"), want: `id integer, name text
[1,"Ada"]
`},
	{name: "JSON array", file: "a.csv", data: `[{"id":1,"tags":["x"],"at":{"lat":1.5}}, {"id":2.5,"new":true}]`,
		want: `id double, tags json, at_lat double, new boolean
[1,["x"],1.5,null]
[2.5,null,null,true]
`},
	{name: "nested objects kept", file: "a.json", options: quern.IngestionOptions{Nested: new(int)}, data: `[{"id":1,"at":{"lat":1.5}}]`,
		want: "id integer, at json\n[1,{\"lat\":1.5}]\n"},
	{name: "objects in objects, names that are taken", file: "a.json",
		data: `[{"a":{"b":{"c":{"d":{"e":1}}}},"x_y":1,"x":{"y":2},"e":{}}]`,
		want: "a_b_c_d json, x_y integer, x_y_2 integer\n[{\"e\":1},1,2]\n"},
	{name: "an envelope", file: "a.json", data: `{"meta":{"page":1,"tags":["a"]},"data":[{"id":1},{"id":2}],"next":null}`, want: `id integer
[1]
[2]
`},
	{name: "an envelope in an envelope", file: "a.json", data: "{\n\"ok\":true,\"response\":{\"items\":[{\"id\":1}]}}\n", want: "id integer\n[1]\n"},
	{name: "one object", file: "a.json", data: `{"id":1,"tags":["x"]}`, want: "id integer, tags json\n[1,[\"x\"]]\n"},
	{name: "NDJSON", file: "a.txt", data: "{\"id\":1}\n\n{\"id\":2,\"d\":\"2024-01-02\"}\n", want: `id integer, d date
[1,null]
[2,"2024-01-02"]
`},
	{name: "objects over several lines", file: "a.json", data: "{\n \"id\": 1\n}\n{\n \"id\": 2\n}\n", want: `id integer
[1]
[2]
`},
	{name: "HTML", file: "a.csv", data: "<html><body><table><tr><th>id</th><th>name</th></tr><tr><td>1</td><td>Ada " +
		"<b>L</b></td></tr></table></body></html>", want: `id integer, name text
[1,"Ada L"]
`},
	{name: "prose", file: "a.txt", data: "Once upon a time, there was a file.\n\nIt had lines; few of them.\nThe end.\n", want: `text text
["Once upon a time, there was a file."]
["It had lines; few of them."]
["The end."]
`},
	{name: "a table in Markdown under another name", file: "a.csv",
		data: "| id | name | n |\n|---:|:-----|---|\n| 1 | a \\| b | **1,5** |\n| 2 | `c` |\n", want: `id integer, name text, n double
[1,"a | b",1.5]
[2,"c",null]
`},
	{name: "Markdown with tables and text", file: "a.md",
		data: "[the docs](x) say:\n\n# Ports\n\nAll of them.\n\nid | port\n--|--\n1 | Oslo\n\n## Closed ##\n\n```sh\n# no " +
			"heading\n```\n\nUnder\n-----\nEnd.\n", want: `id integer, port text, section text, text text
[1,"Oslo",null,null]
[null,null,null,"[the docs](x) say:"]
[null,null,"Ports","All of them."]
[null,null,"Ports \u003e Closed","` + "```sh\\n# no heading\\n```" + `"]
[null,null,"Ports \u003e Under","End."]
`},
}

func wide(s string, mark bool) string {
	var b bytes.Buffer
	if mark {
		b.WriteString("\xff\xfe")
	}
	for _, u := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(u))
		b.WriteByte(byte(u >> 8))
	}
	return b.String()
}

func gzipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	_ = z.Close()
	return b.String()
}

func TestNastyFiles(t *testing.T) {
	t.Parallel()
	for _, tc := range nasty {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := newFileHouse(t)
			i := m.ingestFiles("it", tc.options, file{tc.file, []byte(tc.data)})
			if i.Status != quern.IngestionCompleted {
				t.Fatalf("ingest(%q) = %s: %s, want it completed", tc.data, i.Status, i.Message)
			}
			if got := m.table("it"); got != tc.want {
				t.Errorf("ingest(%q) =\n%s\nwant\n%s", tc.data, got, tc.want)
			}
			if i.ProcessedBytes != i.ExpectedBytes || i.ProcessedRows != int64(strings.Count(tc.want, "\n")-1) {
				t.Errorf("ingest(%q) processed %d bytes and %d rows, want all", tc.data, i.ProcessedBytes, i.ProcessedRows)
			}
		})
	}
}
