package requests

import (
	"context"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

const (
	// previewLogs is the number of logs that a preview looks at.
	previewLogs = 100
	// maxExamples is the most replacements that a preview shows.
	maxExamples = 200
	// maxExample is the size of the texts in an example.
	maxExample = 500
)

// RedactionPreview is what rules would replace in logs that are stored.
type RedactionPreview struct {
	// Logs is the number of logs that were read, and Changed of those in which
	// something would be replaced.
	Logs, Changed int
	// Replaced has the number of replacements of each rule.
	Replaced []int64
	// Examples are some of them, in the order of the logs.
	Examples []RedactionExample
}

// RedactionExample is something in a log that a rule would replace.
type RedactionExample struct {
	LogID int64
	redact.Replacement
}

// PreviewRedaction applies rules to the first matching logs without storing
// anything. The fault is Invalid if a rule is.
func (s *Service) PreviewRedaction(ctx context.Context, workspace int64, in query.Input, list []redact.Rule) (RedactionPreview, error) {
	var problems fault.Problems
	redact.Check(list, fault.In("rules"), &problems)
	if err := problems.Err(); err != nil {
		return RedactionPreview{}, err
	}
	if err := access.Require(ctx, access.ManageData); err != nil {
		return RedactionPreview{}, err
	}
	rules, err := s.redactions.Compile(workspace, list)
	if err != nil {
		return RedactionPreview{}, err
	}
	q, err := s.query(ctx, workspace, in)
	if err != nil {
		return RedactionPreview{}, err
	}
	found, err := s.store.Search(ctx, query.SearchQuery{Query: q, SortBy: in.SortBy, SortKey: in.SortKey, Ascending: in.Ascending, Page: 1, PerPage: previewLogs})
	if err != nil {
		return RedactionPreview{}, err
	}
	preview := RedactionPreview{Replaced: make([]int64, len(list))}
	for _, item := range found.Items {
		if err := s.previewLog(ctx, item, rules, &preview); err != nil {
			return RedactionPreview{}, err
		}
	}
	return preview, nil
}

// previewLog adds what rules would replace in a log. One that can no longer be read
// is left out.
func (s *Service) previewLog(ctx context.Context, item *reqlog.Log, rules *redact.Rules, preview *RedactionPreview) error {
	stored, err := s.store.Get(ctx, item.Workspace, item.ID)
	if err != nil {
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Damaged) {
			return nil
		}
		return err
	}
	preview.Logs++
	copied := *stored
	pass := rules.NewPass(func(r redact.Replacement) {
		preview.Replaced[r.Rule]++
		if len(preview.Examples) < maxExamples {
			r.Before, r.After = shortened(r.Before), shortened(r.After)
			preview.Examples = append(preview.Examples, RedactionExample{item.ID, r})
		}
	})
	if in := (&reqlog.LogInput{Log: &copied}); in.Redact(pass) {
		preview.Changed++
	}
	return nil
}

// shortened returns the beginning of a text that is too long for an example.
func shortened(text string) string {
	if len(text) <= maxExample {
		return text
	}
	end := maxExample
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
