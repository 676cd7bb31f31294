package structure_test

import (
	"fmt"
	"strings"
	"testing"
)

// rowsOf prints the rows of a text, by the names of columns.
func rowsOf(t *testing.T, text string) string {
	t.Helper()
	out, _ := run(t, tableJob(nil), textRow(text))
	lines := make([]string, len(out))
	for i, row := range out {
		lines[i] = fmt.Sprint(row)
	}
	return strings.Join(lines, "\n")
}

func TestRecordsOfSeveralLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"below a title": {
			"Arrival 101\nShip: Ariadne\nFee: $80\n\nArrival 102\nShip: Bella\nFee: $95\n\nArrival 103\nShip: Cora\nFee: $70\n",
			"map[Arrival:101 Fee:$80 Ship:Ariadne]\nmap[Arrival:102 Fee:$95 Ship:Bella]\nmap[Arrival:103 Fee:$70 Ship:Cora]",
		},
		"below a title, one below the other": {
			"Arrival 101\nShip: Ariadne\nFee: $80\nArrival 102\nShip: Bella\nFee: $95\n",
			"map[Arrival:101 Fee:$80 Ship:Ariadne]\nmap[Arrival:102 Fee:$95 Ship:Bella]",
		},
		"below a title behind an empty line": {
			"Ariadne\n\nFee: $80\nBerth: 4\n\nBella\n\nFee: $95\nBerth: 2\n",
			"map[Berth:4 Fee:$80 title:Ariadne]\nmap[Berth:2 Fee:$95 title:Bella]",
		},
		"below a title with a colon": {
			"Arrival 101: Ariadne\nFee: $80\nBerth: 4\n\nArrival 102: Bella\nFee: $95\nBerth: 2\n",
			"map[Arrival:101 Berth:4 Fee:$80 title:Ariadne]\nmap[Arrival:102 Berth:2 Fee:$95 title:Bella]",
		},
		"apart by dashes": {
			"Ship: Ariadne\nFee: $80\n-----\nShip: Bella\nFee: $95\n-----\nShip: Cora\nFee: $70\nNote: paid late\n-----\n",
			"map[Fee:$80 Ship:Ariadne]\nmap[Fee:$95 Ship:Bella]\nmap[Fee:$70 Note:paid late Ship:Cora]",
		},
		"apart by stars, with a title and what comes behind": {
			"Harbour report\n***\nShip: Ariadne\nFee: $80\n***\nShip: Bella\nFee: $95\n***\nTotal fees: $175\nEnd of the report\n",
			"map[Fee:$80 Ship:Ariadne Total fees:$175 title:Harbour report]\nmap[Fee:$95 Ship:Bella Total fees:$175 title:Harbour report]\n" +
				"map[text:End of the report]",
		},
		"titles underlined": {
			"Ariadne\n=======\nFee: $80\nBerth: 4\n\nBella\n=====\nFee: $95\n",
			"map[Berth:4 Fee:$80 title:Ariadne]\nmap[Fee:$95 title:Bella]",
		},
		"unequal": {
			"Ship: Ariadne\nFee: $80\nBerth: 4\n\nShip: Bella\n\nFee: $95\nShip: Cora\nCaptain: M. Berg\n\nShip: Dora\nBerth: 2\nFee: $1\n",
			"map[Berth:4 Fee:$80 Ship:Ariadne]\nmap[Ship:Bella]\nmap[Captain:M. Berg Fee:$95 Ship:Cora]\nmap[Berth:2 Fee:$1 Ship:Dora]",
		},
		"in two blocks each": {
			"Ship: Ariadne\nFee: $80\n\nCaptain: Berg\nPhone: +49 30 123456\n\nShip: Bella\nFee: $95\n\nCaptain: Ems\nPhone: +49 30 654321\n",
			"map[Captain:Berg Fee:$80 Phone:+49 30 123456 Ship:Ariadne]\nmap[Captain:Ems Fee:$95 Phone:+49 30 654321 Ship:Bella]",
		},
		"numbered": {
			"1) Ariadne\n   Fee: $80\n   Berth: 4\n2) Bella\n   Fee: $95\n   Berth: 2\n",
			"map[Berth:4 Fee:$80 number:1 title:Ariadne]\nmap[Berth:2 Fee:$95 number:2 title:Bella]",
		},
		"by numbers alone": {
			"#12\nShip: Ariadne\nFee: $80\n#13\nShip: Bella\nFee: $95\n",
			"map[Fee:$80 Ship:Ariadne number:12]\nmap[Fee:$95 Ship:Bella number:13]",
		},
		"in Markdown": {
			"# Arrivals\n\n## Ariadne\n- **Fee:** $80\n- **Berth**: 4\n\n## Bella\n- **Fee:** $95\n- **Berth**: 2\n",
			"map[Berth:4 Fee:$80 document:Arrivals title:Ariadne]\nmap[Berth:2 Fee:$95 document:Arrivals title:Bella]",
		},
		"settings": {
			"[ada]\nemail=ada@harbour.example\nrole=clerk\n\n[bob]\nemail=bob@harbour.example\nrole=pilot\n",
			"map[email:ada@harbour.example role:clerk title:ada]\nmap[email:bob@harbour.example role:pilot title:bob]",
		},
		"with text beside": {
			"Ship: Ariadne\nFee: $80\nShe was late.\nNobody minded.\n\nShip: Bella\nFee: $95\n\nShip: Cora\nRoute: Hamburg\n  to Bergen\nFee: $70\n",
			"map[Fee:$80 Ship:Ariadne text:She was late.\nNobody minded.]\nmap[Fee:$95 Ship:Bella]\nmap[Fee:$70 Route:Hamburg\n  to Bergen Ship:Cora]",
		},
		"one, in two blocks below a title": {
			"INVOICE\nNumber: 12\nDate: 2030-01-31\n\nCustomer: Acme\nTotal: $80\n",
			"map[Customer:Acme Date:2030-01-31 Number:12 Total:$80 title:INVOICE]",
		},
		"cards": {
			"BEGIN:VCARD\nVERSION:3.0\nN:Doe;Jane;;;\nFN:Jane Doe\nTEL;TYPE=CELL:+44 20 7946 0018\nADR;TYPE=HOME:;;12 High Street;London;;SW1A 1AA;\n" +
				"NOTE:Owns the\n  Ariadne\\, and more\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:Erika Muster\nEMAIL:erika@muster.example\nEND:VCARD\n",
			"map[address:12 High Street, London, SW1A 1AA full_name:Doe, Jane name:Jane Doe note:Owns the Ariadne, and more phone:+44 20 7946 0018]\n" +
				"map[email:erika@muster.example name:Erika Muster]",
		},
		"a calendar": {
			"BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nDTSTART:20300131T090000Z\nSUMMARY:Ariadne arrives\nBEGIN:VALARM\nACTION:DISPLAY\nEND:VALARM\nEND:VEVENT\n" +
				"BEGIN:VEVENT\nUID:2\nDTSTART;VALUE=DATE:20300201\nSUMMARY:Bella leaves\nEND:VEVENT\nEND:VCALENDAR\n",
			"map[id:1 starts:2030-01-31T09:00:00Z summary:Ariadne arrives]\nmap[id:2 starts:2030-02-01 summary:Bella leaves]",
		},
		"addresses apart by rules, numbered": {
			"1. Jane Doe\n12 High Street\nLondon SW1A 1AA\n---\n2. Erika Muster\nHauptstr. 5\n10115 Berlin\n",
			"map[city:London name:Jane Doe number:1 postcode:SW1A 1AA street:12 High Street]\n" +
				"map[city:Berlin name:Erika Muster number:2 postcode:10115 street:Hauptstr. 5]",
		},
		"receipts": {
			"Corner Shop\nDate: 2030-03-01\nMilk        3.00\nBread       2.10\nTOTAL       5.10\nThank you!\n\nCorner Shop\nDate: 2030-03-02\nCoffee beans      12.90\nTOTAL             12.90\n",
			"map[amount:3.00 date:2030-03-01 item:Milk title:Corner Shop total:5.10]\nmap[amount:2.10 date:2030-03-01 item:Bread title:Corner Shop total:5.10]\n" +
				"map[amount:12.90 date:2030-03-02 item:Coffee beans title:Corner Shop total:12.90]",
		},
		"with a sentence below": {
			"*** Incident 7 ***\nOpened: 2030-01-31 10:15\nSeverity: high\nThe crane failed for an hour.\n\n*** Incident 8 ***\nOpened: 2030-02-01 11:00\nSeverity: low\n",
			"map[Incident:7 Opened:2030-01-31 10:15 Severity:high text:The crane failed for an hour.]\nmap[Incident:8 Opened:2030-02-01 11:00 Severity:low]",
		},
		"with lists": {
			"Recipe: Pancakes\nServes: 4\nIngredients:\n- 200 g flour\n- 3 eggs\n- 400 ml milk\n%\nRecipe: Scones\nServes: 6\nIngredients:\n- 350 g flour\n- 85 g butter\n",
			"map[Ingredients:- 200 g flour\n- 3 eggs\n- 400 ml milk Recipe:Pancakes Serves:4]\nmap[Ingredients:- 350 g flour\n- 85 g butter Recipe:Scones Serves:6]",
		},
		"sentences that happen to have colons": {
			"We met on Monday.\nThe plan: none.\nEverybody left early and was glad of it.\nNothing else happened.",
			"map[text:We met on Monday.\nThe plan: none.\nEverybody left early and was glad of it.\nNothing else happened.]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := rowsOf(t, c.text); got != c.want {
				t.Errorf("rows =\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
