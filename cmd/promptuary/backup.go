package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/config"
)

var backupOptions = append([]string{"logs"}, catalogOptions...)

func newBackupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup TARGET", Args: cobra.ExactArgs(1),
		Short: "Back up the data folder while the server runs",
		Long: "Writes a point to a folder, or to a bucket (s3://bucket/prefix): the catalog and the request logs as they are at one moment, and the\n" +
			"secret key, encrypted, if there is a passphrase. The server may be running. A point contains what the one before it lacks and refers\n" +
			"to it for the rest. Everything that is written is read back and compared. Files of deleted points that no other point needs are deleted.\n\n" +
			"Exits with 0 if the point is complete, 1 if it is complete but something is damaged, in the data folder or in the target, or could\n" +
			"not be deleted, and 2 if there is no new point. The catalog is copied to the folder for temporary files (TMPDIR) first.\n\n" +
			"With request logs in ClickHouse, the point has the catalog and the key only: back up the database with BACKUP of ClickHouse.\n" +
			"Buckets need AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and AWS_ENDPOINT_URL for services other than Amazon's.",
	}
	load := addOptions(cmd, backupOptions...)
	keep := cmd.Flags().Int("keep", 0, "number of points to keep; older ones are deleted (default: all)")
	passphrase := addPassphrase(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cfg, err := load()
		if err != nil {
			return exitError{2, err}
		}
		if *keep < 0 {
			return exitError{2, errors.New("option --keep must not be negative")}
		}
		opts := storage.BackupOptions{Target: args[0], Keep: *keep, Version: programVersion()}
		if opts.Passphrase, err = passphrase(); err != nil {
			return exitError{2, err}
		}
		shown := newStages(cmd.ErrOrStderr())
		opts.Progress = func(done, total int64) { shown.show("bytes", done, total) }
		result, err := storage.Backup(cmd.Context(), cfg, opts)
		shown.end()
		if result != nil {
			printBackup(cmd.OutOrStdout(), result)
		}
		if err != nil {
			return exitError{2, err}
		}
		switch {
		case len(result.Point.Damage)+len(result.Problems) > 0:
			return errDamaged
		case result.Unpruned != nil:
			return fmt.Errorf("the point is complete, but old files could not be deleted: %w", result.Unpruned)
		}
		return nil
	}
	return cmd
}

// addPassphrase adds the option for the passphrase, and returns a function that
// reads it.
func addPassphrase(cmd *cobra.Command) func() (string, error) {
	path := cmd.Flags().String("passphrase-file", "", "file with the passphrase for the secret key ("+config.PassphraseEnv+" has the passphrase itself)")
	return func() (string, error) {
		if *path == "" {
			return os.Getenv(config.PassphraseEnv), nil
		}
		text, err := os.ReadFile(*path)
		if err != nil {
			return "", fmt.Errorf("read the passphrase: %w", err)
		}
		passphrase, _, _ := strings.Cut(string(text), "\n")
		if passphrase = strings.TrimSuffix(passphrase, "\r"); passphrase == "" {
			return "", fmt.Errorf("the first line of %s is empty: it has to be the passphrase", *path)
		}
		return passphrase, nil
	}
}

