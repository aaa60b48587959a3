package main

import (
	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/app"
)

func newOpenAPICommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the OpenAPI document that the server returns at /openapi.json",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			document, err := app.OpenAPI(programVersion())
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(append(document, '\n'))
			return err
		},
	}
}
