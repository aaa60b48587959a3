package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func newExportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "export", Short: "Export data of a running server to a file",
		Long: "Writes what a query finds to the standard output, as JSON lines, CSV or Parquet, and the progress to the standard error:\n\n" +
			"  promptuary export logs --query '{\"q\": \"refund\"}' --format parquet > refunds.parquet\n\n" +
			"The commands list and run are about saved exports, which the server writes to a folder or a bucket.",
	}
	cmd.AddCommand(newExportLogsCommand(), newExportTracesCommand(), newExportDatasetCommand(), newExportEvaluationCommand(), newExportAuditCommand(),
		newExportListCommand(), newExportRunCommand())
	return cmd
}

// exportCall is an export as the flags describe it.
type exportCall struct {
	server, key string
	path        string
	query       url.Values
	progress    func(stage string, done, total int64)
}

// exportFlags adds the flags of all exports to a command. The returned function runs
// the export at a path, with more parameters.
func exportFlags(cmd *cobra.Command) func(path string, more url.Values) error {
	run := targetFlags(cmd)
	return func(path string, query url.Values) error { return run(path, query, "") }
}

// targetFlags is exportFlags for exports that can have a folder or a bucket as target,
// "" for the standard output.
func targetFlags(cmd *cobra.Command) func(path string, more url.Values, to string) error {
	server := cmd.Flags().String("server", "", "address of the server ("+serverEnv+", default "+defaultServer+")")
	key := cmd.Flags().String("key", "", "API key ("+keyEnv+")")
	workspace := cmd.Flags().Int64("workspace-id", 0, "id of the workspace (default: that of the key)")
	format := cmd.Flags().String("format", "jsonl", "format: jsonl, csv or parquet")
	compression := cmd.Flags().String("compression", "", "compression: none, gzip or zstd (default: zstd inside of Parquet, none otherwise)")
	columns := cmd.Flags().String("columns", "", "names of the columns, separated by commas (default: all)")
	formulas := cmd.Flags().Bool("keep-formulas", false, "leave texts in CSV as they are, although a spreadsheet would evaluate them")
	return func(path string, query url.Values, to string) error {
		if *key == "" {
			*key = os.Getenv(keyEnv)
		}
		if *key == "" {
			return errors.New("an API key is required: use --key or set " + keyEnv)
		}
		if to == "" && cmd.OutOrStdout() == os.Stdout && term.IsTerminal(int(os.Stdout.Fd())) && (*format == "parquet" || *compression == "gzip" || *compression == "zstd") {
			return errors.New("the file is not text: write the standard output to a file, with > file")
		}
		query.Set("format", *format)
		for name, value := range map[string]string{"compression": *compression, "columns": *columns} {
			if value != "" {
				query.Set(name, value)
			}
		}
		if *formulas {
			query.Set("formulas", "keep")
		}
		if *workspace != 0 {
			query.Set("workspace_id", strconv.FormatInt(*workspace, 10))
		}
		shown := newStages(cmd.ErrOrStderr())
		defer shown.end()
		call := exportCall{server: serverAddress(*server, os.Getenv), key: *key, path: path, query: query, progress: shown.show}
		done, err := call.run(cmd.Context(), to, cmd.OutOrStdout())
		shown.end()
		if err != nil {
			return err
		}
		return done.print(cmd.ErrOrStderr())
	}
}

func newExportLogsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "logs", Args: cobra.NoArgs,
		Short: "Export request logs",
		Long: "Writes the request logs that match a query to the standard output, with their bodies. JSON lines have everything that is needed to\n" +
			"import them again.\n\n" +
			"With --to, it adds a file with the request logs that are new since the last time to a folder or an S3-compatible bucket: each is there once,\n" +
			"also after an interruption. Run it regularly, with cron for example, and not twice at the same time. The credentials of a bucket are in\n" +
			"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, its region in AWS_REGION, and the address of the service in AWS_ENDPOINT_URL.",
	}
	query := cmd.Flags().String("query", "", "the body of a search as JSON: filter_group, filters and q (default: all request logs)")
	to := cmd.Flags().String("to", "", "a folder, or s3://bucket/prefix, that gets a file with what is new, instead of the standard output")
	run := targetFlags(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		return run("/api/public/v2/requests/export", queryParameter(*query), *to)
	}
	return cmd
}

func newExportTracesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "traces", Args: cobra.NoArgs,
		Short: "Export the spans of traces",
		Long:  "Writes the spans of the traces that match a query to the standard output, each as a row.",
	}
	query := cmd.Flags().String("query", "", "the body of a search for traces as JSON: filter_group, filters and q (default: all traces)")
	run := exportFlags(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		return run("/api/public/v2/traces/export", queryParameter(*query))
	}
	return cmd
}

