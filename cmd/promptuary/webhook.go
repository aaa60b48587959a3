package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/webhook"
)

func newWebhookCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "webhook", Short: "List webhooks and their deliveries, and deliver again"}
	cmd.AddCommand(newWebhookListCommand(), newWebhookDeliveriesCommand(), newWebhookRedeliverCommand())
	return cmd
}

// webhooks returns the service of webhooks. Its jobs wait for a running server,
// because the command starts no runner.
func (m *manager) webhooks() *webhook.Service {
	return webhook.NewService(webhook.Options{Store: m.catalog.Webhooks, Jobs: job.NewRunner(job.Options{Store: m.catalog.Runs})})
}

func newWebhookListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the webhooks of a workspace, without the paths of their addresses", Args: cobra.NoArgs}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, _ []string) error {
		found, err := m.webhooks().List(ctx, w.ID)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "NAME", "HOST", "FORMAT", "ENABLED", "PENDING", "DEAD"}}
		for i := range found {
			one := &found[i]
			rows = append(rows, []string{
				strconv.FormatInt(one.ID, 10), one.Name, one.Host(), string(one.Format), strconv.FormatBool(one.Enabled),
				strconv.FormatInt(one.Pending, 10), strconv.FormatInt(one.Dead, 10),
			})
		}
		return m.table(rows)
	})
	return cmd
}

func newWebhookDeliveriesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "deliveries", Short: "List deliveries of webhooks, newest first", Args: cobra.NoArgs}
	id := cmd.Flags().Int64("webhook", 0, "only those of the webhook with this id")
	state := cmd.Flags().String("state", "", "only those in this state: pending, delivered or dead")
	limit := cmd.Flags().Int("n", 50, "maximum number of deliveries")
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, _ []string) error {
		if *limit < 1 {
			return errors.New("option --n must be at least 1")
		}
		query := webhook.DeliveryQuery{Webhook: *id, State: webhook.State(*state), Page: entity.Page{Limit: *limit}}
		switch query.State {
		case "", webhook.Pending, webhook.Delivered, webhook.Dead:
		default:
			return fmt.Errorf("option --state: %q is not a state; use pending, delivered or dead", *state)
		}
		found, _, err := m.webhooks().Deliveries(ctx, w.ID, query)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "WEBHOOK", "EVENT", "STATE", "ATTEMPTS", "CREATED", "NEXT", "LAST ATTEMPT"}}
		for i := range found {
			rows = append(rows, deliveryRow(&found[i]))
		}
		return m.table(rows)
	})
	return cmd
}

func deliveryRow(d *webhook.Delivery) []string {
	result := d.Last.Failure
	switch {
	case d.Last.At == nil:
		result = "-"
	case result == "":
		result = "status " + strconv.FormatInt(d.Last.Status, 10)
	}
	return []string{
		strconv.FormatInt(d.ID, 10), strconv.FormatInt(d.Webhook, 10), string(d.Event), string(d.State), strconv.FormatInt(d.Attempts, 10),
		moment(&d.CreatedAt), moment(d.NextAt), result,
	}
}

func newWebhookRedeliverCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "redeliver ID...", Short: "Make running servers send deliveries again, with all attempts", Args: cobra.MinimumNArgs(1)}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		for _, text := range args {
			id, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return fmt.Errorf("%q is not the id of a delivery: see promptuary webhook deliveries", text)
			}
			found, err := m.webhooks().Redeliver(ctx, w.ID, id)
			if err != nil {
				return err
			}
			if err := m.say("delivery %d of webhook %d is %s", found.ID, found.Webhook, found.State); err != nil {
				return err
			}
		}
		return nil
	})
	return cmd
}
