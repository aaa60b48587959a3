package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// flagsOf returns the names of a command's own flags that are options of the
// configuration.
func flagsOf(t *testing.T, name ...string) (flags []string) {
	t.Helper()
	cmd, _, err := newRootCommand().Find(name)
	check.OK(t, err)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.ContainsFunc(config.Options(), func(o config.Option) bool { return o.Name == f.Name }) {
			flags = append(flags, f.Name)
		}
	})
	return flags
}

func TestCommandsHaveOnlyTheOptionsTheyUse(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"key create", "key list", "user invite", "workspace list", "audit"} {
		check.Equal(t, name, strings.Join(flagsOf(t, strings.Fields(name)...), " "), "catalog data")
	}
	for _, name := range []string{"eval run", "openapi", "version"} {
		check.Equal(t, name, len(flagsOf(t, strings.Fields(name)...)), 0)
	}
	for _, name := range demoOptions {
		if !slices.Contains(flagsOf(t, "demo"), name) {
			t.Errorf("demo has no flag --%s", name)
		}
	}
	check.Equal(t, "flags of demo", len(flagsOf(t, "demo")), len(demoOptions))
	public := slices.DeleteFunc(config.Options(), func(o config.Option) bool { return o.Secret })
	check.Equal(t, "flags of serve", len(flagsOf(t, "serve")), len(public))
}

func TestHelpShowsTypesOfOptions(t *testing.T) {
	t.Parallel()
	cmd := &cobra.Command{Use: "x"}
	addOptions(cmd, "data", "max-body", "jobs", "drain-timeout")
	help := cmd.Flags().FlagUsages()
	for _, want := range []string{"--data string ", "--max-body size ", "--jobs int ", "--drain-timeout duration ", "(default 20MB)", "(default 2000)", "(default 30s)"} {
		if !strings.Contains(help, want) {
			t.Errorf("help lacks %q:\n%s", want, help)
		}
	}
}
