package requests

import (
	"context"

	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Redactions has the redaction rules of workspaces.
type Redactions interface {
	// Rules returns the rules of a workspace.
	Rules(ctx context.Context, workspace int64) (*redact.Rules, error)
	// Compile returns rules of a workspace that are not stored.
	Compile(workspace int64, list []redact.Rule) (*redact.Rules, error)
}

// rulesOf returns the redaction rules of a workspace, nil if they replace nothing.
func (s *Service) rulesOf(ctx context.Context, workspace int64) (*redact.Rules, error) {
	if s.redactions == nil {
		return nil, nil
	}
	rules, err := s.redactions.Rules(ctx, workspace)
	if err != nil || rules.Empty() {
		return nil, err
	}
	return rules, nil
}

// redact applies the redaction rules of its workspace to a log.
func (s *Service) redact(ctx context.Context, in *reqlog.LogInput) error {
	rules, err := s.rulesOf(ctx, in.Log.Workspace)
	if err != nil || rules == nil {
		return err
	}
	in.Redact(rules.NewPass(nil))
	return nil
}

// redactAnnotation applies the redaction rules of its workspace to an annotation.
func (s *Service) redactAnnotation(ctx context.Context, change *reqlog.Change) error {
	rules, err := s.rulesOf(ctx, change.Workspace)
	if err != nil || rules == nil {
		return err
	}
	change.Annotation.Redact(rules.NewPass(nil))
	return nil
}

// redactSpans applies the redaction rules of a workspace to spans, whose logs are
// at the same places.
func (s *Service) redactSpans(ctx context.Context, workspace int64, spans []*reqlog.Span, logs []*reqlog.Log) error {
	rules, err := s.rulesOf(ctx, workspace)
	if err != nil || rules == nil {
		return err
	}
	reqlog.RedactSpans(rules.NewPass(nil), spans, func(i int) { spans[i].Index = s.spanIndex(spans[i], logs[i]) })
	return nil
}