// newExportByID returns a command that exports something with an id.
func newExportByID(cmd *cobra.Command, path string) *cobra.Command {
	cmd.Args = cobra.ExactArgs(1)
	run := exportFlags(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil || id < 1 {
			return fmt.Errorf("%q is not an id", args[0])
		}
		return run(fmt.Sprintf(path, id), url.Values{})
	}
	return cmd
}

func newExportDatasetCommand() *cobra.Command {
	return newExportByID(&cobra.Command{
		Use: "dataset ID", Short: "Export the rows of a dataset",
		Long: "Writes the rows of the dataset with this id, a version of its group, to the standard output.",
	}, "/api/public/v2/datasets/%d/export")
}

func newExportEvaluationCommand() *cobra.Command {
	return newExportByID(&cobra.Command{
		Use: "evaluation ID", Short: "Export the results of a run of an evaluation",
		Long: "Writes the rows of the run with this id to the standard output: the values of the dataset, those of the computed columns, and the errors.",
	}, "/api/public/v2/evaluations/%d/export")
}

func newExportAuditCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "audit", Args: cobra.NoArgs, Short: "Export the audit log",
		Long: "Writes the audit log of a workspace or, with --installation, of the whole installation to the standard output, newest first.",
	}
	installation := cmd.Flags().Bool("installation", false, "export the entries about the whole installation; owners only")
	action := cmd.Flags().String("action", "", "only this action, such as publish")
	actor := cmd.Flags().String("actor", "", "only changes by this key name or email address")
	from := cmd.Flags().String("from", "", "earliest time, such as 2026-03-01T00:00:00Z")
	until := cmd.Flags().String("until", "", "latest time")
	run := exportFlags(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		query := url.Values{}
		for name, value := range map[string]string{"action": *action, "actor": *actor, "from": *from, "until": *until} {
			if value != "" {
				query.Set(name, value)
			}
		}
		if *installation {
			query.Set("installation", "true")
		}
		return run("/api/admin/audit/export", query)
	}
	return cmd
}

// queryParameter returns the parameter of a query, if there is one.
func queryParameter(query string) url.Values {
	if query == "" {
		return url.Values{}
	}
	return url.Values{"query": {query}}
}

// exported is what an export wrote.
type exported struct{ rows, damaged, bytes int64 }

// print tells what was written. It fails if something could not be read.
func (e exported) print(out io.Writer) error {
	if _, err := fmt.Fprintf(out, "Exported %d rows, %d bytes.\n", e.rows, e.bytes); err != nil {
		return err
	}
	if e.damaged > 0 {
		return fmt.Errorf("%d rows can no longer be read and are not in the file: see promptuary verify", e.damaged)
	}
	return nil
}

// run writes the export to a target, or to out without one.
func (c *exportCall) run(ctx context.Context, to string, out io.Writer) (e exported, err error) {
	if to != "" {
		target, err := openTarget(to)
		if err != nil {
			return e, err
		}
		return c.addTo(ctx, target)
	}
	answer, err := c.open(ctx)
	if err != nil {
		return e, err
	}
	defer func() { _ = answer.Body.Close() }()
	return c.receive(answer, out)
}

// open asks the server for the export.
func (c *exportCall) open(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.server+c.path+"?"+c.query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-KEY", c.key)
	request.Header.Set("Accept-Encoding", "identity") // the file is compressed already if it should be
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusOK {
		return answer, nil
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	return nil, readAnswer(answer.StatusCode, content, &struct{}{})
}

// receive writes the response of the server. It fails unless the server confirms the
// end.
func (c *exportCall) receive(answer *http.Response, out io.Writer) (e exported, err error) {
	e.bytes, err = io.Copy(&progressWriter{to: out, progress: c.progress}, answer.Body)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return e, fmt.Errorf("the server broke off after %d bytes: the file is not complete", e.bytes)
	}
	if err != nil {
		return e, fmt.Errorf("after %d bytes: %w", e.bytes, err)
	}
	if e.rows, err = strconv.ParseInt(answer.Trailer.Get("X-Export-Rows"), 10, 64); err != nil {
		return e, errors.New("the server did not confirm the end of the export: the file may not be complete")
	}
	e.damaged, _ = strconv.ParseInt(answer.Trailer.Get("X-Export-Damaged"), 10, 64)
	return e, nil
}

// progressWriter tells how many bytes were written.
type progressWriter struct {
	to       io.Writer
	progress func(stage string, done, total int64)
	done     int64
}

// Write implements io.Writer.
func (w *progressWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.done += int64(n)
	w.progress("bytes", w.done, 0)
	return n, err
}
