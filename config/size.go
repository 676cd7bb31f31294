package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units are the suffixes of a size, largest first.
var units = []struct {
	suffix string
	bytes  int64
}{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1},
}

// size is a positive number of bytes.
func size(p *int64) value {
	return parsed(p, "size", ParseSize, showSize)
}

// sizeOrNone is a number of bytes, or 0 for no limit.
func sizeOrNone(p *int64) value {
	return parsed(p, "size", func(s string) (int64, error) {
		if s == "0" {
			return 0, nil
		}
		return ParseSize(s)
	}, showSize)
}

// ParseSize reads a positive number of bytes, with or without a unit. Its error goes on
// from what was written.
func ParseSize(s string) (int64, error) {
	wrong := errors.New("is not a size such as 512MiB, 4GiB or 1000000")
	digits := strings.TrimRight(s, "TGMKiBtgmkb ")
	suffix := strings.TrimSpace(s[len(digits):])
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, wrong
	}
	for _, unit := range units {
		if !strings.EqualFold(unit.suffix, suffix) {
			continue
		}
		if n <= 0 || n > math.MaxInt64/unit.bytes {
			return 0, errors.New("is not a positive number of bytes that a computer can hold")
		}
		return n * unit.bytes, nil
	}
	return 0, wrong
}

func showSize(n int64) string {
	for _, unit := range units[:4] {
		if n != 0 && n%unit.bytes == 0 {
			return fmt.Sprintf("%d%s", n/unit.bytes, unit.suffix)
		}
	}
	return strconv.FormatInt(n, 10)
}
