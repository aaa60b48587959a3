package kit

import (
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/rest"
)

// VersionPaging selects a page of versions or runs.
type VersionPaging struct {
	Page    int64 `query:"page" minimum:"1" default:"1" description:"The page, from 1."`
	PerPage int64 `query:"per_page" minimum:"1" maximum:"100" default:"50" description:"How many to a page."`
}

// Paging returns the page as other lists take it.
func (p VersionPaging) Paging() Paging { return Paging(p) }

// ListedVersion is what listed versions of all kinds have in common.
type ListedVersion struct {
	Number        int64          `json:"number" required:"true" description:"The version's number."`
	CommitMessage *string        `json:"commit_message" required:"true" description:"What changed with this version."`
	CreatedBy     *string        `json:"created_by" required:"true" description:"The email address of who made it; null where it is not known."`
	CreatedAt     rest.Time      `json:"created_at" required:"true" description:"When it was made."`
	Labels        []versionLabel `json:"release_labels" required:"true" description:"The release labels that point at it, by name."`
}

type versionLabel struct {
	ID   int64  `json:"id" required:"true" description:"The label."`
	Name string `json:"name" required:"true" description:"Its name."`
}

// WireListedVersion returns a version with the labels that point at it as it is
// listed.
func WireListedVersion(v *entity.Version, labels []entity.Label) ListedVersion {
	wired := ListedVersion{
		Number: v.Number, CommitMessage: v.CommitMessage, CreatedBy: v.Creator, CreatedAt: rest.Time(v.CreatedAt.UnixMicro()),
		Labels: make([]versionLabel, len(labels)),
	}
	for i, label := range labels {
		wired.Labels[i] = versionLabel{ID: label.ID, Name: label.Name}
	}
	return wired
}
