// Package registry stores entities in numbered versions. It implements once,
// for every versioned kind, how entities are created, how versions are added
// and selected, and how release labels and external ids are attached to them. A
// kind declares how its content is checked, normalized, encoded and decoded;
// its service has only the rules that no other kind has.
package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Kind declares a versioned kind whose versions have content of type C. Its
// noun, permissions and name rule are the traits that package entity declares.
type Kind[C any] struct {
	Kind entity.Kind
	// Check returns a fault for invalid content. No version is stored without it.
	// It must not use the store. If edited is set, the content derives from an
	// earlier version, parts of which it may keep even if they break a rule.
	Check func(content C, edited bool) error
	// Normalize returns checked content in its stored form. Nil keeps it
	// unchanged.
	Normalize func(content C) C
	// Encode returns content as the body of a version, in JSON.
	Encode func(content C) ([]byte, error)
	// Decode returns the content of a stored version.
	Decode func(version *entity.Version) (C, error)
	// MaxSize is the maximum number of bytes of a body, 0 for no limit.
	MaxSize int
	// References returns what content refers to by name; nil for kinds without
	// references.
	References func(content C) []entity.Reference
	// CheckStored runs in the transaction, after the version was stored with its
	// labels and external ids, and can reject all of it. Nil checks nothing.
	CheckStored func(ctx context.Context, workspace int64, version entity.Version, content C) error
	// NameTaken is the kind of fault for a duplicate name; the zero value means
	// Conflict.
	NameTaken fault.Kind
	// FirstMessage is the commit message of a first version without one.
	FirstMessage string
	// MayBeEmpty is set for kinds whose entities can have no versions. Selecting
	// their latest version then returns version 0 without a body.
	MayBeEmpty bool
}

// Selector selects one version of an entity: the one with the label, else the
// one with the number, else the latest.
type Selector struct {
	Number int64
	Label  string
}

// Release is the data that accompanies a new version.
type Release struct {
	CommitMessage *string
	// Labels are created at, or moved to, the new version.
	Labels []string
	// ExternalIDs are attached to the entity.
	ExternalIDs []entity.ExternalRef
	// Author is the email address of the author, nil if unknown.
	Author *string
}

// maxAttached limits the labels and the external ids of one release: each takes
// a statement while other writers wait.
const maxAttached = 1000

// check rejects a release with too many labels or external ids.
func (r *Release) check() error {
	var problems fault.Problems
	for name, count := range map[string]int{"release_labels": len(r.Labels), "external_ids": len(r.ExternalIDs)} {
		if count > maxAttached {
			problems.Add(fault.In(name), "too_long", "must not have more than %d elements", maxAttached)
		}
	}
	return problems.Err()
}

// Require returns a Forbidden fault unless the caller may do the action and, if
// there are labels, deploy.
func (r *Release) Require(ctx context.Context, kind entity.Kind, action access.Action) error {
	if len(r.Labels) > 0 {
		return access.RequireFor(ctx, kind, action, access.Deploy)
	}
	return access.RequireFor(ctx, kind, action)
}

// Record is a version with its entity, labels and external ids.
type Record[C any] struct {
	Entity entity.Entity
	// Version is the zero Version for an entity without versions.
	Version entity.Version
	Content C
	// Base is the number of the version that an edit started from, else 0.
	Base int64
	// Labels are all labels of the entity by name.
	Labels      []entity.Label
	ExternalIDs []entity.ExternalID
}

// VersionLabels returns the names of the labels that point at the version, in
// order. It is never nil.
func (r *Record[C]) VersionLabels() []string {
	names := []string{}
	for _, label := range r.Labels {
		if label.VersionID == r.Version.ID {
			names = append(names, label.Name)
		}
	}
	return names
}
