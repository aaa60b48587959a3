package prompt

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/tool"
)

// Tools is the registry of tools, as far as templates need it.
type Tools interface {
	// Definitions returns the definitions of the versions that are chosen by
	// the tools' ids; what is not there is left out.
	Definitions(ctx context.Context, workspace int64, chosen []entity.Selector) (map[entity.Selector]tool.Definition, error)
}

// UseTools says where the tools are that templates refer to. It is called
// before anything else; without it such references lead nowhere.
func (s *Service) UseTools(tools Tools) { s.tools = tools }

const (
	// maxTools bounds how many different tools of the registry are looked up
	// for one template. No provider takes as many.
	maxTools = 200
	// maxToolTexts bounds the definitions of one template, counted wherever
	// they are used.
	maxToolTexts = 4 << 20
)

// resolveTools puts the definitions of tools in place of references to the tool
// registry. References that lead nowhere are taken out.
func (s *Service) resolveTools(ctx context.Context, workspace int64, t *Template) error {
	expanded := tree(t.Expanded)
	chosen := chosenTools(expanded)
	if len(chosen) == 0 {
		return nil
	}
	var found map[entity.Selector]tool.Definition
	if s.tools != nil {
		var err error
		if found, err = s.tools.Definitions(ctx, workspace, chosen); err != nil {
			return err
		}
	}
	t.putTools(expanded, found)
	if _, err := jsontree.Parse(t.Expanded); err != nil { // more than one text may hold
		t.Tools = nil
		t.putTools(expanded, nil)
	}
	return nil
}

// chosenTools returns the tools that a template refers to, each once.
func chosenTools(expanded jsontree.Value) []entity.Selector {
	var chosen []entity.Selector
	for _, one := range expanded.Get("tools").Elems() {
		if selector, ok := toolSelector(one); ok {
			chosen = append(chosen, selector)
		}
	}
	chosen = distinct(chosen)
	return chosen[:min(len(chosen), maxTools)]
}

// toolSelector returns which version of a tool is meant: the one with the
// label, else the one with the number, else the latest.
func toolSelector(v jsontree.Value) (entity.Selector, bool) {
	if v.Get("type").Str() != "registry" {
		return entity.Selector{}, false
	}
	id, _ := v.Get("tool_registry_id").Int()
	number, _ := v.Get("version_number").Int()
	return entity.Selector{ID: id, Number: number, Label: v.Get("label").Str()}, true
}

// putTools replaces references by what was found, and warns of the others.
func (t *Template) putTools(expanded jsontree.Value, found map[entity.Selector]tool.Definition) {
	var kept jsontree.List
	size := 0
	for _, one := range expanded.Get("tools").Elems() {
		selector, isReference := toolSelector(one)
		if !isReference {
			kept.AddValue(one)
			continue
		}
		definition, ok := found[selector]
		if size += len(definition.Text); !ok || size > maxToolTexts || !fitsTools(definition.Text) {
			t.warn("Registry tool " + string(one.Get("tool_registry_id").Raw()) + " could not be resolved")
			continue
		}
		kept.Add(func(w *jsontree.Writer) { w.Raw(definition.Text) })
		definition.Text = nil // it is part of the template now
		t.Tools = append(t.Tools, definition)
	}
	t.Expanded = replaceMember(expanded, "tools", kept.Bytes())
}

// fitsTools reports whether a definition is not nested too deeply to be one of
// a template's tools.
func fitsTools(definition []byte) bool {
	_, err := jsontree.Parse(slices.Concat([]byte("[["), definition, []byte("]]")))
	return err == nil
}

func (t *Template) warn(text string) {
	if len(t.warnings) < maxWarnings && !slices.Contains(t.warnings, text) {
		t.warnings = append(t.warnings, text)
	}
}
