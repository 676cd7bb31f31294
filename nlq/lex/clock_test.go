package lex_test

import (
	"slices"
	"testing"

	"quern/nlq/lex"
)

func TestClock(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"half past six": {"18:30"}, "quarter to nine": {"08:45"}, "a quarter past ten": {"10:15"}, "18:30": {"18:30"}, "06:30": {"06:30"},
		"6:30 pm": {"18:30"}, "6pm": {"18:00"}, "7 am": {"07:00"}, "12 am": {"00:00"}, "12 pm": {"12:00"}, "ten o'clock": {"10:00"},
		"9 in the morning": {"09:00"}, "eight in the evening": {"20:00"}, "noon": {"12:00"}, "midnight": {"00:00"}, "ten minutes past five": {"17:10"},
		"the morning": {"05:00", "12:00"}, "afternoon": {"12:00", "18:00"}, "20 to 8": {"07:40"}, "night": {"22:00", "06:00"},
	} {
		from, until, ok := lex.Clock(text)
		if !ok || from != want[0] || until != want[1] {
			t.Errorf("Clock(%q) = %q, %q, %v, want %q", text, from, until, ok, want)
		}
	}
	for _, text := range []string{"", "six ships", "25:00", "9:75", "half", "past six", "Berlin", "100", "2024", "6:3"} {
		if from, until, ok := lex.Clock(text); ok {
			t.Errorf("Clock(%q) = %q, %q, want none", text, from, until)
		}
	}
}

func TestWeekdaysAndMonths(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Monday": {"Monday"}, "tuesdays": {"Tuesday"}, "wed": {"Wednesday"}, "thurs": {"Thursday"}, "weekends": {"Saturday", "Sunday"},
		"weekdays": {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}, "day": nil, "mo": nil, "": nil, "monkey": nil,
	} {
		if got := lex.Weekdays(text); !slices.Equal(got, want) {
			t.Errorf("Weekdays(%q) = %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]int{"March": 3, "sept": 9, "Decembers": 12, "7": 7, "13": 0, "x": 0} {
		if got := lex.Month(text); got != want {
			t.Errorf("Month(%q) = %d, want %d", text, got, want)
		}
	}
}
