package duckdb

import (
	"strconv"
	"strings"
)

// plainDecimal writes a JSON number without an exponent, if all its digits fit
// a decimal of this size.
func plainDecimal(number string, precision, scale int) (string, bool) {
	mantissa, exponentText, hasExponent := strings.Cut(strings.ToLower(number), "e")
	exponent := 0
	if hasExponent {
		n, err := strconv.Atoi(exponentText)
		if err != nil || n > 1000 || n < -1000 {
			return "", false
		}
		exponent = n
	}
	digits, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	all := whole + fraction
	if whole == "" || strings.Trim(all, "0123456789") != "" {
		return "", false
	}
	// point is where the decimal point stands in all.
	point := len(whole) + exponent
	if point < 0 {
		all, point = strings.Repeat("0", -point)+all, 0
	}
	if point > len(all) {
		all += strings.Repeat("0", point-len(all))
	}
	whole, fraction = strings.TrimLeft(all[:point], "0"), strings.TrimRight(all[point:], "0")
	if len(whole) > precision-scale || len(fraction) > scale {
		return "", false
	}
	return joinDecimal(negative, whole, fraction), true
}

func joinDecimal(negative bool, whole, fraction string) string {
	text := whole
	if text == "" {
		text = "0"
	}
	if fraction != "" {
		text += "." + fraction
	}
	if negative && text != "0" {
		text = "-" + text
	}
	return text
}
