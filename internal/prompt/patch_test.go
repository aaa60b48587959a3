package prompt_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
)

func (r *suite) patch(identifier string, patch prompt.Patch) *prompt.Record {
	r.t.Helper()
	return check.Must(r.Patch(r.ctx, r.workspace, identifier, patch))(r.t)
}

// second replaces the second message.
func second(text string) template.Changes {
	return template.Changes{Messages: check.JSON(`{"1":` + message(text) + `}`)}
}

func TestPatchBase(t *testing.T) {
	tests := []struct {
		name string
		base registry.Selector
		want []string
	}{
		{"latest", registry.Selector{}, []string{"c", "new"}},
		{"version", registry.Selector{Number: 1}, []string{"a", "new"}},
		{"label", registry.Selector{Label: "prod"}, []string{"b", "new"}},
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				owner := r.publish("talk", chat("a", "x")).Entity.ID
				defer r.remove(owner)
				r.publish("talk", chat("b", "x"), "prod")
				r.publish("talk", chat("c", "x"))
				before := r.contents().Versions[owner]
				got := r.patch("talk", prompt.Patch{Base: test.base, Changes: second("new")})
				check.Equal(t, "number", got.Version.Number, 4)
				check.Equal(t, "texts", texts(got.Content.Template), test.want)
				check.Equal(t, "labels", r.labelled("talk"), map[string]int64{"prod": 2})
				check.Equal(t, "older versions", r.contents().Versions[owner][1:], before)
				check.Equal(t, "stored", r.get("talk", registry.Selector{}).Content, got.Content)
			})
		}
	})
}

func TestPatchKeepsTheRest(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		folder := r.folder("shelf")
		content := chat("a", "b")
		content.Metadata = []byte(`{"model":{"provider":"openai","name":"gpt","parameters":{"temperature":1.0,"big":12345678901234567890,"nested":{"a":1,"b":2}}},"own":{"x":1e3}}`)
		content.Settings = []prompt.Setting{{Name: "provider_id", Value: []byte(`3`)}}
		old := r.publishAs(prompt.Publication{
			Name: "talk/1", Tags: []string{"t"}, HasTags: true, FolderID: &folder, Content: content,
			Release: registry.Release{
				CommitMessage: new("first"), Labels: []string{"prod"}, ExternalIDs: []entity.ExternalRef{free},
			},
		})
		got := r.patch("talk/1", prompt.Patch{
			Changes: second("new"), ModelParameters: check.JSON(`{"nested":{"c":3.50},"top_p":null}`),
			ResponseFormat: check.JSON(`{"type":"json_object"}`), Release: registry.Release{Labels: []string{"beta"}},
		})
		want := `{"model":{"provider":"openai","name":"gpt","parameters":{"temperature":1.0,"big":12345678901234567890,` +
			`"nested":{"c":3.50},"top_p":null,"response_format":{"type":"json_object"}}},"own":{"x":1e3}}`
		check.Equal(t, "metadata", string(got.Content.Metadata), want)
		check.Equal(t, "settings", got.Content.Settings, content.Settings)
		if got.Version.CommitMessage != nil {
			t.Errorf("the message %q of the base was copied", *got.Version.CommitMessage)
		}
		found := r.get("talk/1", registry.Selector{})
		entity := old.Entity
		entity.LatestVersion, entity.UpdatedAt = 2, found.Entity.UpdatedAt
		check.Equal(t, "entity", found.Entity, entity)
		check.Equal(t, "stored content", found.Content, got.Content)
		check.Equal(t, "labels", r.labelled("talk/1"), map[string]int64{"prod": 1, "beta": 2})
		check.Equal(t, "external ids", refs(got.ExternalIDs), refs(old.ExternalIDs))
	})
}

func TestPatchMetadata(t *testing.T) {
	const base = `{"model":{"provider":"p","name":"n","parameters":{"a":1,"response_format":{"type":"text"}}},"own":1}`
	tests := []struct {
		name               string
		metadata           string
		parameters, format string
		want               string
	}{
		{"nothing", base, ``, ``, base},
		{"empty parameters", base, `{}`, ``, base},
		{"parameter", base, `{"b":2}`, ``, `{"model":{"provider":"p","name":"n","parameters":{"a":1,"response_format":{"type":"text"},"b":2}},"own":1}`},
		{"format", base, ``, `{"type":"x"}`, `{"model":{"provider":"p","name":"n","parameters":{"a":1,"response_format":{"type":"x"}}},"own":1}`},
		{"no format", base, ``, `null`, `{"model":{"provider":"p","name":"n","parameters":{"a":1}},"own":1}`},
		{"format within parameters", base, `{"response_format":null}`, ``, `{"model":{"provider":"p","name":"n","parameters":{"a":1,"response_format":null}},"own":1}`},
		{"no metadata", ``, `{"a":1}`, ``, `{"model":{"parameters":{"a":1}}}`},
		{"no metadata and no format", ``, ``, `null`, ``},
		{"no model", `{"own":1}`, ``, `{"type":"x"}`, `{"model":{"parameters":{"response_format":{"type":"x"}}},"own":1}`},
	}
	value := func(text string) (v jsontree.Value) {
		if text != "" {
			v = check.JSON(text)
		}
		return v
	}
	t.Parallel()
	r := onSQLite(t)
	for _, test := range tests {
		content := chat("a")
		content.Metadata = []byte(test.metadata)
		r.publish("talk", content)
		got := r.patch("talk", prompt.Patch{ModelParameters: value(test.parameters), ResponseFormat: value(test.format)})
		check.Equal(t, test.name, string(got.Content.Metadata), test.want)
		check.Equal(t, test.name+", stored", string(r.get("talk", registry.Selector{}).Content.Metadata), test.want)
	}
}

