package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"quern/client"
)

// showProgress draws a bar until the function it returns is called.
func showProgress(w io.Writer, p *client.Progress) (stop func()) {
	quit := make(chan struct{})
	var drawing sync.WaitGroup
	drawing.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		started := time.Now()
		first, _ := p.Bytes()
		for {
			done, total := p.Bytes()
			fmt.Fprintf(w, "\r\x1b[Kuploading %s", progressLine(done, total, done-first, time.Since(started)))
			select {
			case <-quit:
				fmt.Fprint(w, "\r\x1b[K")
				return
			case <-tick.C:
			}
		}
	})
	return func() {
		close(quit)
		drawing.Wait()
	}
}

// progressLine is a bar with what people want to know beside it. The speed is
// that of the bytes sent in the time taken.
func progressLine(done, total, sent int64, took time.Duration) string {
	const width = 24
	share := 1.0
	if total > 0 {
		share = min(1, float64(done)/float64(total))
	}
	full := int(share * width)
	line := fmt.Sprintf("%3.0f %% %s%s %s of %s", 100*share, strings.Repeat("█", full), strings.Repeat("░", width-full), bytesText(done), bytesText(total))
	if seconds := took.Seconds(); seconds > 1 && sent > 0 {
		speed := float64(sent) / seconds
		left := time.Duration(float64(total-done) / speed * float64(time.Second)).Round(time.Second)
		line += fmt.Sprintf(", %s/s, %v left", bytesText(int64(speed)), left)
	}
	return line
}

// bytesText writes a number of bytes for people.
func bytesText(n int64) string {
	const unit = 1000
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, suffixes := float64(n)/unit, "kMGTPE"
	for value >= unit && len(suffixes) > 1 {
		value, suffixes = value/unit, suffixes[1:]
	}
	return fmt.Sprintf("%.1f %cB", value, suffixes[0])
}
