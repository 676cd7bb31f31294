package main

import (
	"testing"
	"time"
)

func TestProgressLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		done, total, sent int64
		took              time.Duration
		want              string
	}{
		{0, 0, 0, 0, "100 % ████████████████████████ 0 B of 0 B"},
		{0, 1500, 0, time.Minute, "  0 % ░░░░░░░░░░░░░░░░░░░░░░░░ 0 B of 1.5 kB"},
		{250e6, 500e6, 50e6, 2 * time.Second, " 50 % ████████████░░░░░░░░░░░░ 250.0 MB of 500.0 MB, 25.0 MB/s, 10s left"},
		{5 << 40, 5 << 40, 1, time.Second, "100 % ████████████████████████ 5.5 TB of 5.5 TB"},
	} {
		if got := progressLine(tt.done, tt.total, tt.sent, tt.took); got != tt.want {
			t.Errorf("progressLine(%d, %d) = %q, want %q", tt.done, tt.total, got, tt.want)
		}
	}
}
