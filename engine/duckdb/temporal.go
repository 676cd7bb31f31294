package duckdb

import (
	"fmt"
	"math"
	"strings"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
	"github.com/google/uuid"
)

const (
	microsPerSecond = 1_000_000
	microsPerDay    = 86_400 * microsPerSecond
	midnight        = "T00:00:00Z"
)

// temporal returns the text of dates, times and the other types that JSON can
// only show as text.
func (v *vector) temporal(row int) any {
	switch v.id {
	case bindings.TypeDate:
		return dateText(at[int32](v, row))
	case bindings.TypeTimestamp, bindings.TypeTimestampTZ:
		return timestampText(at[int64](v, row), time.UnixMicro)
	case bindings.TypeTimestampMS:
		return timestampText(at[int64](v, row), time.UnixMilli)
	case bindings.TypeTimestampS:
		return timestampText(at[int64](v, row), func(n int64) time.Time { return time.Unix(n, 0) })
	case bindings.TypeTimestampNS:
		return timestampText(at[int64](v, row), func(n int64) time.Time { return time.Unix(0, n) })
	case bindings.TypeTime:
		return clockText(at[int64](v, row))
	case bindings.TypeTimeTZ:
		return clockZoneText(at[uint64](v, row))
	case bindings.TypeInterval:
		return intervalText(at[interval](v, row))
	case bindings.TypeUUID:
		return uuidText(at[hugeint](v, row))
	}
	return nil
}

// The engine keeps infinity as the largest value and its negative.
func infinite(n, limit int64) (string, bool) {
	switch n {
	case limit:
		return "infinity", true
	case -limit:
		return "-infinity", true
	}
	return "", false
}

func dateText(days int32) string {
	if text, ok := infinite(int64(days), math.MaxInt32); ok {
		return text
	}
	// The package writes this layout several times as fast as the one of a date.
	return strings.TrimSuffix(time.Unix(int64(days)*86_400, 0).UTC().Format(time.RFC3339), midnight)
}

func timestampText(n int64, from func(int64) time.Time) string {
	if text, ok := infinite(n, math.MaxInt64); ok {
		return text
	}
	return from(n).UTC().Format(time.RFC3339Nano)
}

func clockText(micros int64) string {
	if micros == microsPerDay {
		return "24:00:00"
	}
	return time.UnixMicro(micros).UTC().Format("15:04:05.999999")
}

// clockZoneText reads 40 bits of microseconds and 24 bits of offset, which is
// stored as its distance from the largest one.
func clockZoneText(bits uint64) string {
	const offsetBits, largest = 24, 16*60*60 - 1
	offset := largest - int64(bits&(1<<offsetBits-1))
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return fmt.Sprintf("%s%c%02d:%02d", clockText(int64(bits>>offsetBits)), sign, offset/3600, offset/60%60)
}

type interval struct {
	months, days int32
	micros       int64
}

func intervalText(i interval) string {
	var parts []string
	add := func(n int64, unit string) {
		if n == 1 || n == -1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit))
		} else if n != 0 {
			parts = append(parts, fmt.Sprintf("%d %ss", n, unit))
		}
	}
	add(int64(i.months/12), "year")
	add(int64(i.months%12), "month")
	add(int64(i.days), "day")
	if i.micros == 0 && len(parts) > 0 {
		return strings.Join(parts, " ")
	}
	sign, micros := "", uint64(i.micros)
	if i.micros < 0 {
		sign, micros = "-", -micros
	}
	clock := fmt.Sprintf("%s%02d:%02d:%02d", sign, micros/(3600*microsPerSecond), micros/(60*microsPerSecond)%60, micros/microsPerSecond%60)
	if rest := micros % microsPerSecond; rest != 0 {
		clock += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return strings.Join(append(parts, clock), " ")
}

// uuidText undoes the flipped top bit by which the engine makes UUIDs sort.
func uuidText(h hugeint) string {
	var id uuid.UUID
	upper := uint64(h.upper) ^ (1 << 63)
	for i := range 8 {
		id[i] = byte(upper >> (56 - 8*i))
		id[8+i] = byte(h.lower >> (56 - 8*i))
	}
	return id.String()
}
