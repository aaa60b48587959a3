package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// serverFlags adds the flags of commands that call a running server.
func serverFlags(cmd *cobra.Command) func() (*evalServer, error) {
	server := cmd.Flags().String("server", "", "address of the server ("+serverEnv+", default "+defaultServer+")")
	key := cmd.Flags().String("key", "", "API key ("+keyEnv+")")
	return func() (*evalServer, error) {
		if *key == "" {
			*key = os.Getenv(keyEnv)
		}
		if *key == "" {
			return nil, errors.New("an API key is required: use --key or set " + keyEnv)
		}
		return &evalServer{address: serverAddress(*server, os.Getenv), key: *key}, nil
	}
}

const (
	deletionsPath = "/api/public/v2/deletions"
	retentionPath = "/api/public/v2/retention"
	// deletionLook is the time between two looks at a deletion.
	deletionLook = 500 * time.Millisecond
)

func newLogsDeleteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "delete", Args: cobra.NoArgs,
		Short: "Delete request logs of a running server",
		Long: "Deletes request logs, or a part of them: those of a user, those with ids, or those that a query selects. Parts are what was said (--texts-only),\n" +
			"a metadata key, or a score; without a selection, of all request logs that have them.\n" +
			"It shows how many there are and asks before it deletes. At the end it prints the certificate of what was deleted as JSON.\n\n" +
			"  promptuary logs delete --user ann@example.com\n" +
			"  promptuary logs delete --metadata-key customer.email\n" +
			"  promptuary logs delete --query '{\"filters\": [{\"field\": \"tags\", \"operator\": \"contains\", \"value\": \"test\"}]}' --yes",
	}
	user := cmd.Flags().String("user", "", "delete the request logs and traces of the user with this id, which is the value of the metadata key user_id")
	ids := cmd.Flags().Int64Slice("ids", nil, "delete the request logs with these ids, separated by commas")
	query := cmd.Flags().String("query", "", "delete the request logs that match the body of a search as JSON: filter_group, filters and q")
	texts := cmd.Flags().Bool("texts-only", false, "delete only what was said, and keep everything that is counted")
	key := cmd.Flags().String("metadata-key", "", "delete only this metadata key and all keys below it; keys of nested objects have dots between them")
	score := cmd.Flags().String("score", "", "delete only the score with this name; the score without a name is named default")
	traces := cmd.Flags().Bool("traces", false, "with --metadata-key or --score: delete the traces of the request logs, too, whose spans keep the metadata that they were sent with")
	yes := cmd.Flags().Bool("yes", false, "do not ask")
	connect := serverFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		body := map[string]any{}
		if *query != "" {
			if err := json.Unmarshal([]byte(*query), &body); err != nil {
				return fmt.Errorf("option --query: %w", err)
			}
			if body == nil {
				return errors.New("option --query: must be a JSON object")
			}
		}
		if *user != "" {
			body["user_id"] = *user
		}
		if len(*ids) > 0 {
			body["request_ids"] = *ids
		}
		body["texts_only"] = *texts
		if *key != "" {
			body["metadata_key"] = *key
		}
		if *score != "" {
			body["score_name"] = *score
		}
		if *traces {
			body["delete_traces"] = true
		}
		server, err := connect()
		if err != nil {
			return err
		}
		d := deleteCall{server: server, body: body, in: cmd.InOrStdin(), out: cmd.OutOrStdout(), messages: cmd.ErrOrStderr()}
		return d.run(cmd.Context(), *yes)
	}
	return cmd
}

// deleteCall is a deletion as the flags describe it.
type deleteCall struct {
	server        *evalServer
	body          map[string]any
	in            io.Reader
	out, messages io.Writer
}

