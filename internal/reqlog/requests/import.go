package requests

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Imported is a row of an import.
type Imported struct {
	Input *reqlog.LogInput
	// Mark is a member of the metadata that says where the log comes from. It is
	// added after redaction, so that the logs of an import can be found whatever the
	// rules are.
	Mark reqlog.Member
	// Unlinked is set if the prompt that the row names is unknown. The log is stored
	// without a link to it.
	Unlinked error
}

// CheckImport returns the outcome that Import would have for each row. Nothing is
// stored.
func (s *Service) CheckImport(ctx context.Context, workspace int64, rows []Imported) ([]Outcome, error) {
	return s.eachImported(ctx, workspace, rows, func(*Imported, *reqlog.PromptLink) error { return nil })
}

// Import does what LogMany does for rows of an import. An unknown prompt does not
// refuse a row. If the logs cannot be stored, none is, and the error is returned.
func (s *Service) Import(ctx context.Context, workspace int64, rows []Imported) ([]Outcome, error) {
	var accepted []*reqlog.Log
	outcomes, err := s.eachImported(ctx, workspace, rows, func(row *Imported, link *reqlog.PromptLink) error {
		if err := s.completeImported(ctx, row, workspace, link); err != nil {
			return err
		}
		accepted = append(accepted, row.Input.Log)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return outcomes, s.ingest.Append(ctx, accepted...)
}

// eachImported resolves the prompts of rows and calls use for each.
func (s *Service) eachImported(
	ctx context.Context, workspace int64, rows []Imported, use func(row *Imported, link *reqlog.PromptLink) error,
) ([]Outcome, error) {
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(rows))
	resolver := promptResolver{prompts: s.prompts, workspace: workspace}
	for i := range rows {
		link, err := resolver.link(ctx, rows[i].Input)
		if fault.Is(err, fault.NotFound) {
			rows[i].Unlinked, err = err, nil
		}
		if err == nil {
			err = use(&rows[i], link)
		}
		switch {
		case err == nil:
			outcomes[i].Log = rows[i].Input.Log
		case fault.Is(err, fault.BadRequest) || fault.Is(err, fault.Invalid):
			outcomes[i].Err = err
		default:
			return nil, err // not the fault of the row
		}
	}
	return outcomes, nil
}

// completeImported is complete for a row of an import.
func (s *Service) completeImported(ctx context.Context, row *Imported, workspace int64, link *reqlog.PromptLink) error {
	in := row.Input
	in.Log.Workspace, in.Log.Prompt, in.Log.Source = workspace, link, reqlog.SourceImport
	if err := s.redact(ctx, in); err != nil {
		return err
	}
	in.Log.Metadata = reqlog.MergeMembers(slices.Clone(in.Log.Metadata), []reqlog.Member{row.Mark})
	in.Derive()
	return s.price(ctx, in.Log)
}

// ScanPart returns a part of the matching logs with their bodies, in the order of
// their ids: those with ids greater than after, at most limit.
func (s *Service) ScanPart(ctx context.Context, workspace int64, in query.Input, after int64, limit int) (*query.Scanned, error) {
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return nil, err
	}
	return s.store.ScanLogs(ctx, query.ScanQuery{Query: q, After: after, Last: s.store.LastID(), Limit: limit})
}
