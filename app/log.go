package app

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"quern"
	"quern/config"
)

// newLog makes the logger that the settings ask for.
func newLog(w io.Writer, cfg *config.Config) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.LogLevel)); err != nil {
		level = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: readable(cfg.Data)}
	forPeople := cfg.LogFormat == "auto" && IsTerminal(w)
	if cfg.LogFormat == "text" || forPeople {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

// readable writes lengths of time as people do, in JSON too, and errors without what
// the log should not hold; the data directory, which the log names once, is "data"
// in them.
func readable(data string) func([]string, slog.Attr) slog.Attr {
	return func(_ []string, attr slog.Attr) slog.Attr {
		switch value := attr.Value.Any().(type) {
		case time.Duration:
			attr.Value = slog.StringValue(value.String())
		case error:
			text := quern.LogText(value)
			if len(data) > 1 && filepath.IsAbs(data) {
				text = strings.ReplaceAll(text, data, "data")
			}
			attr.Value = slog.StringValue(text)
		}
		return attr
	}
}

// IsTerminal reports whether a person is reading what is written to w.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