func (d *deleteCall) run(ctx context.Context, yes bool) error {
	var preview struct{ Logs, Traces int64 }
	if err := d.server.call(ctx, http.MethodPost, deletionsPath+"/preview", d.body, &preview); err != nil {
		return err
	}
	if preview.Logs+preview.Traces == 0 {
		_, err := fmt.Fprintln(d.messages, "No request log matches.")
		return err
	}
	if !yes {
		if _, err := fmt.Fprintf(d.messages, "%s will be deleted, and cannot be brought back. Delete? [y/N] ", d.words(preview.Logs, preview.Traces)); err != nil {
			return err
		}
		line, err := bufio.NewReader(d.in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
			return errors.New("nothing was deleted")
		}
	}
	d.body["expected"] = preview.Logs
	return d.follow(ctx)
}

// words says what would be deleted.
func (d *deleteCall) words(logs, traces int64) string {
	and := ""
	if d.body["delete_traces"] == true {
		and = ", and the traces of these request logs"
	}
	switch {
	case d.body["metadata_key"] != nil:
		return fmt.Sprintf("The metadata key %s of %d request logs%s", d.body["metadata_key"], logs, and)
	case d.body["score_name"] != nil:
		return fmt.Sprintf("The score %s of %d request logs%s", d.body["score_name"], logs, and)
	case d.body["texts_only"] == true:
		return fmt.Sprintf("%d texts of request logs and %d traces of the user", logs, traces)
	}
	return fmt.Sprintf("%d request logs and %d traces of the user", logs, traces)
}

// deletionAnswer is a deletion in an answer of the server.
type deletionAnswer struct {
	Deletion json.RawMessage `json:"deletion"`
}

// follow starts the deletion and waits for its end.
func (d *deleteCall) follow(ctx context.Context) error {
	var answer deletionAnswer
	if err := d.server.call(ctx, http.MethodPost, deletionsPath, d.body, &answer); err != nil {
		return err
	}
	for {
		var state struct {
			ID       int64
			State    string
			Error    *string
			Progress float64
			EndedAt  *string `json:"ended_at"`
		}
		if err := json.Unmarshal(answer.Deletion, &state); err != nil {
			return fmt.Errorf("cannot parse the answer of the server: %w", err)
		}
		if state.EndedAt != nil {
			if _, err := fmt.Fprintf(d.out, "%s\n", answer.Deletion); err != nil {
				return err
			}
			if state.State != "done" {
				return fmt.Errorf("the deletion is %s", state.State)
			}
			return nil
		}
		if _, err := fmt.Fprintf(d.messages, "%s %.0f %%\n", state.State, 100*state.Progress); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("deletion %d continues without this command: %w", state.ID, ctx.Err())
		case <-time.After(deletionLook):
		}
		if err := d.server.read(ctx, fmt.Sprintf("%s/%d", deletionsPath, state.ID), &answer); err != nil {
			return err
		}
	}
}

func newRetentionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "retention", Args: cobra.NoArgs, Short: "Show or set how long a running server keeps request logs",
		Long: "Prints the retention rules of a workspace as JSON, or replaces them with --set:\n\n" +
			"  promptuary retention --set '{\"rules\": [{\"status\": \"ERROR\", \"days\": 90}], \"days\": 30, \"text_days\": 7}'",
	}
	set := cmd.Flags().String("set", "", "the new rules as JSON: rules, days and text_days")
	preview := cmd.Flags().Bool("preview", false, "with --set: only count what the rules would delete now")
	connect := serverFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		server, err := connect()
		if err != nil {
			return err
		}
		var answer json.RawMessage
		switch {
		case *set == "" && *preview:
			return errors.New("option --preview needs --set")
		case *set == "":
			err = server.read(cmd.Context(), retentionPath, &answer)
		case !json.Valid([]byte(*set)):
			return errors.New("option --set: the rules are not valid JSON")
		case *preview:
			err = server.call(cmd.Context(), http.MethodPost, retentionPath+"/preview", json.RawMessage(*set), &answer)
		default:
			err = server.call(cmd.Context(), http.MethodPut, retentionPath, json.RawMessage(*set), &answer)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", answer)
		return err
	}
	return cmd
}
