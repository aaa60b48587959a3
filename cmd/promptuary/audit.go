package main

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/audit"
)

func newAuditCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "audit", Short: "List changes and who made them, newest first", Args: cobra.NoArgs}
	workspace := cmd.Flags().String("workspace", "", "name of the workspace (default: changes to the whole installation)")
	limit := cmd.Flags().Int("n", 50, "maximum number of entries")
	action := cmd.Flags().String("action", "", "only this action, such as publish")
	actor := cmd.Flags().String("actor", "", "only changes by this key name or email address")
	manage(cmd, func(ctx context.Context, m *manager, _ []string) error {
		if *limit < 1 {
			return errors.New("option --n must be at least 1")
		}
		query := audit.Query{Action: audit.Action(*action), ActorName: *actor, Limit: *limit}
		if *workspace != "" {
			found, err := m.catalog.Accounts.FindWorkspace(ctx, *workspace)
			if err != nil {
				return err
			}
			query.WorkspaceID = &found.ID
		}
		entries, err := m.audit.List(ctx, query)
		if err != nil {
			return err
		}
		rows := [][]string{{"AT", "BY", "WHO", "ACTION", "WHAT", "ID", "NAME", "DETAIL"}}
		for _, e := range entries {
			rows = append(rows, []string{
				e.At.Format(time.RFC3339), string(e.Actor.Kind), e.Actor.Name, string(e.Action),
				e.Subject.Kind, strconv.FormatInt(e.Subject.ID, 10), e.Subject.Name, string(e.Detail),
			})
		}
		return m.table(rows)
	})
	return cmd
}
