package tool

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// CreateInput is a tool to be created, with its first version.
type CreateInput struct {
	Name string
	// FolderID is where it is put, nil for the root.
	FolderID    *int64
	Content     Content
	Release     Release
	ExternalIDs []entity.ExternalRef
}

// Release is what comes along with a new version.
type Release struct {
	CommitMessage *string
	// Labels are created at, or moved to, the new version.
	Labels []string
	Author *string
}

// firstMessage is the commit message of first versions that nobody gave one.
const firstMessage = "Initial version"

// Create makes a tool with its first version. On any fault nothing is changed:
// NotFound for an unknown folder, Forbidden when the caller may not do it,
// BadRequest for a version that is too large, Conflict for a name that is taken
// and for an external id of another entity.
func (s *Service) Create(ctx context.Context, workspace int64, in CreateInput) (*Record, error) {
	if err := entity.CheckFolder(ctx, s.catalog, workspace, in.FolderID); err != nil {
		return nil, err
	}
	if err := in.Release.require(ctx, access.ToolCreate); err != nil {
		return nil, err
	}
	if in.Release.CommitMessage == nil {
		in.Release.CommitMessage = new(firstMessage)
	}
	var record *Record
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		made, err := s.createEntity(ctx, workspace, in)
		if err != nil {
			return err
		}
		for _, ref := range in.ExternalIDs {
			if err := s.catalog.AttachExternalID(ctx, workspace, made.ID, ref); err != nil {
				return err
			}
		}
		if record, err = s.add(ctx, workspace, made, in.Content, in.Release); err != nil {
			return err
		}
		record.Entity, err = s.catalog.GetEntity(ctx, workspace, made.ID) // the version has changed it
		return err
	})
	return record, err
}

// AddVersion adds a version to a tool. Nothing is taken over from the version
// before but the tool's description. On any fault nothing is changed: NotFound
// for an unknown tool, Forbidden when the caller may not do it, BadRequest for
// a version that is too large.
func (s *Service) AddVersion(
	ctx context.Context, workspace int64, identifier string, content Content, release Release,
) (*Record, error) {
	owner, err := s.identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	if err := release.require(ctx, access.ToolEdit); err != nil {
		return nil, err
	}
	var record *Record
	err = s.catalog.InTx(ctx, func(ctx context.Context) error {
		// It may have been deleted since it was found.
		if err := toolNotFound(s.catalog.LockEntity(ctx, workspace, owner.ID)); err != nil {
			return err
		}
		described, err := s.describe(ctx, workspace, []int64{owner.ID})
		if err != nil {
			return err
		}
		content.Description = described[owner.ID]
		record, err = s.add(ctx, workspace, owner, content, release)
		return err
	})
	return record, err
}

// require returns a Forbidden fault unless the caller may add the version and
// release it as it says.
func (r *Release) require(ctx context.Context, needed access.Permission) error {
	if len(r.Labels) > 0 {
		return access.Require(ctx, needed, access.ToolDeploy)
	}
	return access.Require(ctx, needed)
}

// createEntity makes a tool without a version.
func (s *Service) createEntity(ctx context.Context, workspace int64, in CreateInput) (entity.Entity, error) {
	made, err := s.catalog.CreateEntity(ctx, entity.New{
		WorkspaceID: workspace, Kind: entity.KindTool, Name: in.Name, FolderID: in.FolderID, Creator: in.Release.Author,
	})
	if fault.Is(err, fault.Conflict) {
		err = fault.Conflictf("A tool with the name '%s' already exists", in.Name)
	}
	return made, err
}

// add stores a version and its labels. It runs in a transaction.
func (s *Service) add(
	ctx context.Context, workspace int64, owner entity.Entity, content Content, release Release,
) (*Record, error) {
	body, err := content.encode()
	if err != nil {
		return nil, err
	}
	version, err := s.catalog.AddVersion(ctx, workspace, owner.ID, entity.NewVersion{
		Body: body, CommitMessage: release.CommitMessage, Creator: release.Author,
	})
	if err != nil {
		return nil, err
	}
	for _, label := range slices.Compact(slices.Sorted(slices.Values(release.Labels))) {
		if _, err := s.catalog.SetLabel(ctx, workspace, owner.ID, label, version.Number); err != nil {
			return nil, err
		}
	}
	return s.record(ctx, workspace, owner, version, content)
}
