package config

import (
	"fmt"
	"io"
	"strings"
)

//go:generate go run ./document ../docs/configuration.md

// Document writes the reference of all settings in Markdown.
func Document(w io.Writer) error {
	var b strings.Builder
	b.WriteString(preamble)
	group := ""
	for _, s := range Definitions() {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&b, "\n## %s\n\n| setting | type | default | meaning |\n|---|---|---|---|\n", group)
		}
		preset := "none"
		if s.Default != "" {
			preset = "`" + s.Default + "`"
		}
		help := s.Help
		if s.Secret {
			help += " *Secret.*"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, s.Type(), preset, help)
	}
	b.WriteString(epilogue)
	_, err := io.WriteString(w, b.String())
	return err
}

const preamble = `<!-- Generated from package config by "make generate". Do not edit. -->

# Settings

Each setting has one name and three ways to give it. For ` + "`query_time`" + ` they are

| | | |
|---|---|---|
| a flag | ` + "`--query-time 1m`" + ` | strongest |
| a variable | ` + "`QUERN_QUERY_TIME=1m`" + ` | |
| the file | ` + "`query_time = \"1m\"`" + ` | weakest |

The file is TOML: the one named by ` + "`--config`" + ` or ` + "`QUERN_CONFIG`" + `, else ` + "`quern.toml`" + ` in the
data directory if there is one. A variable that is empty counts as not set.

A duration is written ` + "`500ms`, `30s`, `5m` or `24h`" + `; a size in bytes, or as ` + "`512KiB`, `32MiB`, `4GiB`" + `.
A list is separated by commas, or a list of strings in the file.

Unknown ` + "`QUERN_*`" + ` variables, unknown keys of the file and every value that cannot be used are
reported together, and then nothing starts; an unknown flag is refused before that. ` + "`quern config`" + ` prints
what is in effect and where each value came from, with secrets masked. Prefer
variables or the file for secrets: flags can be seen in the list of processes.
`

const epilogue = `
## Variables of OpenTelemetry

Spans are also exported when the standard variable ` + "`OTEL_EXPORTER_OTLP_ENDPOINT`" + ` (or
` + "`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`" + `) is set and ` + "`otlp_endpoint`" + ` is not; the other standard ` + "`OTEL_*`" + ` variables
work too. A collector that does not answer costs spans, never requests.
`
