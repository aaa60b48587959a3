package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/demo"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

// demoPrompt is a prompt with its versions, oldest first.
type demoPrompt struct {
	name, folder string
	tags         []string
	// variables are those of the newest version.
	variables []string
	// jinja2 reports whether the texts are Jinja2 templates.
	jinja2   bool
	versions []promptVersion
}

// promptVersion is a version of a prompt. Without a user message it is a
// completion, as snippets are.
type promptVersion struct {
	system, user    string
	provider, model string
	// parameters is a JSON object, or empty.
	parameters string
	// tools are JSON objects; registered are the names of registered tools that
	// follow them.
	tools      []string
	registered []string
	commit     string
	labels     []string
}

// Links returns the prompts that logs refer to, with all their versions.
func Links() map[string]demo.Link {
	links := map[string]demo.Link{}
	for i := range demoPrompts {
		p := &demoPrompts[i]
		links[p.name] = demo.Link{Versions: len(p.versions), Variables: p.variables}
	}
	return links
}

func (f *Filler) addPrompts(ctx context.Context) error {
	for _, list := range [][]demoPrompt{demoSnippets, demoPrompts} {
		for i := range list {
			if err := f.addPrompt(ctx, &list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *Filler) addPrompt(ctx context.Context, p *demoPrompt) error {
	_, have, err := f.Prompts.ListVersions(ctx, f.Workspace, p.name, entity.Page{Limit: 1})
	if fault.Is(err, fault.NotFound) {
		have, err = 0, nil
	}
	for i := int(have); i < len(p.versions) && err == nil; i++ {
		err = f.publish(ctx, p, i)
	}
	return err
}

func (f *Filler) publish(ctx context.Context, p *demoPrompt, version int) error {
	v := &p.versions[version]
	tools, err := f.toolsOf(ctx, v)
	if err != nil {
		return err
	}
	_, err = f.Prompts.Publish(ctx, f.Workspace, prompt.Publication{
		Name: p.name, Tags: p.tags, HasTags: true, FolderID: f.FolderID(p.folder),
		Content: prompt.Content{Template: v.template(p.jinja2, tools), Metadata: v.metadata()},
		Release: registry.Release{CommitMessage: &v.commit, Labels: v.labels, Author: authorOf(version)},
	})
	return err
}

// toolsOf returns the tools of a version as JSON. Registered tools are
// referenced by id.
func (f *Filler) toolsOf(ctx context.Context, v *promptVersion) ([]string, error) {
	all := append([]string(nil), v.tools...)
	for _, name := range v.registered {
		found, err := f.Tools.Identify(ctx, f.Workspace, name)
		if err != nil {
			return nil, err
		}
		w := jsontree.NewWriter(nil)
		w.Object(func() {
			w.Key("type").String("registry")
			w.Key("tool_registry_id").Int(found.ID)
			w.Key("label").String("prod")
		})
		all = append(all, string(w.Bytes()))
	}
	return all, nil
}

func (v *promptVersion) template(jinja2 bool, tools []string) []byte {
	format := "f-string"
	if jinja2 {
		format = "jinja2"
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		if v.user == "" {
			w.Key("type").String("completion")
			writeContent(&w, format, v.system)
			return
		}
		w.Key("type").String("chat")
		w.Key("messages").Array(func() {
			writeMessage(&w, "system", format, v.system)
			writeMessage(&w, "user", format, v.user)
		})
		if len(tools) > 0 {
			w.Key("tool_choice").String("auto")
			w.Key("tools").Array(func() {
				for _, tool := range tools {
					w.Raw([]byte(tool))
				}
			})
		}
	})
	return w.Bytes()
}

func writeMessage(w *jsontree.Writer, role, format, text string) {
	w.Object(func() {
		w.Key("role").String(role)
		writeContent(w, format, text)
	})
}

// writeContent writes the members of a message or completion with its text.
func writeContent(w *jsontree.Writer, format, text string) {
	w.Key("template_format").String(format)
	w.Key("content").Array(func() {
		w.Object(func() {
			w.Key("type").String("text")
			w.Key("text").String(text)
		})
	})
}

func (v *promptVersion) metadata() []byte {
	if v.model == "" {
		return nil
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("model").Object(func() {
			w.Key("provider").String(v.provider)
			w.Key("name").String(v.model)
			if v.parameters != "" {
				w.Key("parameters").Raw([]byte(v.parameters))
			}
		})
	})
	return w.Bytes()
}

// testName is the name of the A/B test.
const testName = "Shorter replies"

// addTest adds an A/B test between the two newest versions of a prompt.
func (f *Filler) addTest(ctx context.Context) error {
	tested := &demoPrompts[0]
	found, err := f.Prompts.Get(ctx, f.Workspace, tested.name, registry.Selector{})
	if err != nil {
		return err
	}
	tests, err := f.Prompts.ABTests(ctx, f.Workspace, &found.Entity.ID)
	if err != nil || len(tests) > 0 {
		return err
	}
	newest := int64(len(tested.versions))
	_, err = f.Prompts.CreateABTest(ctx, f.Workspace, prompt.NewABTest{
		Name: testName, PromptID: found.Entity.ID, Label: "prod", FolderID: f.FolderID(replies), Author: &ada,
		Split: prompt.Split{Weights: []prompt.Weight{{Version: newest, Share: 80}, {Version: newest - 1, Share: 20}}},
	})
	if fault.Is(err, fault.NotFound) {
		return nil // the label was deleted, and the test with it
	}
	return err
}
