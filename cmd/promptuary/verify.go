package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/config"
)

// errDamaged is returned when damage was found. It exits with another status
// than a check that failed.
var errDamaged = errors.New("stored data is corrupt")

var verifyOptions = append([]string{"logs", "duckdb-memory", "duckdb-threads", "log-level", "log-format"}, catalogOptions...)

func newVerifyCommand() *cobra.Command {
	cmd := examineCommand("verify", "Check everything that is stored for damage",
		"Checks the data folder for damage without changing it: every block of the journal, the integrity of the SQLite catalog, and the table and\n"+
			"the text index against the journal. Stop the server first. Exits with 0 if everything is sound, 1 if something is damaged, and 2 if\n"+
			"the check failed. It needs as much space in the folder for temporary files as the table takes.\n\n"+
			"With request logs in ClickHouse, it checks the database instead of the journal: its version, the version of the tables, whose they are,\n"+
			"the checksums that ClickHouse has for every part of them, that no request log is there twice, and that free text knows all words.\n"+
			"Servers may go on, unless the catalog is in the data folder.\n\n"+
			"With the folder or the bucket of a backup (s3://bucket/prefix), it reads every file of every point instead, and compares sizes and\n"+
			"checksums. Servers may go on.", storage.Verify)
	folder := cmd.RunE
	cmd.Use, cmd.Args = "verify [BACKUP]", cobra.MaximumNArgs(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return verifyBackup(cmd, args[0])
		}
		return folder(cmd, args)
	}
	return cmd
}

func newRepairCommand() *cobra.Command {
	return examineCommand("repair", "Repair damaged request logs as far as possible",
		"Checks the data folder as verify does. If request logs are damaged, it copies the damaged parts of the journal to side files, replaces\n"+
			"them with empty ones, rebuilds the table and the text index from the journal, and lists the lost logs. Nothing is deleted: what is\n"+
			"replaced is moved aside. Stop the server and copy the data folder first.", storage.Repair)
}

// examineCommand returns a command that prints what examine finds.
func examineCommand(
	use, short, long string, examine func(context.Context, config.Config, *slog.Logger) (*storage.Verification, error),
) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Long: long, Args: cobra.NoArgs}
	load := addOptions(cmd, verifyOptions...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := load()
		if err != nil {
			return exitError{2, err}
		}
		found, err := examine(cmd.Context(), cfg, newLogger(cfg))
		if found != nil {
			printVerification(cmd.OutOrStdout(), found)
		}
		if err != nil {
			return exitError{2, err}
		}
		if !found.Sound() && (use == "verify" || len(found.Catalog) > 0) {
			return errDamaged
		}
		return nil
	}
	return cmd
}

// exitError is an error with the status to exit with.
type exitError struct {
	code int
	error
}

// Unwrap returns the error.
func (e exitError) Unwrap() error { return e.error }

// printVerification prints what was checked, then each problem, then the logs
// that are lost.
func printVerification(w io.Writer, v *storage.Verification) {
	for _, problem := range v.Catalog {
		fmt.Fprintf(w, "DAMAGED catalog: %s; restore it from a backup\n", problem)
	}
	if v.Logs != nil {
		printFolder(w, v)
	}
	if v.ClickHouse != nil {
		printDatabase(w, v)
	}
	if v.Sound() && (v.Logs != nil || v.ClickHouse != nil) {
		fmt.Fprintln(w, "everything is sound")
	}
}

// printDatabase prints what was found in ClickHouse.
func printDatabase(w io.Writer, v *storage.Verification) {
	d := v.ClickHouse
	fmt.Fprintf(w, "%s: ClickHouse %s, tables of version %d, installation %s\n", d.Address, d.Version, d.Schema, d.Installation)
	fmt.Fprintf(w, "%s: %d request logs, %d spans, %d closed traces, %d annotations\n", d.Address, d.Logs, d.Spans, d.Closures, d.Annotations)
	if d.Copying {
		fmt.Fprintf(w, "INCOMPLETE: a copy of request logs to the database was begun and is not complete; finish it with promptuary logs copy --finish\n")
	}
	for _, problem := range d.Problems {
		fmt.Fprintf(w, "DAMAGED database: %s\n", problem)
	}
}

// printFolder prints what was found in the data folder.
func printFolder(w io.Writer, v *storage.Verification) {
	logs := v.Logs
	fmt.Fprintf(w, "journal: %d intact blocks, %d bytes, %d request logs, %d spans\n", logs.Blocks, logs.Bytes, logs.Logs, logs.Spans)
	if logs.Interrupted > 0 {
		fmt.Fprintf(w, "journal: ends with %d bytes of an interrupted write, which is not damage\n", logs.Interrupted)
	}
	if logs.Copying {
		fmt.Fprintln(w, "INCOMPLETE: a copy of request logs to the folder was begun and is not complete; finish it with promptuary logs copy --finish")
	}
	for _, d := range logs.Damage {
		limit := "at most "
		if d.Exact {
			limit = ""
		}
		fmt.Fprintf(w, "DAMAGED journal: %s at byte %d, %d bytes, %s%d request logs with ids from %d to %d\n",
			d.Path, d.Offset, d.Bytes, limit, d.Logs, d.FirstID, d.LastID)
	}
	for _, problem := range logs.Derived {
		fmt.Fprintf(w, "DAMAGED derived data: %s\n", problem)
	}
	for _, l := range logs.Lost {
		fmt.Fprintf(w, "LOST request log %d of workspace %d, started %s\n", l.ID, l.Workspace, time.UnixMicro(l.Start).UTC().Format(time.RFC3339))
	}
	for _, s := range logs.LostSpans {
		fmt.Fprintf(w, "LOST span %q of trace %q of workspace %d, started %s\n", s.SpanID, s.TraceID, s.Workspace, time.UnixMicro(s.Start).UTC().Format(time.RFC3339))
	}
	for _, path := range logs.Aside {
		fmt.Fprintf(w, "set aside: %s\n", path)
	}
}
