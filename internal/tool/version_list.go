package tool

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Outline is what a list shows of a version.
type Outline struct {
	// Function is the name that models call it by, "" where the definition says
	// none.
	Function string
	// Language is that of the code that runs it, "" where there is no code.
	Language string
}

// ListVersions returns a page of the versions of a tool, newest first, and how
// many there are in all. The fault is NotFound when there is no such tool.
func (s *Service) ListVersions(
	ctx context.Context, workspace int64, identifier string, page entity.Page,
) ([]entity.ListedVersion[Outline], int64, error) {
	owner, err := s.identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return entity.ListVersions(ctx, s.catalog, workspace, owner.ID, page, outline)
}

func outline(version *entity.Version) (Outline, error) {
	content, err := decode(version)
	return Outline{Function: content.FunctionName(), Language: content.Execution.Language}, err
}
