package prompt

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
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
	content, err := decodeContent(&found.Version)
	if err != nil {
		return reqlog.PromptLink{}, err
	}
	link := reqlog.PromptLink{ID: found.Entity.ID, Version: found.Version.Number}
	for _, variable := range tree(content.Template).Get("input_variables").Elems() {
		if variable.Kind() == jsontree.String {
			link.Referenced = append(link.Referenced, variable.Str())
		}
	}
	return link, nil
}

// IDs implements reqlog.Prompts.
func (s *Service) IDs(ctx context.Context, workspace int64, names []string) (map[string]int64, error) {
	return s.catalog.EntitiesByName(ctx, workspace, entity.KindPrompt, names)
}

// Names implements reqlog.Prompts.
func (s *Service) Names(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error) {
	return s.catalog.EntityNames(ctx, workspace, ids)
}
