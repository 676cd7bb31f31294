// Package config holds the settings: each is defined once, with its name,
// type, default and help, and everything else (flag, variable, file key,
// documentation, masking) follows from that definition.
//
// It owns reading and checking them. It never acts on them and never looks at
// the process: flags and variables are handed in. The failure it is built
// around is the half-started server with a mistyped setting: unknown names and
// every invalid value are reported together, each with where it came from,
// before anything starts.
package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Inputs is where values come from, strongest first: flags, variables, file.
type Inputs struct {
	Flags   map[string]string // by setting name, only those given
	Environ []string          // as os.Environ returns them
}

// Load reads all settings. The error, if any, is a *Problems that lists
// everything wrong with them.
func Load(in Inputs) (*Config, error) {
	c := defaults()
	problems := &Problems{}
	variables := c.variables(in.Environ, problems)
	// These two say where the file is, so they are needed before it is read.
	for _, name := range []string{"config", "data"} {
		c.setting(name).take(variables, FromVariable, &Problems{})
		c.setting(name).take(in.Flags, FromFlag, &Problems{})
	}
	c.readFile(problems)
	for _, s := range c.settings {
		s.take(variables, FromVariable, problems)
		s.take(in.Flags, FromFlag, problems)
	}
	c.check(problems)
	if len(problems.List) > 0 {
		return nil, problems
	}
	return c, nil
}

// take sets s from values if they name it.
func (s *Setting) take(values map[string]string, kind SourceKind, problems *Problems) {
	text, given := values[s.Name]
	if !given {
		return
	}
	source := Source{Kind: kind, Where: s.Flag()}
	if kind == FromVariable {
		source.Where = s.Variable()
	}
	if err := s.set(text, source); err != nil {
		problems.add(source.Where, "%v", s.reason(text, err))
	}
}

// variables returns the QUERN_* variables by setting name and reports those that
// name no setting.
func (c *Config) variables(environ []string, problems *Problems) map[string]string {
	values := map[string]string{}
	for _, entry := range environ {
		variable, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(variable, variablePrefix) || setByKubernetes(variable, value) || slices.Contains(clientVariables, variable) {
			continue
		}
		name := strings.ToLower(strings.TrimPrefix(variable, variablePrefix))
		s := c.setting(name)
		if s == nil || s.Variable() != variable {
			problems.add(variable, "no setting has this variable%s", c.nearest(name, (*Setting).Variable))
			continue
		}
		// An empty variable is how compose files and unit files say "not set".
		if value != "" {
			values[name] = value
		}
	}
	return values
}

// clientVariables are read by the commands that call a server, which may share
// their environment with one.
var clientVariables = []string{"QUERN_SERVER", "QUERN_TOKEN"}

// setByKubernetes recognises what Kubernetes puts into every container beside a
// service that is named quern.
func setByKubernetes(variable, value string) bool {
	if strings.HasPrefix(variable, "QUERN_SERVICE_HOST") || strings.HasPrefix(variable, "QUERN_SERVICE_PORT") {
		return true
	}
	return strings.HasPrefix(variable, "QUERN_PORT_") || variable == "QUERN_PORT" && strings.HasPrefix(value, "tcp://")
}

// readFile sets what the file says. A file that was named must exist; the one
// in the data directory is optional.
func (c *Config) readFile(problems *Problems) {
	path, named := c.File, c.File != ""
	if !named {
		path = filepath.Join(c.Data, "quern.toml")
	}
	text, err := os.ReadFile(path)
	if !named && os.IsNotExist(err) {
		return
	}
	if err != nil {
		if pathError, ok := errors.AsType[*fs.PathError](err); ok {
			err = pathError.Err // the path stands in front already
		}
		problems.add(path, "the file cannot be read: %v", err)
		return
	}
	c.File = path
	values, err := parseFile(string(text))
	if err != nil {
		problems.add(path, "%v", err)
		return
	}
	for _, v := range values {
		c.takeFile(path, named, v, problems)
	}
}

func (c *Config) takeFile(path string, named bool, v fileValue, problems *Problems) {
	where := path + ": " + v.key
	s := c.setting(v.key)
	switch {
	case s == nil || s.Name == "config":
		problems.add(where, "no setting has this key%s", c.nearest(v.key, (*Setting).Key))
	case s.Name == "data" && !named:
		problems.add(where, "this file was found through the data directory, so it cannot move it; name the file with --config")
	case v.err != nil:
		problems.add(where, "%v", v.err)
	default:
		if err := s.set(v.text, Source{Kind: FromFile, Where: where}); err != nil {
			problems.add(where, "%v", s.reason(v.text, err))
		}
	}
}

// nearest suggests the setting that name was probably meant to be.
func (c *Config) nearest(name string, show func(*Setting) string) string {
	best, distance := "", 4
	for _, s := range c.settings {
		if d := edits(name, s.Name); d < distance {
			best, distance = show(s), d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// edits counts the single-character changes between two words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
