package storetest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// tree parses JSON.
func (s *store) tree(text string) jsontree.Value {
	s.t.Helper()
	return check.Must(jsontree.Parse([]byte(text)))(s.t)
}

// workflow adds a workflow with one version.
func (s *store) workflow(name string) (entity.Entity, entity.Version) {
	s.t.Helper()
	created := s.create(entity.KindWorkflow, name, nil)
	return created, s.version(created.ID, `{}`)
}

// newRun returns a run with all fields set.
func (s *store) newRun(version entity.Version) run.Run {
	s.t.Helper()
	return run.Run{
		Workspace: s.workspace, WorkflowID: version.EntityID, VersionID: version.ID,
		Inputs: s.tree(`{ "b":1.50, "a" : "\u0000ü\ud800", "b":[ ] }`), Metadata: s.tree(`{"k":"v"}`),
		AllOutputs: true, CallbackURL: "https://example.com/?a=ü", Channel: "channel", StartedBy: "a key", CreatedAt: noon,
	}
}

// run stores a run and returns it with its id.
func (s *store) run(one run.Run) run.Run {
	s.t.Helper()
	one.ID = check.Must(s.Runs.CreateRun(s.ctx, one))(s.t)
	return one
}

// runText returns a comparable text of a run.
func runText(r run.Run) string {
	ended := "never"
	if r.EndedAt != nil {
		ended = r.EndedAt.String()
	}
	return fmt.Sprintf("%d %d %d %d %t %s %s %t %s %s %s %s %s", r.ID, r.Workspace, r.WorkflowID, r.VersionID, r.DryRun, r.Inputs.Raw(), r.Metadata.Raw(),
		r.AllOutputs, r.CallbackURL, r.Channel, r.StartedBy, r.CreatedAt, ended)
}

// nodeTexts returns comparable texts of nodes.
func nodeTexts(nodes []run.NodeState) []string {
	texts := []string{}
	for _, n := range nodes {
		text := fmt.Sprintf("%d %s %q %q %q %d %d", n.Position, n.Status, n.Value.Raw(), n.Message, n.Raw, n.Sequence, n.Retries)
		for _, at := range []*time.Time{n.StartedAt, n.EndedAt} {
			if at != nil {
				text += " " + at.String()
			}
		}
		texts = append(texts, text)
	}
	return texts
}

func (s *store) nodes(runID int64) []string {
	s.t.Helper()
	return nodeTexts(check.Must(s.Runs.RunNodes(s.ctx, runID))(s.t))
}

