package requests_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

func TestServiceLogAddsServerFields(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	body, err := jsontree.Parse([]byte(`{"provider":"openai","model":"gpt","request_start_time":1,"request_end_time":2,
		"prompt_name":"welcome","prompt_input_variables":{"city":"Oslo","other":1},
		"input":` + chatText + `,"output":{"type":"chat","messages":[]}}`))
	if err != nil {
		t.Fatal(err)
	}
	var problems fault.Problems
	decoded := reqlog.DecodeLog(body, []any{"body"}, &problems)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]*reqlog.LogInput{
		"decoded": decoded,
		"built":   named(reqlog.PromptRef{Name: "welcome"}),
	} {
		got, err := f.Log(access.AsSystem(t.Context()), home, in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		link := &reqlog.PromptLink{ID: 11, Version: 2, Referenced: []string{"city", "name"}}
		if diff := cmp.Diff(link, got.Prompt); diff != "" {
			t.Errorf("%s: prompt (-want +got):\n%s", name, diff)
		}
		if string(got.Variables) != `{"city":"Oslo","other":1}` {
			t.Errorf("%s: variables = %s", name, got.Variables)
		}
		if diff := cmp.Diff([]reqlog.Pair{{Key: "city", Value: "Oslo"}}, got.Index.Variables); diff != "" {
			t.Errorf("%s: searchable variables (-want +got):\n%s", name, diff)
		}
		if got.Index.InputText != "to Oslo" || in.UserText != "to Oslo" {
			t.Errorf("%s: input text = %q, user text = %q", name, got.Index.InputText, in.UserText)
		}
		if got.ID == 0 || got.Workspace != home || got.CreatedAt != reqlog.At(noon) {
			t.Errorf("%s: id %d, workspace %d, created %v", name, got.ID, got.Workspace, got.CreatedAt)
		}
		stored, err := f.Get(access.AsSystem(t.Context()), home, got.ID)
		if diff := cmp.Diff(got, stored); err != nil || diff != "" {
			t.Errorf("%s: stored: %v (-returned +stored):\n%s", name, err, diff)
		}
		if _, err := f.Get(access.AsSystem(t.Context()), elsewhere, got.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: read from another workspace: %v", name, err)
		}
	}
}

func TestServiceLogRejectsBadPromptReferences(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		ref  reqlog.PromptRef
		fail error
		want fault.Kind
	}{
		{"unknown name", reqlog.PromptRef{Name: "nobody"}, nil, fault.NotFound},
		{"unknown version", reqlog.PromptRef{Name: "welcome", Version: 3}, nil, fault.NotFound},
		{"name and id of different prompts", reqlog.PromptRef{Name: "welcome", ID: 12}, nil, fault.BadRequest},
		{"registry away", reqlog.PromptRef{Name: "welcome"}, fault.New(fault.Unavailable, "away"), fault.Unavailable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.prompts.fail = test.fail
			got, err := f.Log(access.AsSystem(t.Context()), home, named(test.ref))
			wantFault(t, "log", err, test.want)
			if got != nil || f.store.attempts != 0 {
				t.Errorf("log = %v, commits = %d, want none", got, f.store.attempts)
			}
		})
	}
}

func TestServiceLogWithoutRegistry(t *testing.T) {
	t.Parallel()
	s := requests.NewService(requests.Options{Store: &pageStore{}, Groups: &groupList{}, Sequence: &counter{}})
	defer func() {
		if err := s.Drain(access.AsSystem(context.Background())); err != nil {
			t.Errorf("drain: %v", err)
		}
	}()
	_, err := s.Log(access.AsSystem(t.Context()), home, named(reqlog.PromptRef{Name: "welcome"}))
	wantFault(t, "with a prompt", err, fault.NotFound)
	l, err := s.Log(access.AsSystem(t.Context()), home, named(reqlog.PromptRef{}))
	if err != nil || l.Prompt != nil || l.CreatedAt < reqlog.At(noon.AddDate(-10, 0, 0)) {
		t.Errorf("without a prompt: %+v, %v", l, err)
	}
	if stats := s.IngestStats(); stats.Committed != 1 {
		t.Errorf("committed = %d, want 1", stats.Committed)
	}
}

