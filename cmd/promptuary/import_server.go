package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// fromKeyEnv is the variable with the API key of the server to import from.
const fromKeyEnv = "PROMPTUARY_IMPORT_KEY"

// serverImport is an import from another server as the flags describe it.
type serverImport struct {
	logImport
	from, keyFile string
	parts         []string
	conflict      string
	since         string
}

func newImportServerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "server", Args: cobra.NoArgs, Short: "Import prompts, workflows, datasets and request logs from another server",
		Long: "Reads another server, PromptLayer or another installation of this program, into a running server: folders, prompts with all versions and release\n" +
			"labels, workflows, datasets and request logs. It shows first what would come and what exists already. Nothing is imported if an object is refused,\n" +
			"unless --skip-refused is set. The import goes on at the server if the command is interrupted.\n\n" +
			"  promptuary import server --from https://api.promptlayer.com --api-key-file ./promptlayer.key --dry-run",
	}
	run := serverImport{logImport: logImport{pollEvery: 500 * time.Millisecond}}
	flags := cmd.Flags()
	flags.StringVar(&run.from, "from", "", "address of the server to read, such as https://api.promptlayer.com")
	flags.StringVar(&run.keyFile, "api-key-file", "", "file with the API key of that server ("+fromKeyEnv+" has the key itself)")
	flags.StringSliceVar(&run.parts, "parts", []string{"prompts", "workflows", "datasets", "requests"}, "what to import, separated by commas")
	flags.StringVar(&run.conflict, "conflict", "skip", "how to handle names that already exist: skip, version (add the versions to it) or refuse")
	flags.StringVar(&run.since, "since", "", "only request logs that began after this time, such as 2026-01-31T12:00:00Z")
	flags.StringVar(&run.report, "report", "", "write everything that is not imported, with the reason, to this file: JSON lines, or CSV if it ends in .csv")
	flags.BoolVar(&run.dryRun, "dry-run", false, "show what would be imported, and import nothing")
	flags.BoolVar(&run.skipRefused, "skip-refused", false, "import the rest if something is refused")
	flags.StringVar(&run.server, "server", "", "address of the server to import into ("+serverEnv+", default "+defaultServer+")")
	flags.StringVar(&run.key, "key", "", "API key of the server to import into ("+keyEnv+")")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		run.out, run.shown = cmd.OutOrStdout(), newStages(cmd.ErrOrStderr())
		address, key := target(run.server, run.key, os.Getenv)
		if key == "" {
			return errNoKey
		}
		body, err := run.body()
		if err != nil {
			return err
		}
		return run.do(cmd.Context(), &importServer{&evalServer{address: address, key: key}}, body)
	}
	return cmd
}

// body returns the body of the call that creates the import.
func (s *serverImport) body() (map[string]any, error) {
	if s.from == "" {
		return nil, errors.New("set --from to the address of the server to read")
	}
	key := os.Getenv(fromKeyEnv)
	if s.keyFile != "" {
		text, err := os.ReadFile(s.keyFile)
		if err != nil {
			return nil, fmt.Errorf("read the API key: %w", err)
		}
		key = strings.TrimSpace(string(text))
	}
	if key == "" {
		return nil, errors.New("an API key of the server to read is required: use --api-key-file or set " + fromKeyEnv)
	}
	body := map[string]any{"address": s.from, "api_key": key, "parts": s.parts, "conflict": s.conflict}
	if s.since != "" {
		body["since"] = s.since
	}
	return body, nil
}

// do checks and imports.
func (s *serverImport) do(ctx context.Context, server *importServer, body map[string]any) error {
	made, err := server.post(ctx, "/from-server", body)
	if err != nil {
		return err
	}
	return s.ended(ctx, server, made.ID, s.checkAndStart(ctx, server, made.ID))
}
