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
	cmd := &cobra.Command{Use: "audit", Short: "List who changed what, newest first", Args: cobra.NoArgs}
	workspace := cmd.Flags().String("workspace", "", "name of the workspace; without one what concerns the whole installation")
	limit := cmd.Flags().Int("n", 50, "how many entries at most")
	action := cmd.Flags().String("action", "", "what was done, such as publish")
	actor := cmd.Flags().String("actor", "", "the name of the key or the address of the person")
	manage(cmd, func(ctx context.Context, m *manager, _ []string) error {
		if *limit < 1 {
			return errors.New("option --n must be at least 1")
		}
		query := audit.Query{Action: audit.Action(*action), ActorName: *actor, Limit: *limit}
		if *workspace != "" {
			found, err := m.catalog.FindWorkspace(ctx, *workspace)
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