func printBackup(w io.Writer, result *storage.BackupResult) {
	point := result.Point
	for _, d := range point.Damage {
		fmt.Fprintf(w, "DAMAGED journal: %s; the point has it as it is\n", d)
	}
	for _, problem := range result.Problems {
		fmt.Fprintf(w, "DAMAGED backup: %v; nothing was deleted\n", problem)
	}
	fmt.Fprintf(w, "point %s is complete: wrote %d bytes and read them back\n", point.ID, result.Written)
	if point.Elsewhere == "" {
		fmt.Fprintf(w, "journal: %d bytes up to block %s, %d of %d files unchanged\n", point.Bytes(), orNone(point.End), result.Reused, len(point.Journal))
	} else {
		fmt.Fprintf(w, "WITHOUT the request logs: they are in %s, whose own backup has to include them\n", point.Elsewhere)
	}
	if point.Key == nil {
		fmt.Fprintln(w, "WITHOUT the secret key: keep a copy of it elsewhere, or give a passphrase with --passphrase-file or "+config.PassphraseEnv)
	} else {
		fmt.Fprintln(w, "with the secret key, encrypted with the passphrase")
	}
	if len(result.Pruned) > 0 {
		fmt.Fprintf(w, "deleted %d older points\n", len(result.Pruned))
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func newRestoreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore SOURCE --data FOLDER", Args: cobra.ExactArgs(1),
		Short: "Restore a data folder from a backup",
		Long: "Creates a data folder from the folder or the bucket of a backup (s3://bucket/prefix). The data folder must be empty or missing. It\n" +
			"appears when everything is complete and compared with its checksums; until then, it is FOLDER.restoring.\n\n" +
			"Without further options, it restores the last point. --list lists the points, --point chooses one of them. --at restores request logs\n" +
			"up to a time or up to a block of the journal, and the rest from the first point that was made after it. The server rebuilds the table\n" +
			"and the text index of request logs when it starts.\n\n" +
			"Exits with 0 if the folder is complete, 1 if the backup is damaged, and 2 if the restore failed otherwise.",
	}
	opts := storage.RestoreOptions{}
	cmd.Flags().StringVar(&opts.Data, "data", "", "the data folder to create")
	cmd.Flags().StringVar(&opts.Point, "point", "", "the point to restore (default: the last one)")
	cmd.Flags().StringVar(&opts.At, "at", "", "restore request logs up to a time (2026-01-31T12:00:00Z) or up to a block (3:1024)")
	cmd.Flags().BoolVar(&opts.WithoutKey, "without-key", false, "do not restore the secret key")
	list := cmd.Flags().Bool("list", false, "list the points, and restore nothing")
	passphrase := addPassphrase(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if *list {
			return listPoints(cmd, args[0])
		}
		opts.Source = args[0]
		if opts.Data == "" {
			return exitError{2, errors.New("set --data to the data folder to create")}
		}
		if opts.Passphrase, err = passphrase(); err != nil {
			return exitError{2, err}
		}
		shown := newStages(cmd.ErrOrStderr())
		opts.Progress = func(done, total int64) { shown.show("bytes", done, total) }
		restored, err := storage.Restore(cmd.Context(), opts)
		shown.end()
		if err != nil {
			return damageStatus(err)
		}
		printRestored(cmd.OutOrStdout(), restored, opts.Data)
		return nil
	}
	return cmd
}

// damageStatus makes everything but damage of a backup exit with 2.
func damageStatus(err error) error {
	if errors.Is(err, storage.ErrBackupDamaged) {
		return err
	}
	return exitError{2, err}
}

func printRestored(w io.Writer, restored *storage.Restored, data string) {
	point := restored.Point
	fmt.Fprintf(w, "restored point %s to %s: the catalog of %s", point.ID, data, point.Time.Format(time.RFC3339Nano))
	if point.Elsewhere == "" {
		fmt.Fprintf(w, ", and request logs up to block %s", orNone(restored.End))
	}
	fmt.Fprintln(w)
	if point.Elsewhere != "" {
		fmt.Fprintf(w, "WITHOUT the request logs: restore them with %s\n", point.Elsewhere)
	}
	for _, d := range point.Damage {
		fmt.Fprintf(w, "DAMAGED journal: %s; it was damaged when it was backed up\n", d)
	}
	if !restored.Key {
		fmt.Fprintln(w, "WITHOUT the secret key: put secret.key into the folder, or set PROMPTUARY_SECRET_KEY, before the first start")
	}
	if point.CatalogEngine != "SQLite" {
		fmt.Fprintf(w, "the catalog was in %s and is in a SQLite file now: move it with promptuary catalog copy --from %s\n", point.CatalogEngine, data)
	}
}

func listPoints(cmd *cobra.Command, source string) error {
	points, problems, err := storage.BackupPoints(cmd.Context(), source)
	if err != nil {
		return exitError{2, err}
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "POINT\tJOURNAL BYTES\tUP TO BLOCK\tSECRET KEY\tPROGRAM")
	for _, p := range points {
		block := p.End
		if p.Elsewhere != "" {
			block = "in " + p.Elsewhere
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%t\t%s\n", p.ID, p.Bytes(), orNone(block), p.Key != nil, p.Program)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printProblems(cmd.OutOrStdout(), problems)
}

func printProblems(w io.Writer, problems []error) error {
	for _, problem := range problems {
		fmt.Fprintln(w, "DAMAGED", problem)
	}
	if len(problems) > 0 {
		return errDamaged
	}
	return nil
}

func verifyBackup(cmd *cobra.Command, source string) error {
	shown := newStages(cmd.ErrOrStderr())
	found, err := storage.VerifyBackup(cmd.Context(), source, func(done, total int64) { shown.show("bytes", done, total) })
	shown.end()
	if err != nil {
		return exitError{2, err}
	}
	if len(found.Points) == 0 && len(found.Problems) == 0 {
		return exitError{2, fmt.Errorf("%s has no backup", source)}
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%d points, %d files, %d bytes\n", len(found.Points), found.Files, found.Bytes)
	if err := printProblems(out, found.Problems); err != nil {
		return err
	}
	fmt.Fprintf(out, "everything is sound; the last point is %s\n", found.Points[len(found.Points)-1].ID)
	return nil
}
