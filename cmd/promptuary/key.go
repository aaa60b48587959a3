package main

import (
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/catalog"
)

func newKeyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Create, list and revoke API keys"}
	cmd.AddCommand(newKeyCreateCommand(), newKeyListCommand(), newKeyRevokeCommand())
	return cmd
}

// withWorkspace runs work with the catalog open and the workspace that the
// flag names.
func withWorkspace(cmd *cobra.Command, work func(*cobra.Command, []string, *catalog.Catalog, catalog.Workspace) error) {
	load := addOptions(cmd)
	name := cmd.Flags().String("workspace", catalog.DefaultWorkspace, "name of the workspace")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		cfg, err := load()
		if err != nil {
			return err
		}
		c, err := app.OpenCatalog(cmd.Context(), cfg)
		if err != nil {
			return err
		}
		defer func() {
			if closing := c.Close(); err == nil {
				err = closing
			}
		}()
		if _, err := c.EnsureDefaultWorkspace(cmd.Context()); err != nil {
			return err
		}
		workspace, err := c.FindWorkspace(cmd.Context(), *name)
		if err != nil {
			return err
		}
		return work(cmd, args, c, workspace)
	}
}

func newKeyCreateCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "create", Short: "Create an API key and print it, once", Args: cobra.NoArgs}
	name := cmd.Flags().String("name", "", "what the key is for")
	withWorkspace(cmd, func(cmd *cobra.Command, _ []string, c *catalog.Catalog, w catalog.Workspace) error {
		_, secret, err := app.CreateKey(cmd.Context(), c, w.ID, *name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), secret)
		return err
	})
	return cmd
}

func newKeyListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the API keys of a workspace", Args: cobra.NoArgs}
	withWorkspace(cmd, func(cmd *cobra.Command, _ []string, c *catalog.Catalog, w catalog.Workspace) error {
		keys, err := c.ListKeys(cmd.Context(), w.ID)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tKEY\tNAME\tCREATED\tREVOKED")
		for _, k := range keys {
			revoked := "-"
			if k.RevokedAt != nil {
				revoked = k.RevokedAt.UTC().Format(time.RFC3339)
			}
			fmt.Fprintf(table, "%d\tpl_…%s\t%s\t%s\t%s\n", k.ID, k.LastFour, k.Name, k.CreatedAt.UTC().Format(time.RFC3339), revoked)
		}
		return table.Flush()
	})
	return cmd
}

func newKeyRevokeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "revoke ID", Short: "Revoke an API key by its id", Args: cobra.ExactArgs(1)}
	withWorkspace(cmd, func(cmd *cobra.Command, args []string, c *catalog.Catalog, w catalog.Workspace) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not the id of a key: see promptuary key list", args[0])
		}
		key, err := c.RevokeKey(cmd.Context(), w.ID, id)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "revoked key %d (pl_…%s); running servers refuse it within seconds\n", key.ID, key.LastFour)
		return err
	})
	return cmd
}
