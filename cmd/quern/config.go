package main

import (
	"github.com/spf13/cobra"

	"quern/config"
)

func newConfig(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the settings in effect and where each came from, secrets masked",
		Args:  noArgs,
	}
	addSettings(cmd)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := loadSettings(cmd, sh)
		if err != nil {
			return err
		}
		if *inJSON {
			return printJSON(sh.Out, settingsJSON(cfg))
		}
		rows := [][]string{{"SETTING", "VALUE", "FROM"}}
		for _, s := range cfg.Settings() {
			from := s.Source.Where
			if s.Source.Kind == config.FromDefault {
				from = "default"
			}
			rows = append(rows, []string{s.Name, s.Shown(), from})
		}
		return printTable(sh.Out, rows)
	}
	return cmd
}

type settingJSON struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"`
	Where  string `json:"where,omitempty"`
}

func settingsJSON(cfg *config.Config) []settingJSON {
	var all []settingJSON
	for _, s := range cfg.Settings() {
		all = append(all, settingJSON{Name: s.Name, Value: s.Shown(), Source: string(s.Source.Kind), Where: s.Source.Where})
	}
	return all
}
