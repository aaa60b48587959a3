package eval

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// ListRuns returns a page of the runs of an evaluation, newest first, and their
// total number. The status decides whether archived runs are included. The
// fault is NotFound if the evaluation does not exist.
func (s *Service) ListRuns(ctx context.Context, workspace, id int64, status entity.Status, page entity.Page) ([]Run, int64, error) {
	if _, err := s.store.GetReport(ctx, workspace, id); err != nil {
		return nil, 0, reportNotFound(err)
	}
	return s.store.ListReportRuns(ctx, workspace, id, status, page)
}
