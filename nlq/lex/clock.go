package lex

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quern/english"
)

// dayParts are the hours of a day that have a name: from the first on, before the
// second, which is of the next day where it is the lesser.
var dayParts = map[string][2]int{
	"morning": {5, 12}, "mornings": {5, 12}, "afternoon": {12, 18}, "afternoons": {12, 18},
	"evening": {18, 23}, "evenings": {18, 23}, "night": {22, 6}, "noon": {12, 12}, "midday": {12, 12}, "midnight": {0, 0},
}

// Clock reads a time of day: 18:30, 6:30 pm, 6pm, half past six, quarter to nine,
// ten o'clock, noon. An hour from one to six that says no more is one of the
// afternoon. From and until are as in "18:30"; until is empty unless the text names
// a part of the day: the morning.
func Clock(text string) (from, until string, ok bool) {
	words := Lower(Tokens(text))
	for len(words) > 1 && (words[0] == "the" || words[0] == "in" || words[0] == "at") {
		words = words[1:]
	}
	if len(words) == 1 {
		if part, ok := dayParts[words[0]]; ok {
			if part[0] == part[1] {
				return clockText(part[0]*60, ""), "", true
			}
			return clockText(part[0]*60, ""), fmt.Sprintf("%02d:00", part[1]), true
		}
	}
	words, half := cutHalf(words)
	minutes, said, ok := clockMinutes(words)
	if !ok || minutes >= 24*60 {
		return "", "", false
	}
	if half == "" && !said && minutes >= 60 && minutes < 7*60 {
		half = "pm"
	}
	return clockText(minutes, half), "", true
}

// clockText writes minutes of a day, of the half that was said.
func clockText(minutes int, half string) string {
	switch {
	case half == "pm" && minutes < 12*60:
		minutes += 12 * 60
	case half == "am" && minutes >= 12*60:
		minutes -= 12 * 60
	}
	return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60)
}

// cutHalf takes the words off that say which half of the day it is.
func cutHalf(words []string) (rest []string, half string) {
	text := strings.Join(words, " ")
	for _, ending := range []struct{ words, half string }{
		{" in the morning", "am"}, {" in the afternoon", "pm"}, {" in the evening", "pm"}, {" at night", "pm"},
		{" a . m .", "am"}, {" p . m .", "pm"}, {" a.m", "am"}, {" p.m", "pm"}, {" am", "am"}, {" pm", "pm"},
	} {
		if before, ok := strings.CutSuffix(text, ending.words); ok {
			return strings.Fields(before), ending.half
		}
	}
	last := len(words) - 1
	for _, half := range []string{"am", "pm"} {
		if last >= 0 && len(words[last]) > 2 && strings.HasSuffix(words[last], half) && digitsOf(words[last][:len(words[last])-2]) > 0 {
			return append(words[:last:last], strings.TrimSuffix(words[last], half)), half
		}
	}
	return words, ""
}

// clockMinutes reads the minutes since midnight; said tells that the text leaves no
// doubt which half of the day is meant.
func clockMinutes(words []string) (minutes int, said, ok bool) {
	if n := len(words); n > 1 && slices.Contains([]string{"o'clock", "sharp", "h"}, words[n-1]) {
		words = words[:n-1]
	}
	switch {
	case len(words) == 1:
		hour, ok := clockNumber(words[0])
		return hour * 60, false, ok
	case len(words) == 3 && (words[1] == ":" || words[1] == "."):
		hour, okHour := clockNumber(words[0])
		minute, okMinute := clockNumber(words[2])
		return hour*60 + minute, len(words[0]) == 2, okHour && okMinute && minute < 60 && len(words[2]) == 2
	case len(words) >= 3 && (words[len(words)-2] == "past" || words[len(words)-2] == "to"):
		hour, okHour := clockNumber(words[len(words)-1])
		minute, okMinute := minutesBeside(words[:len(words)-2])
		if words[len(words)-2] == "to" {
			minute = -minute
		}
		return hour*60 + minute, false, okHour && okMinute
	}
	return 0, false, false
}

// minutesBeside reads the minutes before past and to.
func minutesBeside(words []string) (int, bool) {
	switch text := strings.Join(words, " "); text {
	case "half":
		return 30, true
	case "quarter", "a quarter":
		return 15, true
	}
	if last := len(words) - 1; last > 0 && strings.HasPrefix(words[last], "minute") {
		words = words[:last]
	}
	if len(words) != 1 {
		return 0, false
	}
	return clockNumber(words[0])
}

// clockNumber reads a number of hours or minutes.
func clockNumber(w string) (int, bool) {
	if n, ok := english.Cardinals[w]; ok {
		return int(n), n < 60
	}
	n := digitsOf(w)
	return n, (n > 0 || strings.Trim(w, "0") == "") && n < 60 && len(w) <= 2 && w != ""
}

// Weekdays reads days of the week: Monday, Mondays, mon, weekends, weekdays.
func Weekdays(text string) []string {
	word := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), "s")
	switch word {
	case "weekend":
		return []string{time.Saturday.String(), time.Sunday.String()}
	case "weekday", "working day", "workday":
		var all []string
		for d := time.Monday; d <= time.Friday; d++ {
			all = append(all, d.String())
		}
		return all
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		name := strings.ToLower(d.String())
		short := len(word) >= 3 && len(word) <= 5 && strings.HasPrefix(name, word)
		if word == name || short {
			return []string{d.String()}
		}
	}
	return nil
}

// Month reads the name of a month, or its number; 0 when it is none.
func Month(text string) int {
	word := strings.ToLower(strings.TrimSpace(text))
	for _, w := range []string{word, strings.TrimSuffix(word, "s")} {
		if m, ok := months[w]; ok {
			return int(m)
		}
	}
	if n := digitsOf(word); n <= 12 {
		return n
	}
	return 0
}
