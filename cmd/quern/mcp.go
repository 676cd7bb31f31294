package main

import (
	"github.com/spf13/cobra"

	"quern/client/relay"
)

func newMCP(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let an assistant on this machine use a server, over the Model Context Protocol",
		Long: `Speak the Model Context Protocol over standard input and output, for assistants
that start a program, and pass everything on to a server. The assistant may do what
the token may do.`,
		Example: `  {"mcpServers": {"quern": {"command": "quern", "args": ["mcp"],
    "env": {"QUERN_SERVER": "https://quern.example", "QUERN_TOKEN": "…"}}}}`,
		Args: noArgs,
	}
	server := addServer(cmd, sh)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		tokens, err := server.tokens()
		if err != nil {
			return err
		}
		return relay.Run(cmd.Context(), relay.Options{Server: server.address(), Tokens: tokens, In: cmd.InOrStdin(), Out: sh.Out})
	}
	return cmd
}
