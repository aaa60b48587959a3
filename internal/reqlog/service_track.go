package reqlog

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Track stores a log of a call that has been made already and cannot be
// repeated, so it refuses as little as possible: a prompt that cannot be
// resolved or a group that does not exist leaves the log without that link, and
// an error message that is too long is cut. It returns the log, which is
// in.Log, with everything the server adds.
func (s *Service) Track(ctx context.Context, workspace int64, in *LogInput) (*Log, error) {
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
	in.Log.ErrorMessage = firstCharacters(in.Log.ErrorMessage, maxErrorMessageLength)
	return s.append(ctx, workspace, in, link)
}

// mayAnnotate returns a Forbidden fault unless the caller may annotate the log.
// Whether there is such a log comes first, but is looked up only for those who
// are refused: storing an annotation finds out by itself.
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

// TrackMetadata replaces the log's members of the same keys and adds the
// others. Without members it only checks that the log exists. A log that does
// not exist is a NotFound fault.
func (s *Service) TrackMetadata(ctx context.Context, workspace, id int64, members []Member) error {
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	if len(members) == 0 {
		return s.store.Exists(ctx, workspace, id)
	}
	return s.ingest.Annotate(ctx, Change{workspace, id, Annotation{Metadata: members}})
}

func checkScore(value int64) error {
	var problems fault.Problems
	loc := []any{"body", "score"}
	switch {
	case value < 0:
		problems.Report(loc, fault.Minimum(0))
	case value > maxScore:
		problems.Report(loc, fault.Maximum(maxScore))
	}
	return problems.Err()
}

// TrackScore replaces the log's score of the same name or adds it; without a
// name it is the default score. A log that does not exist is a NotFound fault.
func (s *Service) TrackScore(ctx context.Context, workspace, id int64, score Score) error {
	if err := checkScore(score.Value); err != nil {
		return err
	}
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	if score.Name == "" {
		score.Name = DefaultScore
	}
	return s.ingest.Annotate(ctx, Change{workspace, id, Annotation{Score: &score}})
}

// TrackPrompt replaces the log's prompt link and input variables. A log,
// template, version or label that does not exist is a NotFound fault.
func (s *Service) TrackPrompt(ctx context.Context, workspace, id int64, ref PromptRef, variables json.RawMessage) error {
	link, err := s.prompts.Resolve(ctx, workspace, ref)
	if err != nil {
		return err
	}
	if err := s.mayAnnotate(ctx, workspace, id); err != nil {
		return err
	}
	given, err := jsontree.Parse(variables)
	if err != nil && len(variables) > 0 {
		return fault.Wrap(fault.BadRequest, err, "the input variables are no JSON")
	}
	return s.ingest.Annotate(ctx, Change{workspace, id, Annotation{Prompt: &link, Variables: VariablesOf(given)}})
}

// TrackGroup puts the log into the group, and out of any other. A log or a
// group that does not exist is a NotFound fault.
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
	return s.ingest.Annotate(ctx, Change{workspace, id, Annotation{GroupID: group}})
}

// CreateGroup returns the id of a new group that logs can be put into.
func (s *Service) CreateGroup(ctx context.Context, workspace int64) (int64, error) {
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return 0, err
	}
	return s.groups.CreateGroup(ctx, workspace)
}
