package run_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// pushed decodes a message as clients do.
func pushed(t *testing.T, message []byte) (inner struct {
	ID     int64           `json:"workflow_version_execution_id"`
	Output json.RawMessage `json:"final_output"`
	Code   string          `json:"result_code"`
},
) {
	t.Helper()
	var outer map[string]string
	if err := json.Unmarshal(message, &outer); err != nil {
		t.Fatal(err)
	}
	check.Equal(t, "name", outer["message_name"], "SET_WORKFLOW_COMPLETE")
	if err := json.Unmarshal([]byte(outer["data"]), &inner); err != nil {
		t.Fatal(err)
	}
	return inner
}

func TestMessages(t *testing.T) {
	t.Parallel()
	large := `"` + strings.Repeat("x", 64<<10) + `"`
	tests := map[string]struct {
		value      string
		allOutputs bool
		output     string
		code       string
	}{
		"an output":                     {value: `"<ü>"`, output: `"<ü>"`, code: "OK"},
		"all nodes":                     {value: `1`, allOutputs: true, output: `{"a":{"status":"SUCCESS","value":1,"error_message":null,"raw_error_message":null,"is_output_node":true}}`, code: "OK"},
		"an output that is too large":   {value: large, output: `"The output is too large to send here: request it with GET /workflow-version-execution-results"`, code: "EXCEEDS_SIZE_LIMIT"},
		"an output of the maximum size": {value: large[:64<<10-1] + `"`, output: large[:64<<10-1] + `"`, code: "OK"},
	}
	l := onSQLite(t)
	p := l.process("a")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			record := l.create(name, nodes(variable("a", test.value, true)))
			channel := fmt.Sprintf("workflows:%d:run:suffix", record.Entity.ID)
			check.Equal(t, "the run before it is started", p.latest(channel), 0)
			id := p.start(name, `{}`, func(r *run.Request) { r.Channel, r.AllOutputs = "suffix", test.allOutputs })
			p.done(id)
			for _, channel := range []string{channel, fmt.Sprintf("workflow_updates:%d", id)} {
				message, ended, err := p.Message(l.ctx, l.workspace, p.latest(channel))
				if !ended || err != nil {
					t.Fatalf("after the run: %v, %v", ended, err)
				}
				got := pushed(t, message)
				check.Equal(t, "id", got.ID, id)
				check.Equal(t, "output", string(got.Output), test.output)
				check.Equal(t, "code", got.Code, test.code)
			}
		})
	}
}

func TestEndedIsCalledWithChannels(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	record := l.create("w", nodes(variable("a", `1`, true)))
	first := p.start("w", `{}`)
	check.Equal(t, "channels", check.Next(t, p.ended), []string{fmt.Sprintf("workflow_updates:%d", first)})
	second := p.start("w", `{}`, func(r *run.Request) { r.Channel = "x:run:y" })
	want := []string{fmt.Sprintf("workflow_updates:%d", second), fmt.Sprintf("workflows:%d:run:x:run:y", record.Entity.ID)}
	check.Equal(t, "channels", check.Next(t, p.ended), want)
	for _, channel := range want {
		check.Equal(t, "the run of "+channel, p.latest(channel), second)
	}
}

// A client may start several runs with one name.
func TestRunsOfOneChannel(t *testing.T) {
	t.Parallel()
	l, w := onSQLite(t), newWorld(t)
	p := l.process("a")
	record := l.create("w", nodes(w.endpoint("a", "/wait/a")))
	channel := fmt.Sprintf("workflows:%d:run:again", record.Entity.ID)
	again := func(r *run.Request) { r.Channel = "again" }
	var ids []int64
	for range 3 {
		ids = append(ids, p.start("w", `{}`, again))
		check.Next(t, w.begun)
		check.Equal(t, "latest", p.latest(channel), ids[len(ids)-1])
	}
	p.start("w", `{}`)
	later := func(than int64) []int64 { return check.Must(p.Later(l.ctx, l.workspace, channel, than))(t) }
	check.Equal(t, "all", later(0), ids)
	check.Equal(t, "after the first", later(ids[0]), ids[1:])
	check.Equal(t, "of one run", check.Must(p.Later(l.ctx, l.workspace, fmt.Sprintf("workflow_updates:%d", ids[0]), 0))(t), nil)
	_, ended, err := p.Message(l.ctx, l.workspace, ids[0])
	check.OK(t, err)
	check.Equal(t, "ended", ended, false)
	close(w.release)
	for _, id := range ids {
		p.done(id)
		message, _, err := p.Message(l.ctx, l.workspace, id)
		check.OK(t, err)
		check.Equal(t, "the run of the message", pushed(t, message).ID, id)
	}
}

// latest returns the latest run of a channel. More may follow if the client
// named the channel.
func (p *process) latest(channel string) int64 {
	p.lab.t.Helper()
	id, more, err := p.Latest(p.lab.ctx, p.lab.workspace, channel)
	check.OK(p.lab.t, err)
	check.Equal(p.lab.t, "more may follow on "+channel, more, strings.HasPrefix(channel, "workflows:"))
	return id
}

func TestUnknownChannels(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	record := l.create("w", nodes(variable("a", `1`, true)))
	id := p.start("w", `{}`)
	p.done(id)
	for _, channel := range []string{
		"", "x", "workflow_updates:", "workflow_updates:x", "workflow_updates:0", "workflow_updates:99999", "workflows:1", "workflows:x:run:y",
		fmt.Sprintf("workflows:%d:run:", record.Entity.ID),
	} {
		_, _, err := p.Latest(l.ctx, l.workspace, channel)
		check.Fault(t, err, fault.NotFound)
	}
	_, _, err := p.Latest(l.ctx, l.other, fmt.Sprintf("workflow_updates:%d", id))
	check.Fault(t, err, fault.NotFound)
	_, _, err = p.Message(l.ctx, l.other, id)
	check.Fault(t, err, fault.NotFound)
}
