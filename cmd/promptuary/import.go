package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func newImportCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "import", Short: "Import data into a running server"}
	cmd.AddCommand(newImportLogsCommand(), newImportServerCommand())
	return cmd
}

// logImport is an import of request logs as the flags describe it.
type logImport struct {
	server, key string
	file        string
	format      string
	columns     []string
	defaults    []string
	report      string
	dryRun      bool
	skipRefused bool
	again       bool
	// started says that the server writes request logs.
	started bool
	// pollEvery is the interval between status requests.
	pollEvery time.Duration
	out       io.Writer
	shown     *stages
}

func newImportLogsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "logs FILE",
		Short: "Import request logs from a file",
		Long: "Uploads a file of request logs to a running server, checks every row, and imports them. Nothing is written if a row is refused,\n" +
			"unless --skip-refused is set. Run it again if it is interrupted: the same file is not imported twice.\n" +
			"The file may be compressed with gzip or zstd. FILE - reads the standard input.\n\n" +
			"Formats: promptuary (exports of this program, and bodies of /log-request, one per line), promptlayer (CSV), langfuse (observations) and\n" +
			"openai (requests and responses), both as JSON lines or a JSON array, and csv. By default, the format is found out from the first row.",
		Args: cobra.ExactArgs(1),
	}
	run := logImport{pollEvery: 500 * time.Millisecond}
	flags := cmd.Flags()
	flags.StringVar(&run.format, "format", "", "format of the file")
	flags.StringArrayVar(&run.columns, "map", nil, "for tables: field=column, such as input=Question or metadata.customer=Customer; can be repeated")
	flags.StringArrayVar(&run.defaults, "set", nil, "field=value for rows that lack the field, such as provider=openai; can be repeated")
	flags.StringVar(&run.report, "report", "", "write every row that is not imported, with the reason, to this file: JSON lines, or CSV if it ends in .csv")
	flags.BoolVar(&run.dryRun, "dry-run", false, "check the file and write nothing")
	flags.BoolVar(&run.skipRefused, "skip-refused", false, "import the other rows if some are refused")
	flags.BoolVar(&run.again, "again", false, "import a file that was imported before, which doubles its request logs")
	flags.StringVar(&run.server, "server", "", "address of the server ("+serverEnv+", default "+defaultServer+")")
	flags.StringVar(&run.key, "key", "", "API key ("+keyEnv+")")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		run.file, run.out, run.shown = args[0], cmd.OutOrStdout(), newStages(cmd.ErrOrStderr())
		address, key := target(run.server, run.key, os.Getenv)
		if key == "" {
			return errNoKey
		}
		return run.do(cmd.Context(), &importServer{&evalServer{address: address, key: key}})
	}
	return cmd
}

// pairs reads flags of the form name=value.
func pairs(flag string, list []string) (map[string]string, error) {
	found := map[string]string{}
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" || value == "" {
			return nil, fmt.Errorf("--%s %s: write field=value", flag, text)
		}
		if _, twice := found[name]; twice {
			return nil, fmt.Errorf("--%s: %s is set twice", flag, name)
		}
		found[name] = value
	}
	return found, nil
}

// do uploads, checks and imports the file. An import that has begun continues at the
// server whatever happens to the command.
func (l *logImport) do(ctx context.Context, server *importServer) error {
	made, err := l.create(ctx, server)
	if err != nil {
		return err
	}
	return l.ended(ctx, server, made.ID, l.work(ctx, server, made.ID))
}

// ended returns the error of an import, and deletes one that was not started.
func (l *logImport) ended(ctx context.Context, server *importServer, id int64, err error) error {
	l.shown.end()
	switch {
	case l.started && ctx.Err() != nil:
		return fmt.Errorf("interrupted: import %d goes on at the server", id)
	case l.started:
		return err
	case ctx.Err() != nil:
		err = errors.New("interrupted: nothing was imported")
	}
	return errors.Join(err, server.abandon(id))
}

func (l *logImport) create(ctx context.Context, server *importServer) (*importedFile, error) {
	columns, err := pairs("map", l.columns)
	if err != nil {
		return nil, err
	}
	defaults, err := pairs("set", l.defaults)
	if err != nil {
		return nil, err
	}
	body := map[string]any{"file_name": filepath.Base(l.file), "columns": columns, "defaults": defaults}
	if l.format != "" {
		body["format"] = l.format
	}
	return server.post(ctx, "", body)
}

// work does everything after an import was created.
func (l *logImport) work(ctx context.Context, server *importServer, id int64) error {
	if err := l.upload(ctx, server, id); err != nil {
		return err
	}
	return l.checkAndStart(ctx, server, id)
}

// checkAndStart checks an import, and starts it unless it is a dry run.
func (l *logImport) checkAndStart(ctx context.Context, server *importServer, id int64) error {
	if _, err := server.post(ctx, fmt.Sprintf("/%d/check", id), nil); err != nil {
		return err
	}
	checked, err := l.wait(ctx, server, id, "checked")
	if err != nil {
		return err
	}
	if checked.State != "checked" {
		return fmt.Errorf("it cannot be imported: %s", *checked.Error)
	}
	l.print("Checked", &checked.Check)
	if l.dryRun {
		return l.saveReport(ctx, server, id)
	}
	start := map[string]bool{"skip_refused": l.skipRefused, "again": l.again}
	if _, err := server.post(ctx, fmt.Sprintf("/%d/start", id), start); err != nil {
		return errors.Join(err, l.saveReport(ctx, server, id))
	}
	l.started = true
	return l.finish(ctx, server, id)
}

