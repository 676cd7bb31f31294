package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quern/config"
)

// storeSettings are the settings of commands that only need the metadata.
var storeSettings = []string{"config", "data", "database_url"}

// addSettings adds to cmd a flag for each named setting, for all when none is named.
func addSettings(cmd *cobra.Command, names ...string) {
	for _, s := range config.Definitions() {
		if len(names) > 0 && !slices.Contains(names, s.Name) {
			continue
		}
		help, _, _ := strings.Cut(s.Help, ". ")
		value := &settingFlag{text: s.Default, kind: s.Type()}
		cmd.Flags().Var(value, strings.TrimPrefix(s.Flag(), "--"), strings.TrimSuffix(help, ".")+" ("+s.Variable()+")")
	}
}

// loadSettings reads the settings with the flags that were given to cmd.
func loadSettings(cmd *cobra.Command, sh shell) (*config.Config, error) {
	flags := map[string]string{}
	for _, s := range config.Definitions() {
		flag := cmd.Flags().Lookup(strings.TrimPrefix(s.Flag(), "--"))
		if flag != nil && flag.Changed {
			flags[s.Name] = flag.Value.String()
		}
	}
	return config.Load(config.Inputs{Flags: flags, Environ: sh.Environ})
}

// settingFlag keeps a flag's text; config checks it together with the others.
type settingFlag struct{ text, kind string }

func (f *settingFlag) String() string { return f.text }

func (f *settingFlag) Set(text string) error {
	f.text = text
	return nil
}

// Type is what the help shows for the value.
func (f *settingFlag) Type() string {
	if strings.Contains(f.kind, ", ") {
		return strings.ReplaceAll(f.kind, ", ", "|")
	}
	return f.kind
}
