package tool

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
)

// Definition is a version of a tool as it is offered to a model.
type Definition struct {
	// ToolID and Number identify the version.
	ToolID, Number int64
	// Name is the name by which models call it, empty if the definition has
	// none.
	Name string
	// Text is the definition as the client wrote it, an object.
	Text []byte
	// Runs reports whether the registry can run it.
	Runs bool
}

// Definitions returns the definitions of the selected versions, by selectors
// with the tools' ids. Versions that do not exist are omitted. It takes a few
// queries for any number of selectors.
func (s *Service) Definitions(
	ctx context.Context, workspace int64, chosen []entity.Selector,
) (map[entity.Selector]Definition, error) {
	ids := make([]int64, len(chosen))
	for i, one := range chosen {
		ids[i] = one.ID
	}
	names, err := s.store.EntityNames(ctx, workspace, ids)
	if err != nil {
		return nil, err
	}
	all := map[entity.Selector]Definition{}
	for part := range slices.Chunk(chosen, versionsPerRead) {
		if err := s.define(ctx, workspace, part, names, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// define adds the definitions of some of the versions.
func (s *Service) define(
	ctx context.Context, workspace int64, chosen []entity.Selector, names map[int64]string, into map[entity.Selector]Definition,
) error {
	var refs []entity.Reference
	for _, one := range chosen {
		if name, known := names[one.ID]; known {
			refs = append(refs, entity.Reference{Name: name, Number: one.Number, Label: one.Label})
		}
	}
	found, err := s.store.VersionsByName(ctx, workspace, entity.KindTool, refs)
	if err != nil {
		return err
	}
	for i := range found {
		content, err := decode(&found[i].Version)
		if err != nil {
			return err
		}
		asked := entity.Selector{ID: found[i].Entity.ID, Number: found[i].Reference.Number, Label: found[i].Reference.Label}
		// The id of another entity may have matched the name of a tool.
		if slices.Contains(chosen, asked) {
			into[asked] = Definition{
				ToolID: asked.ID, Number: found[i].Version.Number, Name: content.FunctionName(),
				Text: slices.Clone(content.Definition), // allow the body with the code to be freed
				Runs: content.Execution.runnable(),
			}
		}
	}
	return nil
}
