package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/app/storage"
)

// version is the output of git describe. The linker sets it; see the Makefile.
var version = ""

// programVersion returns the version that the program was built from: that of
// the linker, or else that of the module, or else the commit.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return versionOf(info)
	}
	return "(devel)"
}

func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return "(devel)"
	}
	commit = commit[:min(12, len(commit))]
	if settings["vcs.modified"] == "true" {
		return commit + "-dirty"
	}
	return commit
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and its engines",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			catalog, logs, err := storage.EmbeddedEngines(cmd.Context(), os.TempDir())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "promptuary %s\n%s\n%s\n%s %s/%s\n",
				programVersion(), catalog, logs, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
