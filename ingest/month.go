package ingest

import (
	"bytes"
	"strings"
)

var monthNames = []string{
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
}

// cutMonth takes the name of a month off, short or in full.
func cutMonth(text []byte) (month int, rest []byte) {
	end := 0
	for end < len(text) && (text[end]|0x20) >= 'a' && (text[end]|0x20) <= 'z' {
		end++
	}
	if end < 3 || end > 9 {
		return 0, text
	}
	name := strings.ToLower(string(text[:end]))
	for i, full := range monthNames {
		sept := name == "sept" && i == 8
		if name == full || name == full[:3] || sept {
			return i + 1, bytes.TrimPrefix(text[end:], []byte("."))
		}
	}
	return 0, text
}

// cutMonthInside reads what follows the day in 4 Mar 2024 and 4-Mar-2024.
func cutMonthInside(day, digits int, rest []byte) (n numbers, left []byte, ok bool) {
	mark := rest[0]
	month, rest := cutMonth(rest[1:])
	if digits > 2 || month == 0 || len(rest) == 0 || rest[0] != mark {
		return n, nil, false
	}
	year, width, rest := cutInt(rest[1:])
	f := dayName
	if width == 2 {
		f = nameShort
	}
	return numbers{day, month, year, [2]form{f, noForm}}, rest, width == 4 || width == 2
}

// cutNamedMonth reads March 4, 2024.
func cutNamedMonth(text []byte) (n numbers, rest []byte, ok bool) {
	month, rest := cutMonth(text)
	if month == 0 || len(rest) == 0 || rest[0] != ' ' {
		return n, nil, false
	}
	day, digits, rest := cutInt(rest[1:])
	if digits == 0 || digits > 2 {
		return n, nil, false
	}
	rest = bytes.TrimPrefix(rest, []byte(","))
	if len(rest) == 0 || rest[0] != ' ' {
		return n, nil, false
	}
	year, width, rest := cutInt(rest[1:])
	return numbers{month, day, year, [2]form{monthName, noForm}}, rest, width == 4
}
