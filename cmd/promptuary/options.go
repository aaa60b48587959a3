package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/config"
)

// The options of commands that do not serve.
var (
	catalogOptions = []string{"data", "catalog"}
	demoOptions    = append([]string{
		"addr", "logs", "min-free-disk", "duckdb-memory", "duckdb-threads", "owner-email", "log-level", "log-format",
	}, catalogOptions...)
)

// addOptions gives a command flags for the named options, or for all options
// without names. It returns a function that merges the config file, the
// environment and the parsed flags.
func addOptions(cmd *cobra.Command, names ...string) func() (config.Config, error) {
	defaults := config.Default()
	for _, o := range config.Options() {
		if !o.Secret && (len(names) == 0 || slices.Contains(names, o.Name)) {
			cmd.Flags().Var(&optionFlag{o.Get(&defaults), o.Type}, o.Name, o.Usage+" ("+o.EnvName()+")")
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

// optionFlag is the flag of an option: the text of its value, which setFlags
// parses, and the type that the help shows.
type optionFlag struct{ text, typ string }

// String returns the text of the value.
func (f *optionFlag) String() string { return f.text }

// Set stores the text of a value.
func (f *optionFlag) Set(text string) error {
	f.text = text
	return nil
}

// Type returns the name of the type.
func (f *optionFlag) Type() string { return f.typ }
