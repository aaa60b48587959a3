package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/app"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and its engines",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			catalog, logs, err := app.EmbeddedEngines(cmd.Context(), os.TempDir())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "promptuary %s\n%s\n%s\n%s %s/%s\n",
				programVersion(), catalog, logs, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
