package english_test

import (
	"strings"
	"testing"

	"quern/english"
)

func TestIntentOf(t *testing.T) {
	t.Parallel()
	for want, texts := range map[english.Intent]string{
		english.Deed: "close ticket 5079;cancel order no. 12;please reopen case #2026-04 .;Please book Luna in for a booster on Friday.;book Gisela Lenz in for Thursday at nine;delete all cancelled orders;Please remove customer 17;Write Brightline Law a second reminder;please write to all members;Write down that Karl has paid;note down a visit for Monday;can you send an email to every member;" +
			"Cancel the order of Ada;Book a room for Monday;change the price of tea to 3;and now update the stock;Mark them as paid;mark order 1003 as paid;" +
			"put hive H35 down as occupied again;take J Peel off stop;text Umar that his phone is ready;let the tenants know;Give plot A6 to Stuart Wragg.;order another 20 metres of oak",
		english.Reason: "Why did sales fall in May?;how come Anna left;And why?;What is the reason for the delay?",
		english.Guess: "Who will win the U12 league?;which team will come first;Predict next month's revenue;forecast sales for 2027;What will we earn next year?;how many bookings will we have in 2027?;Will it rain tomorrow?;will the concert sell out;What are we going to bill next quarter?;how much are we going to earn;" +
			"how busy will December be;How many balls shall we sell next winter?;how long will the scaffold stay up?",
		english.Judgement: "which is better;Show me the good ones.;Is that one any better than the other?;how are we doing with screens;Which one is best?;Who's our best one?;is that normal;what's the nicest one;how is the garden room doing;How did Tomasz do?;hows Anna getting on;what shall we have for dinner;Which film should we try first?",
		english.Half:      "whats the average;The total?;what is the median",
		english.Question: "email of selma meier;email addresses of all members;phone for Niamh Walsh;close contacts in 2024;order items 2068;call log 12;fix costs 2025;how many dives did Anna do?;how long did it go on;how is the paint doing the fence called;how often did we do that;how much should we have been paid;which invoices should be paid;how did they pay;give me the orders to Berlin;give us every trip to Rome;which price is best;tell me that price;tell us how long it took;take the average of the prices;put them in order of price;what is the average price;text messages to customers;how long is each film;is the order paid;How many orders were deleted?;Book titles by price;Book Titles by price;how are we doing the sums;show me the good customers;is that more than the other;order the customers by name;Add up all the prices;" +
			"which orders were cancelled?;Change in price since May;change in price from May to July;which contracts will end in 2026?;Set sizes by city;list the reasons;" +
			"How many guests will come tomorrow?;which ships are going to Kiel;make a list of all members;show calls per day;Cancelled orders per month;What is the price?",
	} {
		for text := range strings.SplitSeq(texts, ";") {
			if got := english.IntentOf(text); got != want {
				t.Errorf("IntentOf(%q) = %d, want %d", text, got, want)
			}
		}
	}
	for text, want := range map[string]string{
		"who are the best members": "members", "which bus is worst?": "bus", "which course is the best one": "course",
		"which is best": "", "what is the best price of a hotel": "", "which hotel is the best rated": "",
	} {
		if got, _ := english.JudgedOf(text); got != want {
			t.Errorf("JudgedOf(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"How many sessions will be cancelled in December?": true, "which bus is going to break down next": true, "Which client will give us the most work?": true,
		"which ships are going to Kiel": false, "will you show me the orders": false, "who left a will": false, "what did Will buy in 2024": false, "Which boats are old? The names will do.": false, "how many came": false,
	} {
		if got := english.Foresees(text); got != want {
			t.Errorf("Foresees(%q) = %v, want %v", text, got, want)
		}
	}
	holds(t, "RowNouns", english.RowNouns, "items,entry,records", "orders,people")
	holds(t, "Reasons", english.Reasons, "reason,comment", "price,why,expected")
	holds(t, "Guesses", english.Guesses, "forecast,expected", "price,reason")
}

// TestInList asks for lists in writing as others ask for them, and leaves other writing alone.
func TestInList(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Make a list of all members":                 "List all members",
		"please write me a list of the clients":      "List the clients",
		"Write down all boats":                       "List all boats",
		"prepare an overview of the jobs per client": "List the jobs per client",
		"Write Brightline Law a second reminder":     "Write Brightline Law a second reminder",
		"make a list":                                "make a list",
		"write down a list of the boats":             "List the boats",
		"Write down that Karl has paid":              "Write down that Karl has paid",
	} {
		if got := english.InList(said); got != want {
			t.Errorf("InList(%q) = %q, want %q", said, got, want)
		}
	}
}
