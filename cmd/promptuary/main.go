// Command promptuary records requests made to language models and serves the
// registry of prompts, all from one program.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/script"
)

func main() {
	if script.IsWorker() {
		script.WorkerMain()
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "promptuary:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// Room for two: neither signal is lost, however soon the second follows.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals
		fmt.Fprintln(os.Stderr, "promptuary: stopped at once by a second signal")
		os.Exit(1)
	}()
	return newRootCommand().ExecuteContext(ctx)
}

// version is set when the program is built for a release.
var version = ""

func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "promptuary",
		Short:         "A storehouse for prompts and everything said with them",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(newServeCommand(), newWorkspaceCommand(), newUserCommand(), newKeyCommand(), newAuditCommand(), newEvalCommand(), newDemoCommand(), newOpenAPICommand(), newVersionCommand())
	return root
}

// addOptions gives a command the flags of the configuration and returns a
// function that merges file, environment and flags once they are parsed.
func addOptions(cmd *cobra.Command) func() (config.Config, error) {
	defaults := config.Default()
	for _, o := range config.Options() {
		if !o.Secret {
			cmd.Flags().String(o.Name, o.Get(&defaults), o.Usage+" ("+o.EnvName()+")")
		}
	}
	cmd.Flags().String("config", os.Getenv(config.ConfigEnv), "config file in YAML ("+config.ConfigEnv+")")
	return func() (config.Config, error) {
		path, err := cmd.Flags().GetString("config")
		if err != nil {
			return config.Config{}, err
		}
		cfg, err := config.Load(path, os.Environ())
		if err != nil {
			return cfg, err
		}
		if err := setFlags(cmd, &cfg); err != nil {
			return cfg, err
		}
		return cfg, cfg.Validate()
	}
}

func setFlags(cmd *cobra.Command, cfg *config.Config) error {
	for _, o := range config.Options() {
		flag := cmd.Flags().Lookup(o.Name)
		if flag == nil || !flag.Changed {
			continue
		}
		if err := o.Set(cfg, flag.Value.String()); err != nil {
			return fmt.Errorf("option --%s: %w", o.Name, err)
		}
	}
	return nil
}

func newLogger(cfg config.Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(cfg.LogLevel)) // checked by Validate
	options := &slog.HandlerOptions{Level: level}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}
