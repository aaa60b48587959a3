package prompt

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
)

// Usage tells where a template is used as a snippet.
type Usage struct {
	Name    string
	Prompts []PromptUsage
	Labels  []LabelUsage
}

// PromptUsage is a template with versions that use the snippet.
type PromptUsage struct {
	ID       int64
	Name     string
	Versions []int64
}

// LabelUsage is a release label on a version that uses the snippet.
type LabelUsage struct {
	ID    int64
	Name  string
	Label string
}

// Usage returns the versions that use a template as a snippet. With a number,
// only references that currently resolve to that version count. The fault is
// NotFound for an unknown template or version.
func (s *Service) Usage(ctx context.Context, workspace int64, identifier string, number int64) (*Usage, error) {
	found, err := s.registry.Select(ctx, workspace, identifier, registry.Selector{Number: number})
	if err != nil {
		return nil, err
	}
	referring, err := s.store.ListReferences(ctx, workspace, found.Entity.Name)
	if err != nil {
		return nil, err
	}
	leads, err := s.leadsTo(ctx, workspace, found.Entity, number)
	if err != nil {
		return nil, err
	}
	usage := &Usage{Name: found.Entity.Name}
	users := map[int64]bool{} // by version id
	for _, version := range referring {
		if !leads(version.Reference) || users[version.VersionID] {
			continue
		}
		users[version.VersionID] = true
		last := len(usage.Prompts) - 1
		if last < 0 || usage.Prompts[last].ID != version.EntityID {
			usage.Prompts = append(usage.Prompts, PromptUsage{ID: version.EntityID, Name: version.EntityName})
			last++
		}
		usage.Prompts[last].Versions = append(usage.Prompts[last].Versions, version.VersionNumber)
	}
	return usage, s.addLabels(ctx, workspace, usage, users)
}

// leadsTo returns a function that reports whether a reference to the template
// currently resolves to the version with the number. Without a number all do.
func (s *Service) leadsTo(
	ctx context.Context, workspace int64, snippet entity.Entity, number int64,
) (func(entity.Reference) bool, error) {
	if number == 0 {
		return func(entity.Reference) bool { return true }, nil
	}
	labels, err := s.store.ListLabels(ctx, workspace, snippet.ID)
	if err != nil {
		return nil, err
	}
	labelled := map[string]int64{}
	for _, label := range labels {
		labelled[label.Name] = label.VersionNumber
	}
	return func(ref entity.Reference) bool {
		switch {
		case ref.Label != "":
			return labelled[ref.Label] == number
		case ref.Number != 0:
			return ref.Number == number
		default:
			return snippet.LatestVersion == number
		}
	}, nil
}

// addLabels adds the labels that point at one of the versions.
func (s *Service) addLabels(ctx context.Context, workspace int64, usage *Usage, users map[int64]bool) error {
	ids := make([]int64, len(usage.Prompts))
	for i, prompt := range usage.Prompts {
		ids[i] = prompt.ID
	}
	labels, err := s.store.LabelsByEntity(ctx, workspace, ids)
	if err != nil {
		return err
	}
	for _, prompt := range usage.Prompts {
		for _, label := range labels[prompt.ID] {
			if users[label.VersionID] {
				usage.Labels = append(usage.Labels, LabelUsage{ID: prompt.ID, Name: prompt.Name, Label: label.Name})
			}
		}
	}
	return nil
}
