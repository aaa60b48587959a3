package prompt_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

// publishAs publishes and returns the record.
func (r *suite) publishAs(in prompt.Publication) *prompt.Record {
	r.t.Helper()
	return check.Must(r.Publish(r.ctx, r.workspace, in))(r.t)
}

func refs(pairs []entity.ExternalID) []entity.ExternalRef {
	var out []entity.ExternalRef
	for _, pair := range pairs {
		out = append(out, pair.ExternalRef)
	}
	return out
}

// labelled returns the numbers of the versions that labels point at.
func (r *suite) labelled(identifier string) map[string]int64 {
	r.t.Helper()
	numbers := map[string]int64{}
	for _, label := range check.Must(r.Labels(r.ctx, r.workspace, identifier))(r.t) {
		numbers[label.Name] = label.VersionNumber
	}
	return numbers
}

func TestPublishNewName(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		folder := r.folder("shelf")
		content := completion("hello {name}")
		content.Metadata = []byte(`{"model":{"provider":"openai","name":"gpt"},"n":1.0e2}`)
		content.Settings = []prompt.Setting{{Name: "report_id", Value: []byte(`7`)}}
		pair := entity.ExternalRef{Source: "crm", ID: "1"}
		got := r.publishAs(prompt.Publication{
			Name: "new", Tags: []string{"b", "a", "b"}, HasTags: true, FolderID: &folder, Content: content,
			Release: registry.Release{
				CommitMessage: new("first"), Labels: []string{"prod", "prod"}, Author: new("ann@example.com"),
				ExternalIDs: []entity.ExternalRef{pair, pair},
			},
		})
		check.Equal(t, "number", got.Version.Number, 1)
		check.Equal(t, "message", got.Version.CommitMessage, new("first"))
		check.Equal(t, "author", got.Version.Creator, new("ann@example.com"))
		check.Equal(t, "tags", got.Entity.Tags, []string{"b", "a"})
		check.Equal(t, "folder", got.Entity.FolderID, &folder)
		check.Equal(t, "labels of the answer", got.VersionLabels(), []string{"prod"})
		check.Equal(t, "labels", r.labelled("new"), map[string]int64{"prod": 1})
		check.Equal(t, "external ids", refs(got.ExternalIDs), []entity.ExternalRef{pair})
		check.Equal(t, "content", got.Content, content)
		found := r.get("new", registry.Selector{})
		check.Equal(t, "stored content", found.Content, content)
		check.Equal(t, "stored version", found.Version, got.Version)
		check.Equal(t, "stored entity", found.Entity.ID, got.Entity.ID)
	})
}

func TestPublishIntoSameFolder(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		first, second := r.folder("first"), r.folder("second")
		for _, folder := range []int64{first, first, second, second} {
			r.publishAs(prompt.Publication{Name: "steady", Content: completion("x"), FolderID: &folder})
		}
		moves := check.Must(r.catalog.Accounts.ListAudit(r.ctx, audit.Query{WorkspaceID: &r.workspace, Action: audit.Move, Limit: 10}))(t)
		check.Equal(t, "moves on record", len(moves), 1)
	})
}

