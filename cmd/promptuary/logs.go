package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/promptuary/promptuary/internal/app/storage"
)

func newLogsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "logs", Short: "Copy or delete request logs"}
	cmd.AddCommand(newLogsCopyCommand(), newLogsDeleteCommand())
	return cmd
}

// logsEnv is the address of the database if there is no flag, because other users
// of the machine can see flags.
const logsEnv = "PROMPTUARY_LOGS"

func newLogsCopyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "copy", Args: cobra.NoArgs,
		Short: "Copy the request logs of a data folder to ClickHouse, or back",
		Long: "Copies request logs, spans, annotations and prices from a data folder to an empty ClickHouse database, or from such a database to\n" +
			"an empty data folder, with the same ids. Servers may go on using the source. If the command is interrupted, run it again: it goes on\n" +
			"where it was. Run it again to also copy what was written since.\n" +
			"With --verify, it also compares what has been copied.\n\n" +
			"For the last step, stop the servers, and run it with --finish: it copies the rest, reads both sides, and compares the numbers and\n" +
			"checksums of each day; days that --verify has compared, and that have not changed since, are not read again. No server uses the target before this has succeeded. The source is not changed.",
	}
	from := cmd.Flags().String("from", "", "the data folder, or the clickhouse:// address, of the source (default: "+logsEnv+")")
	to := cmd.Flags().String("to", "", "the clickhouse:// address, or the data folder, of the target (default: "+logsEnv+")")
	finish := cmd.Flags().Bool("finish", false, "the last step, for which no server may be running: copy the rest, and compare everything")
	verify := cmd.Flags().Bool("verify", false, "compare the copy of a data folder while the server is running, so that --finish takes less time")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		source, target := *from, *to
		switch address := os.Getenv(logsEnv); {
		case source == "":
			source = address
		case target == "":
			target = address
		}
		if source == "" || target == "" {
			return errors.New("set --from and --to to the data folder and the address of the database; the address may be in " + logsEnv)
		}
		return copyLogs(cmd, storage.LogCopy{From: source, To: target, Finish: *finish, Verify: *verify})
	}
	return cmd
}

// errUnequal is returned when both sides of a copy differ.
var errUnequal = errors.New("the copy differs from the source on the days above: nothing was deleted; do not use the copy")

func copyLogs(cmd *cobra.Command, c storage.LogCopy) error {
	shown := newStages(cmd.ErrOrStderr())
	c.Progress, c.Log = shown.show, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	report, err := storage.CopyLogs(cmd.Context(), c)
	shown.end()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: run the command again to go on")
	}
	if err != nil {
		return err
	}
	return printCopy(cmd.OutOrStdout(), report, c)
}

func printCopy(out io.Writer, report *storage.LogCopyReport, c storage.LogCopy) error {
	for _, d := range report.Damage {
		fmt.Fprintf(out, "DAMAGED journal: %s at byte %d, %d bytes: what it held is not copied\n", d.Path, d.Offset, d.Bytes)
	}
	for _, id := range report.LostLogs {
		fmt.Fprintf(out, "LOST request log %d: it can no longer be read, and is not in the copy\n", id)
	}
	for _, s := range report.LostSpans {
		fmt.Fprintf(out, "LOST span %q of trace %q of workspace %d: it can no longer be read, and is not in the copy\n", s.SpanID, s.TraceID, s.Workspace)
	}
	if c.Finish || c.Verify {
		if err := printDays(out, report); err != nil {
			return err
		}
	}
	if len(report.Unequal()) > 0 {
		return errUnequal
	}
	if !c.Finish {
		fmt.Fprintf(out, "Copied request logs up to id %d. Run the command again for what is written in the meantime. For the last step, stop the servers, and run\n"+
			"it with --finish.\n", report.Copied)
		return nil
	}
	fmt.Fprintln(out, "The copy is complete and verified. Start the servers with the option logs, or the data folder, set to it.")
	return nil
}

func printDays(out io.Writer, report *storage.LogCopyReport) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DAY\tWORKSPACE\tWHAT\tNUMBER\tCHECKSUM")
	for _, d := range report.Days {
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%s\n", d.Day, d.Workspace, d.Kind, d.Source.Count, d.Source.Checksum())
	}
	for _, d := range report.Unequal() {
		fmt.Fprintf(w, "DIFFERENT %s\t%d\t%s\t%d\t%s\n", d.Day, d.Workspace, d.Kind, d.Copy.Count, d.Copy.Checksum())
	}
	return w.Flush()
}

// stages shows the progress of the stages of a copy: as bars on a terminal, as
// lines otherwise.
type stages struct {
	out   io.Writer
	bars  bool
	stage string
	bar   *progressbar.ProgressBar
	next  time.Time
}

// lineEvery is the time between lines of progress.
const lineEvery = 5 * time.Second

func newStages(out io.Writer) *stages {
	return &stages{out: out, bars: out == os.Stderr && term.IsTerminal(int(os.Stderr.Fd()))}
}

func (s *stages) show(stage string, done, total int64) {
	if total <= 0 {
		total = -1
	}
	if stage != s.stage {
		s.end()
		s.stage, s.next = stage, time.Now().Add(lineEvery)
		if s.bars {
			s.bar = progressbar.Default(total, stage)
		}
	}
	switch {
	case s.bar != nil:
		_ = s.bar.Set64(done) // it is only for people
	case time.Now().After(s.next):
		s.next = time.Now().Add(lineEvery)
		if total > 0 {
			fmt.Fprintf(s.out, "%s: %d of %d\n", stage, done, total)
		} else {
			fmt.Fprintf(s.out, "%s: %d\n", stage, done)
		}
	}
}

// end ends the bar of the stage.
func (s *stages) end() {
	if s.bar != nil {
		_ = s.bar.Finish()
	}
	s.bar = nil
}
