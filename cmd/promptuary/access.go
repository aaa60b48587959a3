package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog"
)

// manager gives commands access to workspaces, users, keys and the audit log.
type manager struct {
	*access.Service
	audit   *audit.Service
	catalog *catalog.Catalog
	out     *cobra.Command
}

// manage makes a command that runs work with the catalog open, as the command
// line. A server may be running.
func manage(cmd *cobra.Command, work func(ctx context.Context, m *manager, args []string) error) {
	load := addOptions(cmd, catalogOptions...)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		cfg, err := load()
		if err != nil {
			return err
		}
		c, err := storage.OpenCatalog(cmd.Context(), cfg)
		if err != nil {
			return err
		}
		defer func() {
			if closing := c.Close(); err == nil {
				err = closing
			}
		}()
		ctx := access.WithCaller(cmd.Context(), access.CommandLine())
		if _, err := c.Accounts.EnsureDefaultWorkspace(ctx); err != nil {
			return err
		}
		return work(ctx, &manager{app.NewAccess(c), audit.NewService(c.Accounts), c, cmd}, args)
	}
}

// manageWorkspace is like manage for one workspace, which a flag names.
func manageWorkspace(cmd *cobra.Command, work func(ctx context.Context, m *manager, w access.Workspace, args []string) error) {
	name := cmd.Flags().String("workspace", access.DefaultWorkspace, "name of the workspace")
	manage(cmd, func(ctx context.Context, m *manager, args []string) error {
		workspace, err := m.catalog.Accounts.FindWorkspace(ctx, *name)
		if err != nil {
			return err
		}
		return work(ctx, m, workspace, args)
	})
}

// say prints a line.
func (m *manager) say(format string, args ...any) error {
	_, err := fmt.Fprintf(m.out.OutOrStdout(), format+"\n", args...)
	return err
}

// table prints rows in columns. The first row is the heading.
func (m *manager) table(rows [][]string) error {
	table := tabwriter.NewWriter(m.out.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = strings.Map(visible, cell)
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// visible replaces control characters, which could control the terminal.
func visible(r rune) rune {
	if unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

// moment formats a time. It returns a dash for nil.
func moment(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// rolesFlag adds the flag for roles to a command.
func rolesFlag(cmd *cobra.Command) func() []access.Role {
	names := cmd.Flags().StringSlice("role", nil, "role, repeated or comma-separated: "+roleText(access.Roles(), ", ")+", or a custom role of the workspace")
	return func() []access.Role {
		roles := make([]access.Role, len(*names))
		for i, name := range *names {
			roles[i] = access.RoleNamed(name)
		}
		return roles
	}
}

func roleText(roles []access.Role, between string) string {
	if len(roles) == 0 {
		return "-"
	}
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = string(role)
	}
	return strings.Join(names, between)
}
