package requests

import (
	"context"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Delete deletes logs or their texts, as Ingester.Delete does.
func (s *Service) Delete(ctx context.Context, d reqlog.Deletion) error {
	return s.ingest.Delete(ctx, d)
}

// Reclaim removes what was deleted from the files of the store, as Store.Reclaim
// does.
func (s *Service) Reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (reqlog.Reclaimed, error) {
	return s.store.Reclaim(ctx, progress)
}

// TracesOfUser returns ids of traces of a user, at most limit, and their number.
func (s *Service) TracesOfUser(ctx context.Context, workspace int64, user string, limit int) (ids []string, total int64, err error) {
	q := query.Query{Workspace: workspace, Filter: query.Cond{Field: query.FieldTraceUser, Op: query.OpIs, Texts: []string{user}}}
	found, err := s.store.SearchTraces(ctx, query.SearchQuery{Query: q, Page: 1, PerPage: limit})
	for i := range found.Items {
		ids = append(ids, found.Items[i].ID)
	}
	return ids, found.Total, err
}
