package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/alert"
)

func newAlertCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "alert", Short: "List alerts and their states"}
	cmd.AddCommand(newAlertListCommand())
	return cmd
}

func newAlertListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the alerts of a workspace with the values that running servers found last", Args: cobra.NoArgs}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, _ []string) error {
		found, err := alert.NewService(alert.Options{Store: m.catalog.Alerts}).List(ctx, w.ID)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "NAME", "ENABLED", "STATE", "MEASURE", "VALUE", "THRESHOLD", "EVALUATED", "ERROR"}}
		for i := range found {
			rows = append(rows, alertRow(&found[i]))
		}
		return m.table(rows)
	})
	return cmd
}

func alertRow(a *alert.Alert) []string {
	value, failure := "-", "-"
	if a.Value != nil {
		value = strconv.FormatFloat(*a.Value, 'g', 6, 64)
	}
	if a.Error != "" {
		failure = a.Error
	}
	return []string{
		strconv.FormatInt(a.ID, 10), a.Name, strconv.FormatBool(a.Enabled), string(a.Shown()), string(a.Measure), value,
		string(a.Comparison) + " " + strconv.FormatFloat(a.Threshold, 'g', -1, 64), moment(a.EvaluatedAt), failure,
	}
}