// TestPublishToExisting starts from a template with the tag "old" in a folder,
// with prod on its first version and an external id.
func TestPublishToExisting(t *testing.T) {
	own := entity.ExternalRef{Source: "crm", ID: "own"}
	tests := []struct {
		name   string
		change func(in *prompt.Publication, other int64)
		tags   []string
		moved  bool
		labels map[string]int64
		pairs  []entity.ExternalRef
	}{
		{name: "nothing else", change: func(*prompt.Publication, int64) {}},
		{
			name: "tags", change: func(in *prompt.Publication, _ int64) { in.Tags, in.HasTags = []string{"new"}, true },
			tags: []string{"new"},
		},
		{
			name: "no tags", change: func(in *prompt.Publication, _ int64) { in.Tags, in.HasTags = nil, true },
			tags: []string{},
		},
		{name: "folder", change: func(in *prompt.Publication, other int64) { in.FolderID = &other }, moved: true},
		{
			name: "labels", change: func(in *prompt.Publication, _ int64) { in.Release.Labels = []string{"prod", "beta"} },
			labels: map[string]int64{"prod": 2, "beta": 2},
		},
		{
			name:   "own external id and another",
			change: func(in *prompt.Publication, _ int64) { in.Release.ExternalIDs = []entity.ExternalRef{free, own} },
			pairs:  []entity.ExternalRef{own, free},
		},
		{name: "is_snippet", change: func(in *prompt.Publication, _ int64) { in.IsSnippet = new(false) }},
		{name: "a chat", change: func(in *prompt.Publication, _ int64) { in.Content = chat("hello") }},
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		shelf, other := r.folder("shelf"), r.folder("other")
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				old := r.publishAs(prompt.Publication{
					Name: "name", Tags: []string{"old"}, HasTags: true, FolderID: &shelf, Content: completion("x"),
					Release: registry.Release{Labels: []string{"prod"}, ExternalIDs: []entity.ExternalRef{own}},
				})
				defer r.remove(old.Entity.ID)
				in := prompt.Publication{Name: "name", Content: completion("x")} // the same content again
				test.change(&in, other)
				got := r.publishAs(in)
				want := old.Entity
				want.Tags = []string{"old"}
				if test.tags != nil {
					want.Tags = test.tags
				}
				if test.moved {
					want.FolderID = &other
				}
				want.LatestVersion, want.UpdatedAt = 2, got.Entity.UpdatedAt
				found := r.get("name", registry.Selector{})
				want.UpdatedAt = found.Entity.UpdatedAt
				check.Equal(t, "entity", found.Entity, want)
				check.Equal(t, "tags of the answer", got.Entity.Tags, want.Tags)
				check.Equal(t, "folder of the answer", got.Entity.FolderID, want.FolderID)
				check.Equal(t, "number", got.Version.Number, 2)
				if test.labels == nil {
					test.labels = map[string]int64{"prod": 1}
				}
				check.Equal(t, "labels", r.labelled("name"), test.labels)
				if test.pairs == nil {
					test.pairs = []entity.ExternalRef{own}
				}
				check.Equal(t, "external ids", refs(got.ExternalIDs), test.pairs)
				check.Equal(t, "first version", r.get("name", registry.Selector{Number: 1}).Content, completion("x"))
			})
		}
	})
}

func TestPublishAfterDelete(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		pair := entity.ExternalRef{Source: "crm", ID: "1"}
		in := prompt.Publication{Name: "name", Content: completion("x"), Release: registry.Release{
			Labels: []string{"prod"}, ExternalIDs: []entity.ExternalRef{pair},
		}}
		old := r.publishAs(in)
		r.remove(old.Entity.ID)
		got := r.publishAs(in)
		if got.Entity.ID == old.Entity.ID {
			t.Error("the deleted template came back")
		}
		check.Equal(t, "number", got.Version.Number, 1)
		check.Equal(t, "external ids", refs(got.ExternalIDs), []entity.ExternalRef{pair})
	})
}

func TestMovedLabelsKeepID(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("name", completion("1"), "prod")
		before := check.Must(r.Labels(r.ctx, r.workspace, "name"))(t)
		r.publish("name", completion("2"), "prod")
		after := check.Must(r.Labels(r.ctx, r.workspace, "name"))(t)
		if len(after) != 1 || after[0].ID != before[0].ID || after[0].VersionNumber != 2 {
			t.Errorf("got the labels %v after %v", after, before)
		}
	})
}

func TestIsSnippet(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	for _, test := range []struct {
		name    string
		content prompt.Content
		asked   *bool
		want    bool
	}{
		{"completion", completion("x"), nil, true},
		{"chat", chat("x"), nil, false},
		{"completion that is no snippet", completion("x"), new(false), false},
		{"chat that is a snippet", chat("x"), new(true), true},
	} {
		r.publishAs(prompt.Publication{Name: test.name, Content: test.content, IsSnippet: test.asked})
		r.publishAs(prompt.Publication{Name: test.name, Content: test.content, IsSnippet: new(!test.want)})
		check.Equal(t, test.name, r.get(test.name, registry.Selector{}).IsSnippet(), test.want)
	}
}

func TestNamesArePrecise(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		names := []string{"a", "A", " a", "a ", "á", "a\u0301", "a/b", "a:b#?%", "日本", strings.Repeat("字", 512), "%", "_"}
		ids := map[int64]string{}
		for _, name := range names {
			ids[r.publish(name, completion(name)).Entity.ID] = name
		}
		check.Equal(t, "templates", len(ids), len(names))
		for _, name := range names {
			check.Equal(t, "text", texts(r.get(name, registry.Selector{}).Expanded), []string{name})
		}
		_, err := r.Publish(r.ctx, r.workspace, prompt.Publication{Name: "a\x00", Content: completion("x")})
		check.Fault(t, err, fault.Invalid)
	})
}
