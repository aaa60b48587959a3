package requests_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestServiceAnnotates(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	in := named(reqlog.PromptRef{Name: "Wave"})
	in.Log.Metadata = []reqlog.Member{{Key: "env", Value: []byte(`"dev"`)}, {Key: "user", Value: []byte(`1`)}}
	id := f.logged(t, in)
	other := f.logged(t, named(reqlog.PromptRef{}))
	ctx := access.AsSystem(t.Context())
	for _, err := range []error{
		f.TrackMetadata(ctx, home, id, []reqlog.Member{{Key: "env", Value: []byte(`"prod"`)}, {Key: "n", Value: []byte(`null`)}}),
		f.TrackMetadata(ctx, home, id, nil),
		f.TrackScore(ctx, home, id, reqlog.Score{Value: 100}),
		f.TrackScore(ctx, home, id, reqlog.Score{Name: "tone", Value: 0}),
		f.TrackScore(ctx, home, id, reqlog.Score{Name: "default", Value: 40}),
		f.TrackPrompt(ctx, home, id, reqlog.PromptRef{Name: "welcome", Version: 1}, []byte(`{"city":"Oslo"}`)),
		f.TrackGroup(ctx, home, id, 3),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := reqlog.Notes{
		Metadata: []reqlog.Member{
			{Key: "env", Value: []byte(`"prod"`)}, {Key: "user", Value: []byte(`1`)}, {Key: "n", Value: []byte(`null`)},
		},
		Scores:    []reqlog.Score{{Name: "default", Value: 40}, {Name: "tone", Value: 0}},
		Score:     40,
		Prompt:    &reqlog.PromptLink{ID: 11, Version: 1, Referenced: []string{"city"}},
		Variables: []byte(`{"city":"Oslo"}`),
		GroupID:   3,
	}
	got, err := f.Get(ctx, home, id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	untouched, err := f.Get(ctx, home, other)
	if diff := cmp.Diff(reqlog.Notes{Variables: []byte(`{"city":"Oslo","other":1}`)}, untouched.Notes); err != nil || diff != "" {
		t.Errorf("notes of another log: %v (-want +got):\n%s", err, diff)
	}
}

// TestServiceKeepsVariables logs variables without a template, and links one
// later.
func TestServiceKeepsVariables(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := access.AsSystem(t.Context())
	id := f.logged(t, named(reqlog.PromptRef{}))
	variables := func() string {
		got, err := f.Get(ctx, home, id)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %v", got.Variables, got.Index.Variables)
	}
	if got := variables(); got != `{"city":"Oslo","other":1} []` {
		t.Errorf("logged: %s", got)
	}
	for given, want := range map[string]string{`{"city":"Bergen"}`: `{"city":"Bergen"} [{city Bergen false}]`, `{}`: ` []`} {
		if err := f.TrackPrompt(ctx, home, id, reqlog.PromptRef{Name: "welcome"}, []byte(given)); err != nil {
			t.Fatal(err)
		}
		if got := variables(); got != want {
			t.Errorf("tracked with %s: %s, want %s", given, got, want)
		}
	}
}

func TestServiceRejectsAnnotations(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.logged(t, named(reqlog.PromptRef{Name: "Wave"}))
	ctx := access.AsSystem(t.Context())
	welcome := reqlog.PromptRef{Name: "welcome"}
	tests := []struct {
		name string
		err  error
		want fault.Kind
	}{
		{"metadata of an unknown log", f.TrackMetadata(ctx, home, id+1, []reqlog.Member{{Key: "a"}}), fault.NotFound},
		{"no metadata of an unknown log", f.TrackMetadata(ctx, home, id+1, nil), fault.NotFound},
		{"no metadata of another workspace's log", f.TrackMetadata(ctx, elsewhere, id, nil), fault.NotFound},
		{"score of an unknown log", f.TrackScore(ctx, home, id+1, reqlog.Score{Value: 1}), fault.NotFound},
		{"score above 100", f.TrackScore(ctx, home, id, reqlog.Score{Value: 101}), fault.Invalid},
		{"score below 0", f.TrackScore(ctx, home, id, reqlog.Score{Value: -1}), fault.Invalid},
		{"prompt of an unknown log", f.TrackPrompt(ctx, home, id+1, welcome, nil), fault.NotFound},
		{"unknown prompt", f.TrackPrompt(ctx, home, id, reqlog.PromptRef{Name: "nobody"}, nil), fault.NotFound},
		{"unknown version", f.TrackPrompt(ctx, home, id, reqlog.PromptRef{Name: "welcome", Version: 3}, nil), fault.NotFound},
		{"group of an unknown log", f.TrackGroup(ctx, home, id+1, 1), fault.NotFound},
		{"unknown group", f.TrackGroup(ctx, home, id, 4), fault.NotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantFault(t, "track", test.err, test.want) })
	}
	got, err := f.Get(ctx, home, id)
	if err != nil || got.Prompt.ID != 12 || got.GroupID != 0 || got.Scores != nil || got.Metadata != nil {
		t.Errorf("a refused annotation changed the log: %+v, %v", got.Notes, err)
	}
}

func TestServiceCreatesGroups(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.logged(t, named(reqlog.PromptRef{}))
	group, err := f.CreateGroup(access.AsSystem(t.Context()), home)
	if err != nil || group != 4 {
		t.Fatalf("group = %d, %v, want 4", group, err)
	}
	if err := f.TrackGroup(access.AsSystem(t.Context()), home, id, group); err != nil {
		t.Error(err)
	}
	f.groups.fail = errors.New("away")
	if err := f.TrackGroup(access.AsSystem(t.Context()), home, id, group); !errors.Is(err, f.groups.fail) {
		t.Errorf("groups away: %v", err)
	}
}