func TestRejectedPatches(t *testing.T) {
	changes := func(c template.Changes) prompt.Patch { return prompt.Patch{Changes: c} }
	tests := []struct {
		name       string
		identifier string
		patch      prompt.Patch
		want       fault.Kind
	}{
		{"unknown template", "nothing", prompt.Patch{}, fault.NotFound},
		{"deleted template", "gone", prompt.Patch{}, fault.NotFound},
		{"unknown version", "talk", prompt.Patch{Base: registry.Selector{Number: 2}}, fault.NotFound},
		{"unknown label", "talk", prompt.Patch{Base: registry.Selector{Label: "x"}}, fault.NotFound},
		{"index past the end", "talk", changes(second("x")), fault.BadRequest},
		{"negative index", "talk", changes(template.Changes{Messages: check.JSON(`{"-1":` + message("x") + `}`)}), fault.BadRequest},
		{"index that is not a number", "talk", changes(template.Changes{Messages: check.JSON(`{"a":` + message("x") + `}`)}), fault.BadRequest},
		{"index with a leading zero", "talk", changes(template.Changes{Messages: check.JSON(`{"00":` + message("x") + `}`)}), fault.BadRequest},
		{"null for a message", "talk", changes(template.Changes{Messages: check.JSON(`{"0":null}`)}), fault.BadRequest},
		{"tool of a template without tools", "talk", changes(template.Changes{Tools: check.JSON(`{"0":{"type":"x"}}`)}), fault.BadRequest},
		{"content of a chat", "talk", changes(template.Changes{Content: check.JSON(items("x"))}), fault.BadRequest},
		{"messages of a completion", "part", changes(template.Changes{Messages: check.JSON(`[]`)}), fault.BadRequest},
		{"null tools of a completion", "part", changes(template.Changes{Tools: check.JSON(`null`)}), fault.BadRequest},
		{"text for messages", "talk", changes(template.Changes{Messages: check.JSON(`"x"`)}), fault.Invalid},
		{"empty role", "talk", changes(template.Changes{Messages: check.JSON(`[{"role":"","content":[]}]`)}), fault.Invalid},
		{"unknown snippet", "talk", changes(template.Changes{Messages: check.JSON(`[` + message("@@@x@@@") + `]`)}), fault.Invalid},
		{"format twice", "talk", prompt.Patch{ModelParameters: check.JSON(`{"response_format":{}}`), ResponseFormat: check.JSON(`{}`)}, fault.BadRequest},
		{"format twice, null", "talk", prompt.Patch{ModelParameters: check.JSON(`{"response_format":1}`), ResponseFormat: check.JSON(`null`)}, fault.BadRequest},
		{"parameters that are not an object", "talk", prompt.Patch{ModelParameters: check.JSON(`[]`)}, fault.Invalid},
		{"empty label", "talk", prompt.Patch{Release: registry.Release{Labels: []string{"prod", ""}}}, fault.Invalid},
	}
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("talk", chat("a"), "prod")
		r.publish("part", completion("a"))
		r.remove(r.publish("gone", chat("a")).Entity.ID)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				test.patch.Release.Labels = append([]string{"prod", "new"}, test.patch.Release.Labels...)
				r.unchanged(func() {
					_, err := r.Patch(r.ctx, r.workspace, test.identifier, test.patch)
					check.Fault(t, err, test.want)
				})
			})
		}
		_, err := r.Patch(r.ctx, r.other, "talk", prompt.Patch{})
		check.Fault(t, err, fault.NotFound)
	})
}

func TestPatchOfTools(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	const tool = `{"type":"function","function":{"name":"f","description":"","strict":false,"parameters":{"x":1.50}}}`
	base := prompt.Content{Template: template.Normalize(check.JSON(
		`{"type":"chat","messages":[],"tools":[` + tool + `],"tool_choice":"auto"}`))}
	for _, test := range []struct {
		name, tools, choice string
		want, wantChoice    string
	}{
		{"kept", ``, ``, `[` + tool + `]`, `"auto"`},
		{"removed", `null`, `null`, `null`, `null`},
		{"emptied", `[]`, `{"any":[1]}`, `[]`, `{"any":[1]}`},
	} {
		var changes template.Changes
		if test.tools != "" {
			changes.Tools, changes.ToolChoice = check.JSON(test.tools), check.JSON(test.choice)
		}
		r.publish("talk", base)
		got := check.JSON(string(r.patch("talk", prompt.Patch{Changes: changes}).Content.Template))
		check.Equal(t, test.name, string(got.Get("tools").Raw()), test.want)
		check.Equal(t, test.name, string(got.Get("tool_choice").Raw()), test.wantChoice)
	}
}

func TestEmptyPatchIsACopy(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		old := r.publish("talk", chat("a {x}", "b"), "prod")
		got := r.patch("talk", prompt.Patch{Release: registry.Release{CommitMessage: new("copy")}})
		check.Equal(t, "number", got.Version.Number, 2)
		check.Equal(t, "content", got.Content, old.Content)
		check.Equal(t, "message", got.Version.CommitMessage, new("copy"))
		check.Equal(t, "labels", r.labelled("talk"), map[string]int64{"prod": 1})
	})
}
