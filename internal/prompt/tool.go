package prompt

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/tool"
)

// Tools is the part of the tool registry that templates use.
type Tools interface {
	// Definitions returns the definitions of the versions selected by tool id;
	// unknown versions are omitted.
	Definitions(ctx context.Context, workspace int64, chosen []entity.Selector) (map[entity.Selector]tool.Definition, error)
}

const (
	// maxTools is the maximum number of different registry tools of one template.
	// No provider accepts as many.
	maxTools = 200
	// maxToolTexts limits the definitions of one template, counted for each use.
	maxToolTexts = 4 << 20
)

// resolveTools replaces references to the tool registry by definitions.
// Unresolved references are removed.
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
	if _, err := jsontree.Parse(t.Expanded); err != nil { // exceeds the limits of the parser
		t.Tools = nil
		t.putTools(expanded, nil)
	}
	return nil
}

// chosenTools returns the tools that a template refers to, without duplicates.
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

// toolSelector returns the selected version of a tool: the one with the label,
// else the one with the number, else the latest.
func toolSelector(v jsontree.Value) (entity.Selector, bool) {
	if v.Get("type").Str() != "registry" {
		return entity.Selector{}, false
	}
	id, _ := v.Get("tool_registry_id").Int()
	number, _ := v.Get("version_number").Int()
	return entity.Selector{ID: id, Number: number, Label: v.Get("label").Str()}, true
}

// putTools replaces resolved references, and warns of the others.
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
		definition.Text = nil // now part of the template
		t.Tools = append(t.Tools, definition)
	}
	t.Expanded = replaceMember(expanded, "tools", kept.Bytes())
}

// fitsTools reports whether a definition can be nested in a template without
// exceeding the maximum depth.
func fitsTools(definition []byte) bool {
	_, err := jsontree.Parse(slices.Concat([]byte("[["), definition, []byte("]]")))
	return err == nil
}

func (t *Template) warn(text string) {
	if len(t.warnings) < maxWarnings && !slices.Contains(t.warnings, text) {
		t.warnings = append(t.warnings, text)
	}
}
