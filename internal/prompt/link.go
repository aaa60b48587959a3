package prompt

import (
	"context"
	"maps"

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
		return s.find(ctx, workspace, chosen)
	})
	if err == nil && ref.Name != "" && t.Entity.Name != ref.Name {
		err = s.checkFormer(ctx, workspace, ref, t.Entity.ID)
	}
	if err != nil {
		return reqlog.PromptLink{}, err
	}
	return reqlog.PromptLink{
		ID: t.Entity.ID, Version: t.Version.Number, Referenced: t.variables, InferenceClient: t.Content.setting(inferenceClientKey).Str(),
	}, nil
}

// find finds a version by the id of its template, or by a name that the template has
// or had.
func (s *Service) find(ctx context.Context, workspace int64, chosen entity.Selector) (entity.FoundVersion, error) {
	found, err := s.store.FindVersion(ctx, workspace, entity.KindPrompt, chosen)
	if chosen.ID != 0 || !fault.Is(err, fault.NotFound) {
		return found, err
	}
	former, formerErr := s.store.FormerNames(ctx, workspace, entity.KindPrompt, []string{chosen.Name})
	if formerErr != nil {
		return found, formerErr
	}
	id, renamed := former[chosen.Name]
	if !renamed {
		return found, err
	}
	chosen.ID, chosen.Name = id, ""
	return s.store.FindVersion(ctx, workspace, entity.KindPrompt, chosen)
}

// checkFormer returns a fault unless the template with the id had the name before.
func (s *Service) checkFormer(ctx context.Context, workspace int64, ref reqlog.PromptRef, id int64) error {
	former, err := s.store.FormerNames(ctx, workspace, entity.KindPrompt, []string{ref.Name})
	switch {
	case err != nil:
		return err
	case former[ref.Name] == id:
		return nil
	case ref.ID != 0:
		return fault.BadRequestf("prompt_name and prompt_id refer to different prompt templates")
	}
	// It was cached under a name that a client had escaped twice.
	return fault.NotFoundf("prompt %q not found", ref.Name)
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
	former, err := s.store.FormerNames(ctx, workspace, entity.KindPrompt, names)
	if err != nil {
		return nil, err
	}
	maps.Copy(live, former) // no name is in both
	for name, id := range live {
		deleted[name] = append([]int64{id}, deleted[name]...)
	}
	return deleted, nil
}

// Names implements reqlog.Prompts.
func (s *Service) Names(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error) {
	return s.store.EntityNames(ctx, workspace, ids)
}
