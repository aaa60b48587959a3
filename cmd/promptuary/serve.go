package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/app"
)

func newServeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API and the web app",
		Args:  cobra.NoArgs,
	}
	load := addOptions(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := load()
		if err != nil {
			return err
		}
		a, err := app.Open(cmd.Context(), cfg, newLogger(cfg), programVersion())
		if err != nil {
			return err
		}
		err = a.Serve(cmd.Context(), cmd.OutOrStdout())
		// The command's context has ended, but queued logs must still be written.
		closing, cancel := context.WithTimeout(context.WithoutCancel(cmd.Context()), cfg.DrainTimeout)
		defer cancel()
		return errors.Join(err, a.Close(closing))
	}
	return cmd
}
