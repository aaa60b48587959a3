package prompt

import (
	"context"
	"strconv"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt/template"
	"github.com/promptuary/promptuary/internal/reqlog"
)

var _ reqlog.Prompts = (*Service)(nil)

// Resolve implements reqlog.Prompts.
func (s *Service) Resolve(ctx context.Context, workspace int64, ref reqlog.PromptRef) (reqlog.PromptLink, error) {
	chosen := entity.Selector{ID: ref.ID, Number: ref.Version, Label: ref.Label}
	if ref.ID == 0 {
		chosen.Name = ref.Name
	}
	found, err := s.catalog.FindVersion(ctx, workspace, entity.KindPrompt, chosen)
	if err != nil {
		return reqlog.PromptLink{}, err
	}
	if ref.Name != "" && found.Entity.Name != ref.Name {
		return reqlog.PromptLink{}, fault.BadRequestf("prompt_name and prompt_id denote different prompt templates")
	}
	tmpl, err := s.whole(ctx, workspace, &found)
	if err != nil {
		return reqlog.PromptLink{}, err
	}
	link := reqlog.PromptLink{ID: found.Entity.ID, Version: found.Version.Number}
	for _, variable := range tmpl.Get("input_variables").Elems() {
		if variable.Kind() == jsontree.String {
			link.Referenced = append(link.Referenced, variable.Str())
		}
	}
	return link, nil
}

// whole returns the template of a version with its snippets in place: what
// they mention, the version mentions.
func (s *Service) whole(ctx context.Context, workspace int64, found *entity.FoundVersion) (jsontree.Value, error) {
	content, err := decodeContent(&found.Version)
	if err != nil {
		return jsontree.Value{}, err
	}
	stored := tree(content.Template)
	if len(template.Refs(stored)) == 0 {
		return stored, nil
	}
	t, err := s.Get(ctx, workspace, strconv.FormatInt(found.Entity.ID, 10), Version{Number: found.Version.Number})
	if err != nil {
		return jsontree.Value{}, err
	}
	return t.expanded, nil
}

// IDs implements reqlog.Prompts.
func (s *Service) IDs(ctx context.Context, workspace int64, names []string) (map[string]int64, error) {
	return s.catalog.EntitiesByName(ctx, workspace, entity.KindPrompt, names)
}

// Names implements reqlog.Prompts.
func (s *Service) Names(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error) {
	return s.catalog.EntityNames(ctx, workspace, ids)
}
