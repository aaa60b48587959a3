package registry

import (
	"context"
	"strconv"

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
		all = append(all, `{"type":"registry","tool_registry_id":`+strconv.FormatInt(found.ID, 10)+`,"label":"prod"}`)
	}
	return all, nil
}

func (v *promptVersion) template(jinja2 bool, tools []string) []byte {
	format := "f-string"
	if jinja2 {
		format = "jinja2"
	}
	if v.user == "" {
		return append(appendText([]byte(`{"type":"completion","template_format":"`+format+`","content":`), v.system), '}')
	}
	text := []byte(`{"type":"chat","messages":[{"role":"system","template_format":"` + format + `","content":`)
	text = appendText(text, v.system)
	text = appendText(append(text, `},{"role":"user","template_format":"`+format+`","content":`...), v.user)
	text = append(text, `}]`...)
	for i, tool := range tools {
		text = append(text, [...]string{`,"tool_choice":"auto","tools":[`, `,`}[min(i, 1)]...)
		text = append(text, tool...)
	}
	if len(tools) > 0 {
		text = append(text, ']')
	}
	return append(text, '}')
}

// appendText appends the content of a message.
func appendText(dst []byte, text string) []byte {
	dst = append(dst, `[{"type":"text","text":`...)
	return append(jsontree.AppendQuoted(dst, text), `}]`...)
}

func (v *promptVersion) metadata() []byte {
	if v.model == "" {
		return nil
	}
	text := `{"model":{"provider":"` + v.provider + `","name":"` + v.model + `"`
	if v.parameters != "" {
		text += `,"parameters":` + v.parameters
	}
	return []byte(text + `}}`)
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