// finish waits for the end of an import that was started.
func (l *logImport) finish(ctx context.Context, server *importServer, id int64) error {
	done, err := l.wait(ctx, server, id, "imported")
	if err != nil {
		return err
	}
	if err := l.saveReport(ctx, server, id); err != nil {
		return err
	}
	l.print("Imported", &done.Result)
	fmt.Fprintf(l.out, "The request logs have import.id %d in their metadata.\n", id)
	if done.State != "done" {
		return fmt.Errorf("the import is %s", done.State)
	}
	return nil
}

// partSize is the size of the parts that are uploaded.
const partSize = 4 << 20

// upload sends the file in parts.
func (l *logImport) upload(ctx context.Context, server *importServer, id int64) error {
	file, total := io.Reader(os.Stdin), int64(0)
	if l.file != "-" {
		opened, err := os.Open(l.file)
		if err != nil {
			return err
		}
		defer func() { _ = opened.Close() }() // it was only read
		info, err := opened.Stat()
		if err != nil {
			return err
		}
		file, total = opened, info.Size()
	}
	part, done := make([]byte, partSize), int64(0)
	for number := int64(1); ; number++ {
		n, err := io.ReadFull(file, part)
		if n > 0 {
			if err := server.put(ctx, id, number, part[:n]); err != nil {
				return err
			}
			done += int64(n)
			l.shown.show("bytes uploaded", done, total)
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// wait shows the progress of a job until it ends.
func (l *logImport) wait(ctx context.Context, server *importServer, id int64, stage string) (*importedFile, error) {
	ticker := time.NewTicker(l.pollEvery)
	defer ticker.Stop()
	for {
		now, err := server.get(ctx, id)
		if err != nil {
			return nil, err
		}
		if now.State != "checking" && now.State != "running" {
			return now, nil
		}
		l.shown.show("percent "+stage, int64(now.Progress*100), 100)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// print prints the outcome of a job.
func (l *logImport) print(what string, c *importedCounts) {
	l.shown.end()
	fmt.Fprintf(l.out, "%s %d rows: %d accepted, %d refused, %d ignored, %d already there, %d without their prompt\n",
		what, c.Rows, c.Accepted, c.Refused, c.Ignored, c.Existing, c.Unlinked)
	if l.report == "" && what == "Checked" {
		for _, e := range c.First {
			where := fmt.Sprintf("line %d", e.Line)
			if e.Line == 0 { // an object of a server
				where = e.ID
			}
			fmt.Fprintf(l.out, "%s: %s: %s\n", where, e.Status, e.Reason)
		}
	}
}

// saveReport writes the report to the file that was asked for.
func (l *logImport) saveReport(ctx context.Context, server *importServer, id int64) (err error) {
	if l.report == "" {
		return nil
	}
	format := "ndjson"
	if strings.HasSuffix(strings.ToLower(l.report), ".csv") {
		format = "csv"
	}
	file, err := os.Create(l.report)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return server.report(ctx, id, format, file)
}

// importedFile is an import in an answer of the server.
type importedFile struct {
	ID       int64          `json:"id"`
	State    string         `json:"state"`
	Error    *string        `json:"error"`
	Progress float64        `json:"progress"`
	Check    importedCounts `json:"check"`
	Result   importedCounts `json:"result"`
}

type importedCounts struct {
	Rows, Accepted, Refused, Ignored, Existing, Unlinked int64
	First                                                []struct {
		Line               int64
		ID, Status, Reason string
	}
}

// importServer is a client of the imports of a running server.
type importServer struct{ *evalServer }

const importsPath = "/api/public/v2/imports"

type importAnswer struct {
	Import importedFile `json:"import"`
}

// post sends a request that changes imports.
func (s *importServer) post(ctx context.Context, path string, body any) (*importedFile, error) {
	var answer importAnswer
	err := s.call(ctx, http.MethodPost, importsPath+path, body, &answer)
	return &answer.Import, err
}

func (s *importServer) get(ctx context.Context, id int64) (*importedFile, error) {
	var answer importAnswer
	err := s.read(ctx, fmt.Sprintf("%s/%d", importsPath, id), &answer)
	return &answer.Import, err
}

// partTime limits the duration of the upload of a part.
const partTime = 5 * time.Minute

// put uploads a part, and tries again while the server is unavailable: it takes a
// part that it has already.
func (s *importServer) put(ctx context.Context, id, number int64, part []byte) error {
	path := fmt.Sprintf("%s/%d/parts/%d", importsPath, id, number)
	return s.retry(ctx, func() error {
		return s.send(ctx, partTime, http.MethodPut, path, "application/octet-stream", bytes.NewReader(part), func(answer *http.Response) error {
			content, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
			if err != nil {
				return err
			}
			var done struct{}
			return readAnswer(answer.StatusCode, content, &done)
		})
	})
}

// reportTime limits the duration of the download of a report.
const reportTime = time.Hour

// report writes the report of an import.
func (s *importServer) report(ctx context.Context, id int64, format string, to io.Writer) error {
	path := fmt.Sprintf("%s/%d/report?format=%s", importsPath, id, format)
	return s.send(ctx, reportTime, http.MethodGet, path, "application/json", http.NoBody, func(answer *http.Response) error {
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("server returned %d for the report", answer.StatusCode)
		}
		_, err := io.Copy(to, answer.Body)
		return err
	})
}

// abandon cancels the check of an import and deletes its file.
func (s *importServer) abandon(id int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	if _, err := s.post(ctx, fmt.Sprintf("/%d/cancel", id), nil); err != nil {
		return err
	}
	for {
		now, err := s.get(ctx, id)
		if err != nil {
			return err
		}
		if now.State != "checking" {
			var done struct{}
			return s.call(ctx, http.MethodDelete, fmt.Sprintf("%s/%d", importsPath, id), nil, &done)
		}
		select {
		case <-time.After(100 * time.Millisecond): // it ends with its batch
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
