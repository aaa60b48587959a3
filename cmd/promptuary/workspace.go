package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/access"
)

func newWorkspaceCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "workspace", Short: "Create, list, rename and disable workspaces"}
	cmd.AddCommand(
		newWorkspaceCreateCommand(), newWorkspaceListCommand(),
		changeCommand("rename NAME NEW", "Rename a workspace", 2, func(args []string) access.WorkspacePatch {
			return access.WorkspacePatch{Name: &args[1]}
		}),
		changeCommand("disable NAME", "Block all access to a workspace without deleting anything", 1, func([]string) access.WorkspacePatch {
			return access.WorkspacePatch{Disabled: new(true)}
		}),
		changeCommand("enable NAME", "Restore access to a disabled workspace", 1, func([]string) access.WorkspacePatch {
			return access.WorkspacePatch{Disabled: new(false)}
		}),
		changeCommand("require-roles NAME", "Limit callers without a role to reading", 1, func([]string) access.WorkspacePatch {
			return access.WorkspacePatch{RolesRequired: new(true)}
		}),
		changeCommand("free-roles NAME", "Allow callers without a role everything except administration", 1, func([]string) access.WorkspacePatch {
			return access.WorkspacePatch{RolesRequired: new(false)}
		}),
	)
	return cmd
}

func newWorkspaceCreateCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "create NAME", Short: "Create a workspace", Args: cobra.ExactArgs(1)}
	manage(cmd, func(ctx context.Context, m *manager, args []string) error {
		created, err := m.CreateWorkspace(ctx, args[0])
		if err != nil {
			return err
		}
		return m.say("created workspace %d %q", created.ID, created.Name)
	})
	return cmd
}

func newWorkspaceListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List workspaces", Args: cobra.NoArgs}
	manage(cmd, func(ctx context.Context, m *manager, _ []string) error {
		found, err := m.Workspaces(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "NAME", "ROLES REQUIRED", "CREATED", "DISABLED"}}
		for _, w := range found {
			rows = append(rows, []string{
				strconv.FormatInt(w.ID, 10), w.Name, strconv.FormatBool(w.RolesRequired), moment(&w.CreatedAt), moment(w.DisabledAt),
			})
		}
		return m.table(rows)
	})
	return cmd
}

// changeCommand returns a command that changes the workspace named by its first
// argument.
func changeCommand(use, short string, args int, patch func(args []string) access.WorkspacePatch) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(args)}
	manage(cmd, func(ctx context.Context, m *manager, args []string) error {
		found, err := m.catalog.Accounts.FindWorkspace(ctx, args[0])
		if err != nil {
			return err
		}
		changed, err := m.ChangeWorkspace(ctx, found.ID, patch(args))
		if err != nil {
			return err
		}
		return m.say("changed workspace %d %q", changed.ID, changed.Name)
	})
	return cmd
}