var runCases = []testCase{
	{"create and get a run", func(s *store) {
		_, version := s.workflow("w")
		stored := s.run(s.newRun(version))
		s.equal(runText(check.Must(s.Runs.GetRun(s.ctx, s.workspace, stored.ID))(s.t)), runText(stored))
	}},
	{"a dry run has its own definition, which goes with it", func(s *store) {
		created, version := s.workflow("w")
		one := s.newRun(version)
		one.DryRun = true
		stored, other := s.run(one), s.run(one)
		const definition = `{ "nodes" : ["ü", 1.0] }`
		s.ok(s.Runs.AddDefinition(s.ctx, stored.ID, []byte(definition)))
		s.equal(runText(check.Must(s.Runs.GetRun(s.ctx, s.workspace, stored.ID))(s.t)), runText(stored))
		s.equal(string(check.Must(s.Runs.RunDefinition(s.ctx, stored.ID))(s.t)), definition)
		s.fails(check.Failure(s.Runs.RunDefinition(s.ctx, other.ID)), fault.NotFound)
		s.fails(s.Runs.AddDefinition(s.ctx, stored.ID+1000, []byte(definition)), fault.NotFound)
		check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{created.ID}))(s.t)
		s.fails(check.Failure(s.Runs.RunDefinition(s.ctx, stored.ID)), fault.NotFound)
	}},
	{"absent inputs and metadata are empty objects", func(s *store) {
		created, version := s.workflow("w")
		stored := s.run(run.Run{Workspace: s.workspace, WorkflowID: created.ID, VersionID: version.ID, CreatedAt: noon})
		stored.Inputs, stored.Metadata = s.tree(`{}`), s.tree(`{}`)
		s.equal(runText(check.Must(s.Runs.GetRun(s.ctx, s.workspace, stored.ID))(s.t)), runText(stored))
	}},
	{"runs of unknown workflows are rejected", func(s *store) {
		_, version := s.workflow("w")
		one := s.newRun(version)
		one.WorkflowID += 1000
		s.fails(check.Failure(s.Runs.CreateRun(s.ctx, one)), fault.NotFound)
		one = s.newRun(version)
		one.VersionID += 1000
		s.fails(check.Failure(s.Runs.CreateRun(s.ctx, one)), fault.NotFound)
	}},
	{"invalid text is rejected", func(s *store) {
		_, version := s.workflow("w")
		for _, text := range []string{"a\x00b", "a\xffb"} {
			one := s.newRun(version)
			one.Channel = text
			s.fails(check.Failure(s.Runs.CreateRun(s.ctx, one)), fault.Invalid)
			stored := s.run(s.newRun(version))
			s.fails(s.Runs.SaveRunNodes(s.ctx, stored.ID, []run.NodeState{{Status: run.Failed, Raw: text}}), fault.Invalid)
			s.equal(s.nodes(stored.ID), []string{})
		}
	}},
	{"other workspaces are isolated", func(s *store) {
		_, version := s.workflow("w")
		stored := s.run(s.newRun(version))
		s.fails(check.Failure(s.Runs.GetRun(s.ctx, s.other, stored.ID)), fault.NotFound)
		s.fails(check.Failure(s.Runs.GetRun(s.ctx, s.workspace, stored.ID+1000)), fault.NotFound)
		s.fails(check.Failure(s.Runs.FindRunByChannel(s.ctx, s.other, stored.WorkflowID, "channel")), fault.NotFound)
	}},
	{"newest run of a channel", func(s *store) {
		_, version := s.workflow("w")
		_, another := s.workflow("another")
		s.run(s.newRun(version))
		newest := s.run(s.newRun(version))
		s.run(s.newRun(another))
		found := check.Must(s.Runs.FindRunByChannel(s.ctx, s.workspace, version.EntityID, "channel"))(s.t)
		s.equal(runText(found), runText(newest))
		s.fails(check.Failure(s.Runs.FindRunByChannel(s.ctx, s.workspace, version.EntityID, "Channel")), fault.NotFound)
	}},
	{"runs of a channel in order", func(s *store) {
		_, version := s.workflow("w")
		_, another := s.workflow("another")
		first := s.run(s.newRun(version)).ID
		elsewhere := s.newRun(version)
		elsewhere.Channel = "Channel"
		s.run(elsewhere)
		s.run(s.newRun(another))
		second, third := s.run(s.newRun(version)).ID, s.run(s.newRun(version)).ID
		of := func(workspace, after int64, limit int) []int64 {
			return check.Must(s.Runs.RunsOfChannel(s.ctx, workspace, version.EntityID, "channel", after, limit))(s.t)
		}
		s.equal(of(s.workspace, 0, 10), []int64{first, second, third})
		s.equal(of(s.workspace, first, 10), []int64{second, third})
		s.equal(of(s.workspace, 0, 2), []int64{first, second})
		s.equal(len(of(s.workspace, third, 10)), 0)
		s.equal(len(of(s.other, 0, 10)), 0)
	}},
	{"runs without a channel are not found by channel", func(s *store) {
		_, version := s.workflow("w")
		one := s.newRun(version)
		one.Channel = ""
		s.run(one)
		s.equal(len(check.Must(s.Runs.RunsOfChannel(s.ctx, s.workspace, version.EntityID, "", 0, 10))(s.t)), 0)
		s.fails(check.Failure(s.Runs.FindRunByChannel(s.ctx, s.workspace, version.EntityID, "")), fault.NotFound)
	}},
	{"nodes keep their bytes, ordered by position", func(s *store) {
		_, version := s.workflow("w")
		stored := s.run(s.newRun(version))
		began, ended := noon.Add(time.Microsecond), noon.Add(time.Second)
		states := []run.NodeState{
			{Position: 0, Status: run.Success, Value: s.tree(`{ "b" : 1.0e2, "a":"\u0000\ud800" }`), Sequence: 3, StartedAt: &began, EndedAt: &ended},
			{Position: 1, Status: run.Success, Value: s.tree(`null`), Sequence: 1, EndedAt: &ended},
			{Position: 2, Status: run.Failed, Message: "short", Raw: "long\nü'\"", Retries: 3, Sequence: 2, EndedAt: &ended},
			{Position: 3, Status: run.Running, StartedAt: &began},
			{Position: 7, Status: run.Queued},
		}
		s.ok(s.Runs.SaveRunNodes(s.ctx, stored.ID, []run.NodeState{states[4], states[2], states[0], states[1], states[3]}))
		s.equal(s.nodes(stored.ID), nodeTexts(states))
	}},
	{"saving replaces some nodes and keeps the others", func(s *store) {
		_, version := s.workflow("w")
		stored := s.run(s.newRun(version))
		began := noon
		first := []run.NodeState{{Position: 0, Status: run.Running, Retries: 1, StartedAt: &began}, {Position: 1, Status: run.Failed, Message: "m", Raw: "r", Sequence: 1}}
		s.ok(s.Runs.SaveRunNodes(s.ctx, stored.ID, first))
		second := run.NodeState{Position: 0, Status: run.Queued, Retries: 2}
		s.ok(s.Runs.SaveRunNodes(s.ctx, stored.ID, []run.NodeState{second}))
		s.ok(s.Runs.SaveRunNodes(s.ctx, stored.ID, nil))
		s.equal(s.nodes(stored.ID), nodeTexts([]run.NodeState{second, first[1]}))
	}},
	{"many nodes and large values", func(s *store) {
		_, version := s.workflow("w")
		stored := s.run(s.newRun(version))
		states := make([]run.NodeState, 2000)
		for i := range states {
			states[i] = run.NodeState{Position: i, Status: run.Success, Value: s.tree(fmt.Sprintf(`"%d"`, i)), Sequence: i + 1}
		}
		states[1000].Value = s.tree(`"` + strings.Repeat("ü", 4<<20) + `"`)
		for range 2 {
			s.ok(s.Runs.SaveRunNodes(s.ctx, stored.ID, states))
		}
		s.equal(s.nodes(stored.ID), nodeTexts(states))
	}},
	{"nodes of unknown runs are rejected", func(s *store) {
		err := s.Runs.SaveRunNodes(s.ctx, 1_000_000, []run.NodeState{{Status: run.Queued}})
		s.equal(err != nil, true)
		s.equal(s.nodes(1_000_000), []string{})
	}},
	{"end a run", func(s *store) {
		_, version := s.workflow("w")
		stored := s.run(s.newRun(version))
		ended := noon.Add(time.Minute)
		s.ok(s.Runs.EndRun(s.ctx, stored.ID, run.Success, ended))
		stored.EndedAt = &ended
		s.equal(runText(check.Must(s.Runs.GetRun(s.ctx, s.workspace, stored.ID))(s.t)), runText(stored))
		s.fails(s.Runs.EndRun(s.ctx, stored.ID+1000, run.Success, ended), fault.NotFound)
	}},
	{"uncommitted progress is invisible", func(s *store) {
		_, version := s.workflow("w")
		stored := s.run(s.newRun(version))
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(s.Runs.SaveRunNodes(ctx, stored.ID, []run.NodeState{{Status: run.Running}}))
			s.ok(s.Runs.EndRun(ctx, stored.ID, run.Success, noon))
			return errOurs
		})
		s.equal(err != nil, true)
		s.equal(s.nodes(stored.ID), []string{})
		s.equal(check.Must(s.Runs.GetRun(s.ctx, s.workspace, stored.ID))(s.t).EndedAt == nil, true)
	}},
	{"runs outlive soft deletion of their workflow", func(s *store) {
		gone, version := s.workflow("gone")
		deleted, kept := s.workflow("deleted")
		lost, stays := s.run(s.newRun(version)), s.run(s.newRun(kept))
		for _, one := range []run.Run{lost, stays} {
			s.ok(s.Runs.SaveRunNodes(s.ctx, one.ID, []run.NodeState{{Status: run.Queued}}))
		}
		check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{deleted.ID}))(s.t)
		s.fails(check.Failure(s.Runs.GetRun(s.ctx, s.workspace, lost.ID)), fault.NotFound)
		s.equal(s.nodes(lost.ID), []string{})
		s.equal(runText(check.Must(s.Runs.GetRun(s.ctx, s.workspace, stays.ID))(s.t)), runText(stays))
		s.equal(len(s.nodes(stays.ID)), 1)
	}},
}
