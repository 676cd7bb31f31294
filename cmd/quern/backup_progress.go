package main

import (
	"fmt"
	"sync"
	"time"

	"quern/app"
	"quern/backup"
)

// showStages tells how far a backup is until the function it returns is called: a bar on
// a terminal, a line now and then in a log.
func showStages(sh shell, p *backup.Progress) (stop func()) {
	terminal := app.IsTerminal(sh.Err)
	pause := 30 * time.Second
	if terminal {
		pause = 200 * time.Millisecond
	}
	quit := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		tick := time.NewTicker(pause)
		defer tick.Stop()
		last, begun := "", time.Now()
		for {
			select {
			case <-quit:
				if terminal {
					fmt.Fprint(sh.Err, "\r\x1b[K")
				}
				return
			case <-tick.C:
			}
			stage, done, total := p.Stage()
			if stage != last {
				last, begun = stage, time.Now()
			}
			line := stage + ": " + bytesText(done)
			if total > 0 {
				line = stage + " " + progressLine(done, total, done, time.Since(begun))
			}
			if terminal {
				fmt.Fprintf(sh.Err, "\r\x1b[K%s", line)
			} else if stage != "" {
				fmt.Fprintln(sh.Err, line)
			}
		}
	})
	return func() {
		close(quit)
		telling.Wait()
	}
}
