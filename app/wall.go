//go:build !clockfile

package app

import "time"

// wallClock is this machine's clock.
func wallClock() time.Time { return time.Now() }
