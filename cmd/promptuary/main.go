// Command promptuary records requests to language models and serves a
// versioned registry of prompts, workflows, datasets, evaluations, tools and
// skills.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/script"
)

func main() {
	if script.IsWorker() {
		script.WorkerMain()
	}
	// The engines create files that only their owner may read.
	syscall.Umask(0o077)
	// At a limit of file sizes a write must fail, not end the process: by default
	// the signal does if it reaches a thread of an engine.
	signal.Ignore(syscall.SIGXFSZ)
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "promptuary:", err)
		var status exitError
		if errors.As(err, &status) {
			os.Exit(status.code)
		}
		os.Exit(1)
	}
}

func run() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// Buffer two signals, so that a second one is not lost.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	guard.Go("signals", func() {
		<-signals
		cancel()
		<-signals
		fmt.Fprintln(os.Stderr, "promptuary: received a second signal, exiting immediately")
		os.Exit(1)
	})
	return newRootCommand().ExecuteContext(ctx)
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "promptuary",
		Short: "Log requests to language models and manage the prompts behind them",
		Long: "Promptuary records requests to language models, makes them searchable, and is a versioned registry of\n" +
			"prompts, workflows, datasets, evaluations, tools and skills.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(newServeCommand(), newWorkspaceCommand(), newUserCommand(), newKeyCommand(), newAuditCommand(), newWebhookCommand(), newAlertCommand(), newEvalCommand(), newDemoCommand(), newCatalogCommand(), newLogsCommand(), newRetentionCommand(), newRedactionCommand(), newExportCommand(), newOpenAPICommand(), newBackupCommand(), newRestoreCommand(), newVerifyCommand(), newRepairCommand(), newImportCommand(), newVersionCommand())
	return root
}

func newLogger(cfg config.Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(cfg.LogLevel)) // checked by Validate
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewTextHandler(os.Stderr, options)
	if cfg.LogFormat == "json" {
		handler = slog.NewJSONHandler(os.Stderr, options)
	}
	slog.SetDefault(slog.New(handler)) // for panics that are caught
	return slog.Default()
}
