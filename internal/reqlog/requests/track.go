package requests

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Track stores a log of a call that cannot be repeated, so it rejects as little
// as possible: it omits an unknown prompt or group, and truncates an error
// message that is too long. It returns in.Log with everything the server adds.
func (s *Service) Track(ctx context.Context, workspace int64, in *reqlog.LogInput) (*reqlog.Log, error) {
	link, err := s.link(ctx, workspace, in)
	if err != nil && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.BadRequest) {
		return nil, err
	}
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return nil, err
	}
	if in.Log.GroupID != 0 {
		exists, err := s.groups.GroupExists(ctx, workspace, in.Log.GroupID)
		if err != nil {
			return nil, err
		}
		if !exists {
			in.Log.GroupID = 0
		}
	}
	in.TruncateError()
	return s.append(ctx, workspace, in, link)
}

// mayAnnotate returns a Forbidden fault unless the caller may annotate the log.
// NotFound takes precedence, but is checked only for callers without the
// permission: storing an annotation checks it anyway.
func (s *Service) mayAnnotate(ctx context.Context, workspace, id int64) error {
	refused := access.Require(ctx, access.MetadataEdit)
	if refused == nil {
		return nil
	}
	if err := s.store.Exists(ctx, workspace, id); err != nil {
		return err
	}
	return refused
}

// TrackMetadata replaces the members of the log with the same keys and adds the
// others. Without members it only checks that the log exists. The fault is
// NotFound for an unknown log.
func (s *Service) TrackMetadata(ctx context.Context, workspace, id int64, members []reqlog.Member) error {
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	if len(members) == 0 {
		return s.store.Exists(ctx, workspace, id)
	}
	return s.annotate(ctx, reqlog.Change{Workspace: workspace, ID: id, Annotation: reqlog.Annotation{Metadata: members}})
}

// annotate stores an annotation without what must not be stored.
func (s *Service) annotate(ctx context.Context, change reqlog.Change) error {
	if err := s.redactAnnotation(ctx, &change); err != nil {
		return err
	}
	return s.ingest.Annotate(ctx, change)
}

func checkScore(value int64) error {
	var problems fault.Problems
	loc := fault.In("score")
	switch {
	case value < 0:
		problems.Report(loc, fault.Minimum(0))
	case value > reqlog.MaxScore:
		problems.Report(loc, fault.Maximum(reqlog.MaxScore))
	}
	return problems.Err()
}

// TrackScore replaces or adds the score of the log with the name; without a
// name it is the default score. The fault is NotFound for an unknown log.
func (s *Service) TrackScore(ctx context.Context, workspace, id int64, score reqlog.Score) error {
	if err := checkScore(score.Value); err != nil {
		return err
	}
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	if score.Name == "" {
		score.Name = reqlog.DefaultScore
	}
	return s.annotate(ctx, reqlog.Change{Workspace: workspace, ID: id, Annotation: reqlog.Annotation{Score: &score}})
}

// RemoveMetadata removes a key of the metadata of the log, if it has it. The fault is
// NotFound for an unknown log.
func (s *Service) RemoveMetadata(ctx context.Context, workspace, id int64, key string) error {
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	return s.ingest.Annotate(ctx, reqlog.Change{Workspace: workspace, ID: id, Annotation: reqlog.Annotation{RemovedKeys: []string{key}}})
}

// RemoveScore removes the score of the log with the name, if it has it. The fault is
// NotFound for an unknown log.
func (s *Service) RemoveScore(ctx context.Context, workspace, id int64, name string) error {
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	return s.ingest.Annotate(ctx, reqlog.Change{Workspace: workspace, ID: id, Annotation: reqlog.Annotation{RemovedScores: []string{name}}})
}

// TrackPrompt replaces the prompt link and the input variables of the log. The
// fault is NotFound for an unknown log, template, version or label.
func (s *Service) TrackPrompt(ctx context.Context, workspace, id int64, ref reqlog.PromptRef, variables json.RawMessage) error {
	link, err := s.prompts.Resolve(ctx, workspace, ref)
	if err != nil {
		return err
	}
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	given, err := jsontree.Parse(variables)
	if err != nil && len(variables) > 0 {
		return fault.Wrap(fault.BadRequest, err, "the input variables are not valid JSON")
	}
	return s.annotate(ctx, reqlog.Change{Workspace: workspace, ID: id, Annotation: reqlog.Annotation{Prompt: &link, Variables: reqlog.VariablesOf(given)}})
}

// TrackGroup moves the log to the group. The fault is NotFound for an unknown
// log or group.
func (s *Service) TrackGroup(ctx context.Context, workspace, id, group int64) error {
	exists, err := s.groups.GroupExists(ctx, workspace, group)
	if err != nil {
		return err
	}
	if !exists {
		return fault.NotFoundf("Group not found")
	}
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	return s.annotate(ctx, reqlog.Change{Workspace: workspace, ID: id, Annotation: reqlog.Annotation{GroupID: group}})
}

// CreateGroup returns the id of a new group of logs.
func (s *Service) CreateGroup(ctx context.Context, workspace int64) (int64, error) {
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return 0, err
	}
	return s.groups.CreateGroup(ctx, workspace)
}
