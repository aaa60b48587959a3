package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

const (
	savedExportsPath = "/api/public/v2/exports"
	// exportLook is the time between two looks at a run.
	exportLook = 500 * time.Millisecond
)

// savedExport is a saved export in an answer of the server.
type savedExport struct {
	ID       int64
	Name     string
	Enabled  bool
	Source   string
	Target   struct{ Address string }
	Schedule struct{ Every string }
	NextAt   *time.Time `json:"next_run_at"`
	LastRun  *exportRun `json:"last_run"`
}

// exportRun is a run of a saved export.
type exportRun struct {
	ID        int64
	State     string
	Error     *string
	Progress  float64
	Rows      int64
	Damaged   int64 `json:"damaged_rows"`
	Bytes     int64
	Files     int64
	CreatedAt time.Time  `json:"created_at"`
	EndedAt   *time.Time `json:"ended_at"`
}

func newExportListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Args: cobra.NoArgs, Short: "List the saved exports of a workspace",
		Long: "Lists the saved exports of the workspace of the key, with their targets, their schedules and their last runs.",
	}
	connect := serverFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		server, err := connect()
		if err != nil {
			return err
		}
		found, err := server.savedExports(cmd.Context())
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "NAME", "SOURCE", "TARGET", "EVERY", "NEXT", "LAST RUN", "STATE", "ROWS"}}
		for i := range found {
			rows = append(rows, found[i].row())
		}
		return writeTable(cmd.OutOrStdout(), rows)
	}
	return cmd
}

func (s *evalServer) savedExports(ctx context.Context) ([]savedExport, error) {
	var answer struct{ Exports []savedExport }
	err := s.read(ctx, savedExportsPath, &answer)
	return answer.Exports, err
}

func (e *savedExport) row() []string {
	row := []string{strconv.FormatInt(e.ID, 10), e.Name, e.Source, e.Target.Address, e.Schedule.Every, "-", "-", "-", "-"}
	if e.NextAt != nil {
		row[5] = e.NextAt.Format(time.RFC3339)
	}
	if r := e.LastRun; r != nil {
		row[6], row[7], row[8] = r.CreatedAt.Format(time.RFC3339), r.State, strconv.FormatInt(r.Rows, 10)
	}
	return row
}

func writeTable(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return w.Flush()
}

func newExportRunCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "run NAME|ID", Args: cobra.ExactArgs(1), Short: "Run a saved export and wait for its end",
		Long: "Starts a saved export, or follows its run if it is active, and waits for the end. It returns 1 if the run fails. If the command is interrupted,\n" +
			"the run goes on at the server.",
	}
	connect := serverFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		server, err := connect()
		if err != nil {
			return err
		}
		found, err := server.findExport(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		done, err := server.runExport(cmd.Context(), found, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "Exported %d rows, %d bytes, %d files to %s.\n", done.Rows, done.Bytes, done.Files, found.Target.Address); err != nil {
			return err
		}
		if done.Damaged > 0 {
			return fmt.Errorf("%d rows can no longer be read and were not exported: see promptuary verify", done.Damaged)
		}
		return nil
	}
	return cmd
}

// findExport finds a saved export by its name, or by its id.
func (s *evalServer) findExport(ctx context.Context, name string) (*savedExport, error) {
	all, err := s.savedExports(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
	}
	for i := range all {
		if strconv.FormatInt(all[i].ID, 10) == name {
			return &all[i], nil
		}
	}
	return nil, fmt.Errorf("there is no saved export %q: promptuary export list lists them", name)
}

// runExport starts a run, unless one is active, and waits for its end.
func (s *evalServer) runExport(ctx context.Context, e *savedExport, messages io.Writer) (*exportRun, error) {
	var run exportRun
	if e.LastRun != nil && e.LastRun.EndedAt == nil {
		run = *e.LastRun
	} else {
		var answer struct{ Run exportRun }
		if err := s.call(ctx, http.MethodPost, fmt.Sprintf("%s/%d/run", savedExportsPath, e.ID), nil, &answer); err != nil {
			return nil, err
		}
		run = answer.Run
	}
	shown := newStages(messages)
	defer shown.end()
	for id := run.ID; run.EndedAt == nil; {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("run %d continues without this command: %w", id, ctx.Err())
		case <-time.After(exportLook):
		}
		var answer struct{ Runs []exportRun }
		if err := s.read(ctx, fmt.Sprintf("%s/%d/runs?per_page=100", savedExportsPath, e.ID), &answer); err != nil {
			return nil, err
		}
		found := false
		for _, one := range answer.Runs {
			if one.ID == id {
				run, found = one, true
			}
		}
		if !found {
			return nil, fmt.Errorf("the server no longer knows run %d", id)
		}
		shown.show("percent", int64(100*run.Progress), 100)
	}
	if run.State == "done" {
		return &run, nil
	}
	if run.Error != nil {
		return nil, fmt.Errorf("the run has %s: %s", run.State, *run.Error)
	}
	return nil, fmt.Errorf("the run was %s", run.State)
}
