package prose

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// Count writes a number of things, its digits in groups of three.
func Count[N int | int64](n N) string { return GroupDigits(fmt.Sprint(n)) }

// GroupDigits writes a number's digits before the point in groups of three. Digits
// are neither lost nor added; what is no plain number stays as it is.
func GroupDigits(number string) string {
	sign, rest := "", number
	if strings.HasPrefix(rest, "-") {
		sign, rest = "-", rest[1:]
	}
	whole, fraction, pointed := strings.Cut(rest, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return number
	}
	var b strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if pointed {
		return sign + b.String() + "." + fraction
	}
	return sign + b.String()
}

// longFraction is how many digits behind the point prose still shows, and about says
// that a number has more.
const (
	longFraction = 4
	about        = "about "
)

// roundForProse writes a number for prose: exact, or rounded and saying so where its
// fraction is long.
func roundForProse(number string, digits func(string) string) string {
	_, fraction, _ := strings.Cut(number, ".")
	if len(fraction) <= longFraction && !strings.ContainsAny(number, "eE") {
		return digits(number)
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok {
		return number
	}
	least := big.NewRat(1, 100)
	if value.Sign() != 0 && new(big.Rat).Abs(value).Cmp(least) < 0 {
		return number // rounding would leave little of it
	}
	if value.IsInt() && len(value.Num().String()) < 22 {
		return digits(value.Num().String())
	}
	return about + digits(value.FloatString(2))
}

// withCents writes an amount of money with two digits of cents, where it has one, or where
// it is whole and others are not.
func withCents(amount string, othersHave bool) string {
	whole, fraction, pointed := strings.Cut(amount, ".")
	switch {
	case strings.Trim(whole+fraction, "-0123456789") != "":
		return amount
	case len(fraction) == 1:
		return amount + "0"
	case !pointed && othersHave:
		return amount + ".00"
	}
	return amount
}

// looksLikeYear reports whether a whole number could be a year.
func looksLikeYear(number string) bool {
	return len(number) == 4 && number >= "1500" && number <= "2099" && strings.Trim(number, "0123456789") == ""
}

// dateWords writes a day as people do.
func dateWords(text string) string {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	return day.Format("2 January 2006")
}

// monthWords writes a month as people do.
func monthWords(text string) string {
	month, err := time.Parse("2006-01", text)
	if err != nil {
		return text
	}
	return month.Format("January 2006")
}

// timeWords writes an instant, its day by the layout.
func timeWords(text, layout string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	at, clock := at.UTC(), "15:04"
	switch {
	case at.Nanosecond() != 0:
		clock = "15:04:05.999999999"
	case at.Second() != 0:
		clock = "15:04:05"
	}
	return at.Format(layout+" "+clock) + " UTC"
}

// Rational returns a value's number.
func Rational(value json.RawMessage) (*big.Rat, bool) {
	if !isNumber(value) {
		return nil, false
	}
	return new(big.Rat).SetString(string(value))
}

func isNumber(value json.RawMessage) bool {
	return len(value) > 0 && strings.IndexByte("-0123456789", value[0]) >= 0
}
