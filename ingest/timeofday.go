package ingest

import (
	"bytes"
	"time"
)

// clock is a time of day, with the distance of its zone from UTC.
type clock struct {
	hour, minute, second, micro int
	offset                      time.Duration
}

// cutClock reads all of text as a time of day, behind the T or space that parts
// it from the date. Times without a zone are taken as UTC.
func cutClock(text []byte) (c clock, ok bool) {
	if text[0] == ',' && len(text) > 1 {
		text = text[1:]
	}
	if text[0] != 'T' && text[0] != ' ' && text[0] != 't' {
		return c, false
	}
	var digits int
	c.hour, digits, text = cutInt(text[1:])
	if digits == 0 || digits > 2 || len(text) < 3 || text[0] != ':' {
		return c, false
	}
	if c.minute, digits, text = cutInt(text[1:]); digits != 2 || c.minute > 59 {
		return c, false
	}
	if text, ok = c.seconds(text); !ok {
		return c, false
	}
	if text, ok = c.halfDay(text); !ok || c.hour > 23 {
		return c, false
	}
	c.offset, ok = zoneOffset(bytes.TrimPrefix(text, []byte(" ")))
	return c, ok
}

// seconds reads seconds and their fraction, where there are any.
func (c *clock) seconds(text []byte) (rest []byte, ok bool) {
	if len(text) == 0 || text[0] != ':' {
		return text, true
	}
	var digits int
	if c.second, digits, text = cutInt(text[1:]); digits != 2 || c.second > 59 {
		return text, false
	}
	c.micro, rest, ok = cutFraction(text)
	return rest, ok
}

// cutFraction reads a fraction of a second; more than microseconds would be lost.
func cutFraction(text []byte) (micro int, rest []byte, ok bool) {
	if len(text) == 0 || bytes.IndexByte([]byte(".,"), text[0]) < 0 {
		return 0, text, true
	}
	i, unit := 1, 100_000
	for ; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
		if unit == 0 && text[i] != '0' {
			return 0, text, false
		}
		micro += int(text[i]-'0') * unit
		unit /= 10
	}
	return micro, text[i:], i > 1
}

// halfDay reads AM and PM.
func (c *clock) halfDay(text []byte) (rest []byte, ok bool) {
	half := bytes.TrimPrefix(text, []byte(" "))
	if len(half) < 2 || half[1]|0x20 != 'm' {
		return text, true
	}
	if letter := half[0] | 0x20; letter != 'a' && letter != 'p' {
		return text, true
	}
	if c.hour < 1 || c.hour > 12 {
		return text, false
	}
	c.hour %= 12
	if half[0]|0x20 == 'p' {
		c.hour += 12
	}
	return half[2:], true
}

func zoneOffset(text []byte) (time.Duration, bool) {
	switch string(text) {
	case "", "Z", "z", "UTC", "GMT":
		return 0, true
	}
	if text[0] != '-' && text[0] != '+' {
		return 0, false
	}
	digits := bytes.Replace(text[1:], []byte(":"), nil, 1)
	if len(digits) == 2 {
		digits = append(digits[:2:2], "00"...)
	}
	if len(digits) != 4 || !allDigits(digits) {
		return 0, false
	}
	hours, minutes := int(digits[0]-'0')*10+int(digits[1]-'0'), int(digits[2]-'0')*10+int(digits[3]-'0')
	offset := time.Duration(hours*60+minutes) * time.Minute
	if text[0] == '-' {
		offset = -offset
	}
	return offset, hours <= 15 && minutes < 60
}

// instantOf reads text as a date or a time of a form.
func instantOf(text []byte, f form) (time.Time, bool) {
	n, rest, ok := cutDate(text)
	if !ok {
		return time.Time{}, false
	}
	year, month, day := n.inOrder(f.date())
	if !validDate(year, month, day) {
		return time.Time{}, false
	}
	if f.isDate() {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC), len(rest) == 0
	}
	if len(rest) == 0 {
		return time.Time{}, false
	}
	c, ok := cutClock(rest)
	t := time.Date(year, time.Month(month), day, c.hour, c.minute, c.second, c.micro*1000, time.UTC).Add(-c.offset)
	return t, ok && t.Year() > 0 && t.Year() < 10000
}
