package run

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// The names of channels: of a run, and of the runs of a workflow that a client
// started with a channel name.
const (
	runChannel      = "workflow_updates:"
	workflowChannel = "workflows:"
	channelMiddle   = ":run:"
)

// channel is a parsed channel name.
type channel struct {
	// runID is 0 for a channel of a workflow.
	runID int64
	// workflowID and name are the workflow and the name from the client.
	workflowID int64
	name       string
}

// readChannel parses the name of a channel. The fault is NotFound for an
// invalid name.
func readChannel(text string) (c channel, err error) {
	if id, ok := strings.CutPrefix(text, runChannel); ok {
		c.runID, err = strconv.ParseInt(id, 10, 64)
		if err != nil || c.runID == 0 {
			return c, fault.NotFoundf("No such channel")
		}
		return c, nil
	}
	rest, ok := strings.CutPrefix(text, workflowChannel)
	id, name, found := strings.Cut(rest, channelMiddle)
	c.name = name
	c.workflowID, err = strconv.ParseInt(id, 10, 64)
	if !ok || !found || err != nil || name == "" {
		return c, fault.NotFoundf("No such channel")
	}
	return c, nil
}

// channels returns the names of the channels of a run.
func (s *Service) channels(run Run) []string {
	list := []string{runChannel + strconv.FormatInt(run.ID, 10)}
	if run.Channel != "" {
		list = append(list, workflowChannel+strconv.FormatInt(run.WorkflowID, 10)+channelMiddle+run.Channel)
	}
	return list
}

// Latest returns the latest run of a channel, and whether more may follow:
// clients may subscribe to the channel of a workflow before they start a run,
// in which case it is 0, and may start several runs. The fault is NotFound if
// the workspace cannot have such a channel.
func (s *Service) Latest(ctx context.Context, workspace int64, channel string) (id int64, more bool, err error) {
	about, err := readChannel(channel)
	if err != nil {
		return 0, false, err
	}
	if about.runID != 0 {
		run, err := s.get(ctx, workspace, about.runID)
		return run.ID, false, err
	}
	run, err := s.options.Store.FindRunByChannel(ctx, workspace, about.workflowID, about.name)
	if fault.Is(err, fault.NotFound) {
		return 0, true, nil
	}
	return run.ID, true, err
}

// maxLater is the maximum number of runs that Later returns.
const maxLater = 100

// Later returns the runs of a channel that were started after the given one, in
// order. It may omit the newest ones if there are many.
func (s *Service) Later(ctx context.Context, workspace int64, channel string, than int64) ([]int64, error) {
	about, err := readChannel(channel)
	if err != nil || about.runID != 0 {
		return nil, err
	}
	return s.options.Store.RunsOfChannel(ctx, workspace, about.workflowID, about.name, than, maxLater)
}

// maxPushed is the maximum size of a pushed output; clients must request larger
// ones.
const maxPushed = 64 << 10

// Message returns the message that is pushed when a run has ended, and whether
// it has. The fault is NotFound if the workspace has no such run.
func (s *Service) Message(ctx context.Context, workspace, id int64) ([]byte, bool, error) {
	run, err := s.get(ctx, workspace, id)
	if err != nil || run.EndedAt == nil {
		return nil, false, err
	}
	states, compiled, err := s.state(ctx, run)
	if err != nil {
		return nil, false, err
	}
	inner := completion(run, resultOf(run, compiled, states), maxPushed)
	text, err := json.Marshal(map[string]string{"message_name": "SET_WORKFLOW_COMPLETE", "data": string(inner)})
	return text, true, err
}

// completion returns the message about the end of a run.
func completion(run Run, result *Result, limit int) []byte {
	output, code := result.Body(run.AllOutputs), "OK"
	if len(output) > limit {
		output, code = []byte(`"The output is too large to send here: request it with GET /workflow-version-execution-results"`), "EXCEEDS_SIZE_LIMIT"
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("workflow_version_execution_id").Int(run.ID)
		w.Key("final_output").Raw(output)
		w.Key("result_code").String(code)
	})
	return w.Bytes()
}
