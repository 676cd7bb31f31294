package quern_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"quern"
)

func sketchOf(from, to int) quern.Sketch {
	var r quern.Registers
	for i := from; i < to; i++ {
		sum := sha256.Sum256(fmt.Append(nil, i))
		h := binary.BigEndian.Uint64(sum[:])
		bucket, rest := h>>54, h&(1<<54-1)
		r[bucket] = max(r[bucket], uint8(bits.LeadingZeros64(rest)-10+1))
	}
	return r.Sketch()
}

func TestSketchEstimatesWithinTenPercent(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 10, 200, 1_000, 5_000, 100_000} {
		got := sketchOf(0, n).Estimate()
		if low, high := int64(n)*9/10, int64(n)*11/10+1; got < low || got > high {
			t.Errorf("Estimate() of %d values = %d, want between %d and %d", n, got, low, high)
		}
	}
}

func TestSketchesMergeToTheBitsOfAllTheirRegisters(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	hashes := func(n int) (all []uint64) {
		for range n {
			all = append(all, random.Uint64())
		}
		return all
	}
	var seen []uint64
	var merged quern.Sketch
	for turn := range 2000 {
		more := hashes(1 + random.IntN(3))
		if turn%100 == 99 {
			more = hashes(500)
		}
		before := slices.Clone(merged)
		next := merged.Merge(quern.SketchOf(more))
		seen = append(seen, more...)
		if !slices.Equal(merged, before) {
			t.Fatalf("Merge() changed what it was called of, at turn %d", turn)
		}
		if want := quern.SketchOf(seen); !slices.Equal(next, want) {
			t.Fatalf("Merge() at turn %d = %v, want %v", turn, next, want)
		}
		if turned := quern.SketchOf(more).Merge(merged); !slices.Equal(turned, next) {
			t.Fatalf("Merge() the other way round at turn %d = %v, want %v", turn, turned, next)
		}
		merged = next
	}
}

func TestSketchesMergeAsIfSeenTogether(t *testing.T) {
	t.Parallel()
	merged, whole := sketchOf(0, 600).Merge(sketchOf(400, 3_000)), sketchOf(0, 3_000)
	if string(merged) != string(whole) {
		t.Errorf("Merge() estimates %d, want the very sketch of all values, which estimates %d", merged.Estimate(), whole.Estimate())
	}
	if one := sketchOf(0, 1); string(one.Merge(nil)) != string(one) || string(quern.Sketch(nil).Merge(one)) != string(one) {
		t.Error("merging with an empty sketch changes it")
	}
}

func TestStatsMergeByTheTypesOrder(t *testing.T) {
	t.Parallel()
	cases := []struct {
		typ                    quern.Type
		aMin, aMax, bMin, bMax string
		wantMin, wantMax       string
	}{
		{quern.Integer, "9", "10", "-100", "9223372036854775807", "-100", "9223372036854775807"},
		{quern.Double, "1e-7", "2.5", "0.1", "1e+21", "1e-7", "1e+21"},
		{quern.Decimal(38, 2), "12345678901234567890.12", "12345678901234567890.13", "2", "3", "2", "12345678901234567890.13"},
		{quern.Text, "9", "10", "apple", "pear", "9", "pear"},
		{quern.Timestamp, "2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.5Z"},
		{quern.Date, "", "", "2024-01-01", "2024-01-02", "2024-01-01", "2024-01-02"},
	}
	for _, c := range cases {
		got := quern.ColumnStats{Nulls: 1, Min: c.aMin, Max: c.aMax}.Merge(quern.ColumnStats{Nulls: 2, Min: c.bMin, Max: c.bMax}, c.typ)
		if got.Min != c.wantMin || got.Max != c.wantMax || got.Nulls != 3 {
			t.Errorf("%s: Merge() = %s to %s with %d nulls, want %s to %s with 3", c.typ, got.Min, got.Max, got.Nulls, c.wantMin, c.wantMax)
		}
	}
}
