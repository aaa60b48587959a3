package tool

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
)

// Definition is what a version of a tool looks like to those who offer it to a
// model.
type Definition struct {
	// ToolID and Number say which version it is.
	ToolID, Number int64
	// Name is what models call it by, "" where the definition says none.
	Name string
	// Text is the definition as it was written, an object.
	Text []byte
	// Runs says that the registry can run it.
	Runs bool
}

// Definitions returns the definitions of the versions that are chosen by the
// tools' ids; what is not there is left out. It takes a few queries, however
// many there are.
func (s *Service) Definitions(
	ctx context.Context, workspace int64, chosen []entity.Selector,
) (map[entity.Selector]Definition, error) {
	ids := make([]int64, len(chosen))
	for i, one := range chosen {
		ids[i] = one.ID
	}
	names, err := s.catalog.EntityNames(ctx, workspace, ids)
	if err != nil {
		return nil, err
	}
	all := map[entity.Selector]Definition{}
	for part := range slices.Chunk(chosen, readAtOnce) {
		if err := s.define(ctx, workspace, part, names, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// define adds the definitions of a few versions.
func (s *Service) define(
	ctx context.Context, workspace int64, chosen []entity.Selector, names map[int64]string, into map[entity.Selector]Definition,
) error {
	var refs []entity.Reference
	for _, one := range chosen {
		if name, known := names[one.ID]; known {
			refs = append(refs, entity.Reference{Name: name, Number: one.Number, Label: one.Label})
		}
	}
	found, err := s.catalog.VersionsByName(ctx, workspace, entity.KindTool, refs)
	if err != nil {
		return err
	}
	for i := range found {
		content, err := decode(&found[i].Version)
		if err != nil {
			return err
		}
		asked := entity.Selector{ID: found[i].Entity.ID, Number: found[i].Reference.Number, Label: found[i].Reference.Label}
		// A prompt may have the name of a tool: only the id says what was meant.
		if slices.Contains(chosen, asked) {
			into[asked] = Definition{
				ToolID: asked.ID, Number: found[i].Version.Number, Name: content.FunctionName(),
				Text: slices.Clone(content.Definition), // the code is not kept along with it
				Runs: content.Execution.runnable(),
			}
		}
	}
	return nil
}