func TestServiceLogMany(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	refs := []string{"welcome", "nobody", "welcome", "", "nobody", "welcome"}
	var inputs []*reqlog.LogInput
	for _, name := range refs {
		inputs = append(inputs, named(reqlog.PromptRef{Name: name}))
	}
	inputs[2].Log.Variables = []byte(`{"city":"Bergen"}`)
	outcomes, err := f.LogMany(access.AsSystem(t.Context()), home, inputs)
	if err != nil {
		t.Fatal(err)
	}
	for i, outcome := range outcomes {
		switch {
		case refs[i] == "nobody":
			wantFault(t, "unknown prompt", outcome.Err, fault.NotFound)
			if outcome.Log != nil {
				t.Errorf("outcome %d: a refused log was returned", i)
			}
		case outcome.Err != nil || outcome.Log != inputs[i].Log || outcome.Log.ID == 0:
			t.Errorf("outcome %d = %+v", i, outcome)
		}
	}
	if diff := cmp.Diff([]int{4}, f.store.sizes); diff != "" {
		t.Errorf("logs per commit (-want +got):\n%s", diff)
	}
	if got := string(outcomes[2].Log.Variables); got != `{"city":"Bergen"}` {
		t.Errorf("variables of the third = %s", got)
	}
	if diff := cmp.Diff([]string{"resolve welcome", "resolve nobody"}, f.prompts.lookups); diff != "" {
		t.Errorf("lookups (-want +got):\n%s", diff)
	}
}

func TestServiceLogManyStoresAllOrNone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	full := fault.New(fault.Unavailable, "disk full")
	f.store.refuse = full
	outcomes, err := f.LogMany(access.AsSystem(t.Context()), home, []*reqlog.LogInput{
		named(reqlog.PromptRef{Name: "welcome"}), named(reqlog.PromptRef{Name: "nobody"}), named(reqlog.PromptRef{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range []fault.Kind{fault.Unavailable, fault.NotFound, fault.Unavailable} {
		wantFault(t, "outcome "+strconv.Itoa(i), outcomes[i].Err, kind)
		if outcomes[i].Log != nil {
			t.Errorf("outcome %d has a log that was not stored", i)
		}
	}
}

func TestServiceTrackRejectsLittle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1024)
	tests := []struct {
		name        string
		ref         reqlog.PromptRef
		group       int64
		message     string
		wantPrompt  int64
		wantGroup   int64
		wantMessage string
	}{
		{"known prompt and group", reqlog.PromptRef{ID: 11}, 2, "no", 11, 2, "no"},
		{"unknown prompt", reqlog.PromptRef{ID: 99}, 2, "", 0, 2, ""},
		{"contradictory prompt", reqlog.PromptRef{ID: 11, Name: "Wave"}, 0, "", 0, 0, ""},
		{"unknown group", reqlog.PromptRef{ID: 11}, 9, "", 11, 0, ""},
		{"longest message", reqlog.PromptRef{}, 0, long, 0, 0, long},
		{"message too long", reqlog.PromptRef{}, 0, long + "é", 0, 0, long},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			in := named(test.ref)
			in.Log.GroupID, in.Log.ErrorMessage = test.group, test.message
			tracked, err := f.Track(access.AsSystem(t.Context()), home, in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Get(access.AsSystem(t.Context()), home, tracked.ID)
			if err != nil {
				t.Fatal(err)
			}
			prompt := int64(0)
			if got.Prompt != nil {
				prompt = got.Prompt.ID
			}
			if prompt != test.wantPrompt || got.GroupID != test.wantGroup || got.ErrorMessage != test.wantMessage {
				t.Errorf("prompt %d, group %d, message of %d bytes", prompt, got.GroupID, len(got.ErrorMessage))
			}
			if got.Index.InputText == "" {
				t.Error("nothing was derived")
			}
		})
	}
}

func TestServiceTrackNeedsTheCatalog(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	for name, breakIt := range map[string]func(fixture){
		"prompts away": func(f fixture) { f.prompts.fail = away },
		"groups away":  func(f fixture) { f.groups.fail = away },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			breakIt(f)
			in := named(reqlog.PromptRef{ID: 11})
			in.Log.GroupID = 1
			if _, err := f.Track(access.AsSystem(t.Context()), home, in); !errors.Is(err, away) {
				t.Errorf("error = %v, want %v", err, away)
			}
			if f.store.attempts != 0 {
				t.Error("the log was stored without a link that it may have")
			}
		})
	}
}
