package prompt

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

var _ reqlog.Prompts = (*Service)(nil)

// Resolve implements reqlog.Prompts.
func (s *Service) Resolve(ctx context.Context, workspace int64, ref reqlog.PromptRef) (reqlog.PromptLink, error) {
	chosen := entity.Selector{ID: ref.ID, Number: ref.Version, Label: ref.Label}
	if ref.ID == 0 {
		chosen.Name = ref.Name
	}
	t, err := s.cached(ctx, workspace, chosen, func() (entity.FoundVersion, error) {
		return s.store.FindVersion(ctx, workspace, entity.KindPrompt, chosen)
	})
	switch {
	case err != nil:
		return reqlog.PromptLink{}, err
	case ref.Name != "" && t.Entity.Name != ref.Name && ref.ID != 0:
		return reqlog.PromptLink{}, fault.BadRequestf("prompt_name and prompt_id refer to different prompt templates")
	case ref.Name != "" && t.Entity.Name != ref.Name:
		// It was cached under a name that a client had escaped twice.
		return reqlog.PromptLink{}, fault.NotFoundf("prompt %q not found", ref.Name)
	}
	return reqlog.PromptLink{
		ID: t.Entity.ID, Version: t.Version.Number, Referenced: t.variables, InferenceClient: t.Content.setting(inferenceClientKey).Str(),
	}, nil
}

// IDs implements reqlog.Prompts.
func (s *Service) IDs(ctx context.Context, workspace int64, names []string) (map[string][]int64, error) {
	live, err := s.store.EntitiesByName(ctx, workspace, entity.KindPrompt, names)
	if err != nil {
		return nil, err
	}
	deleted, err := s.store.DeletedByName(ctx, workspace, entity.KindPrompt, names)
	if err != nil {
		return nil, err
	}
	for name, id := range live {
		deleted[name] = append([]int64{id}, deleted[name]...)
	}
	return deleted, nil
}

// Names implements reqlog.Prompts.
func (s *Service) Names(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error) {
	return s.store.EntityNames(ctx, workspace, ids)
}
