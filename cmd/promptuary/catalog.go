package main

import (
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/promptuary/promptuary/internal/app/storage"
)

func newCatalogCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "catalog", Short: "Move the catalog"}
	cmd.AddCommand(newCatalogCopyCommand())
	return cmd
}

// catalogEnv is the address of the target if there is no flag, because other users
// of the machine can see flags.
const catalogEnv = "PROMPTUARY_CATALOG"

func newCatalogCopyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "copy", Args: cobra.NoArgs,
		Short: "Copy a SQLite catalog to PostgreSQL",
		Long: "Copies the SQLite catalog of a data folder to an empty PostgreSQL database: everything, with the same ids. Stop the server first.\n" +
			"The copy is one transaction: if it is interrupted, the database stays empty, and you run the command again. Before it ends, it\n" +
			"reads the copy back and compares the number of rows and a checksum of each table. The data folder is not changed, except that a\n" +
			"catalog of an earlier version is migrated first.",
	}
	from := cmd.Flags().String("from", "", "the data folder with the SQLite catalog")
	to := cmd.Flags().String("to", "", "the postgres:// address of the target (default: "+catalogEnv+")")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		target := *to
		if target == "" {
			target = os.Getenv(catalogEnv)
		}
		if *from == "" || target == "" {
			return errors.New("set --from to the data folder, and --to or " + catalogEnv + " to the address of the database")
		}
		return copyCatalog(cmd, *from, target)
	}
	return cmd
}

func copyCatalog(cmd *cobra.Command, from, to string) error {
	bar := &rowBar{}
	copied, err := storage.CopyCatalog(cmd.Context(), from, to, bar.add)
	if err != nil {
		return err
	}
	bar.end()
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tROWS\tCHECKSUM")
	for _, t := range copied {
		fmt.Fprintf(w, "%s\t%d\t%s\n", t.Table, t.Rows, t.Checksum)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "The copy is complete and verified. Start the server with --data %s and --catalog set to the new address, and keep the\n"+
		"old catalog.db elsewhere as a backup.\n", from)
	return nil
}

// rowBar is a progress bar that learns the total with the first rows. It is
// silent unless stderr is a terminal.
type rowBar struct{ bar *progressbar.ProgressBar }

func (b *rowBar) add(rows, total int64) {
	if b.bar == nil {
		b.bar = progressbar.DefaultSilent(total)
		if term.IsTerminal(int(os.Stderr.Fd())) {
			b.bar = progressbar.Default(total, "rows")
		}
	}
	_ = b.bar.Add64(rows) // it is only for people
}

func (b *rowBar) end() {
	if b.bar != nil {
		_ = b.bar.Finish()
	}
}
