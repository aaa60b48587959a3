package prompt

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// Snippet is a resolved reference of a template to another.
type Snippet struct {
	Name    string
	Version int64
	// Label is the label in the reference, "" if it has none.
	Label string
}

const (
	// maxNesting is the maximum nesting depth of snippets.
	maxNesting = 30
	// maxTexts limits the texts of all snippets of one template, with nested ones
	// counted for each use: otherwise a few snippets that each use the next one
	// ten times would fill the memory.
	maxTexts = 4 * template.MaxExpanded
	// maxSnippets is the maximum number of different references of one template,
	// including nested ones.
	maxSnippets = 1000
	// maxWarnings is the maximum number of warnings about unresolved tags.
	maxWarnings = 50
)

// snippets are all templates that a template refers to, directly or indirectly.
type snippets map[template.Ref]*snippet

type snippet struct {
	version int64
	entity  int64
	// isText reports whether it can be used as a snippet: it is a completion.
	isText bool
	text   string
	refs   []template.Ref
}

// gather finds the snippets that a template refers to, with one query per
// nesting level. It omits unresolved references and those beyond the limits.
func (s *Service) gather(ctx context.Context, workspace int64, tmpl jsontree.Value) (snippets, error) {
	found := snippets{}
	asked := map[template.Ref]bool{}
	next := template.Refs(tmpl)
	for level := 0; len(next) > 0 && level <= maxNesting; level++ {
		next = next[:min(len(next), maxSnippets-len(asked))]
		wanted := make([]entity.Reference, len(next))
		for i, ref := range next {
			wanted[i], asked[ref] = reference(ref), true
		}
		versions, err := s.store.VersionsByName(ctx, workspace, entity.KindPrompt, wanted)
		if err != nil {
			return nil, err
		}
		next = nil
		for i := range versions {
			one, err := newSnippet(&versions[i])
			if err != nil {
				return nil, err
			}
			asking := versions[i].Reference
			found[template.Ref{Name: asking.Name, Version: asking.Number, Label: asking.Label}] = one
			next = append(next, one.refs...)
		}
		next = slices.DeleteFunc(distinct(next), func(ref template.Ref) bool { return asked[ref] })
	}
	return found, nil
}

func newSnippet(found *entity.FoundVersion) (*snippet, error) {
	content, err := decodeContent(&found.Version)
	if err != nil {
		return nil, err
	}
	one := &snippet{version: found.Version.Number, entity: found.Entity.ID}
	tmpl := tree(content.Template)
	if one.isText = template.KindOf(tmpl) == template.Completion; one.isText {
		one.text = template.SnippetText(tmpl)
		one.refs = template.Refs(tmpl) // a tag never spans items
	}
	return one, nil
}

func isCompletion(tmpl []byte) bool { return template.KindOf(tree(tmpl)) == template.Completion }

// templateLoc is the location of the template in a publication.
var templateLoc = fault.In("prompt_version", templateKey)

// checkSnippets rejects a new version with tags that cannot be resolved, refer
// to a chat, or lead back to itself.
func (s *Service) checkSnippets(ctx context.Context, workspace int64, version entity.Version, content Content) error {
	tmpl := tree(content.Template)
	if len(template.Refs(tmpl)) == 0 {
		return nil
	}
	found, err := s.gather(ctx, workspace, tmpl)
	if err != nil {
		return err
	}
	var problems fault.Problems
	w := walk{found: found, home: version}
	for _, ref := range template.Refs(tmpl) {
		if reason := w.follow(ref, nil); reason != "" {
			problems.Add(templateLoc, "value_error", "snippet %q %s", ref.Name, reason)
		}
	}
	return problems.Err()
}

// walk follows references depth first.
type walk struct {
	found snippets
	home  entity.Version
	done  map[template.Ref]bool // known to be free of cycles
}

// follow describes what is wrong with a reference, "" if nothing is. Only
// direct references of the new version must exist: problems further down
// existed before.
func (w *walk) follow(ref template.Ref, path []template.Ref) string {
	one, ok := w.found[ref]
	switch {
	case !ok && len(path) == 0:
		return "does not exist, or not in the version or with the label that is given"
	case !ok || w.done[ref]:
		return ""
	case !one.isText && len(path) == 0:
		return "is a chat template; only completion templates can be used as snippets"
	case one.entity == w.home.EntityID && one.version == w.home.Number:
		return "leads back to this template"
	case slices.Contains(path, ref):
		return "contains itself"
	case len(path) >= maxNesting:
		return "is nested too deeply"
	}
	for _, inner := range one.refs {
		if reason := w.follow(inner, append(path, ref)); reason != "" {
			return reason
		}
	}
	if w.done == nil {
		w.done = map[template.Ref]bool{}
	}
	w.done[ref] = true
	return ""
}

// expansion replaces tags by the texts of snippets.
type expansion struct {
	found snippets
	texts map[template.Ref]string // expanded
	path  []template.Ref
	size  int // of the texts
	// list has every reference that was followed, without duplicates.
	list     []Snippet
	warnings []string
}

// expand returns the template with all snippets expanded.
func (e *expansion) expand(tmpl jsontree.Value) []byte { return template.Expand(tmpl, e.resolve) }

func (e *expansion) resolve(ref template.Ref) (string, bool) {
	if text, ok := e.texts[ref]; ok {
		return text, true
	}
	one, ok := e.found[ref]
	if !ok || !one.isText || slices.Contains(e.path, ref) || len(e.path) >= maxNesting || e.size > maxTexts {
		e.warn(ref)
		return "", false
	}
	e.list = append(e.list, Snippet{Name: ref.Name, Version: one.version, Label: ref.Label})
	e.path = append(e.path, ref)
	text := template.ExpandText(one.text, e.resolve)
	e.path = e.path[:len(e.path)-1]
	e.texts[ref] = text
	e.size += len(text)
	return text, true
}

// warnOfRest warns about tags that were resolved but not expanded, because the
// template would have become too large.
func (e *expansion) warnOfRest(expanded []byte) {
	for _, ref := range template.Refs(tree(expanded)) {
		if _, known := e.texts[ref]; known {
			e.warn(ref)
		}
	}
}

func (e *expansion) warn(ref template.Ref) {
	text := "Snippet " + ref.Name + " could not be resolved"
	if len(e.warnings) < maxWarnings && !slices.Contains(e.warnings, text) {
		e.warnings = append(e.warnings, text)
	}
}
