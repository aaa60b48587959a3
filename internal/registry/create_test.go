package registry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

func TestCreateReturnsWhatGetReturns(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		kind := notes()
		kind.FirstMessage = "first"
		s.use(kind)
		folder := s.owner(s.workspace, entity.KindFolder, "folder").ID
		made := check.Must(s.Create(s.ctx, s.workspace, registry.CreateInput[note]{
			Name: "n", FolderID: &folder, Content: new(note("  text ")),
			Release: registry.Release{
				Labels: []string{"prod", "beta", "prod"}, ExternalIDs: []entity.ExternalRef{refB, refA, refB}, Author: new("ann@example.com"),
			},
		}))(t)
		check.Equal(t, "record", made, s.get("n", registry.Selector{}))
		check.Equal(t, "content", made.Content, "text")
		check.Equal(t, "message", *made.Version.CommitMessage, "first")
		check.Equal(t, "labels", made.VersionLabels(), []string{"beta", "prod"})
		check.Equal(t, "first label", made.Labels[1].ID < made.Labels[0].ID, true) // in the given order
		check.Equal(t, "external ids", len(made.ExternalIDs), 2)
		check.Equal(t, "authors", []string{*made.Entity.Creator, *made.Version.Creator}, []string{"ann@example.com", "ann@example.com"})
		check.Equal(t, "folder", made.Entity.FolderID, &folder)
	})
}

func TestCreateUnderFreeNames(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		const crowd = 12
		processes := []*suite{s, s.again()}
		numbered := func(n int) string { return fmt.Sprint("note ", n) }
		for _, err := range check.Together(crowd, func(i int) error {
			return check.Failure(processes[i%2].Create(s.ctx, s.workspace, registry.CreateInput[note]{Numbered: numbered, Content: new(note("x"))}))
		}) {
			check.OK(t, err)
		}
		for n := range crowd {
			check.Must(s.ByName(s.ctx, s.workspace, numbered(n+1)))(t)
		}
	})
}

// refused returns releases and contents that every write must reject. refA
// belongs to another entity.
func refused() map[string]struct {
	content note
	release registry.Release
	kind    fault.Kind
	message string
} {
	return map[string]struct {
		content note
		release registry.Release
		kind    fault.Kind
		message string
	}{
		"rude":                 {content: "rude", kind: fault.BadRequest, message: "A note must not be rude"},
		"too large":            {content: note(strings.Repeat("x", maxNote)), kind: fault.BadRequest, message: "The workflow is too large: it takes 102 bytes, more than 100"},
		"blank label":          {content: "x", release: registry.Release{Labels: []string{"prod", " "}}, kind: fault.Invalid, message: "label must not be blank"},
		"another's id":         {content: "x", release: registry.Release{ExternalIDs: []entity.ExternalRef{refB, refA}}, kind: fault.Conflict},
		"too many labels":      {content: "x", release: registry.Release{Labels: make([]string, 1001)}, kind: fault.Invalid},
		"too many ids":         {content: "x", release: registry.Release{ExternalIDs: make([]entity.ExternalRef, 1001)}, kind: fault.Invalid},
		"refused after adding": {content: "see missing", kind: fault.Invalid, message: "missing is unknown"},
	}
}

// strict returns a kind that rejects unresolved references in the transaction.
func (s *suite) strict() registry.Kind[note] {
	kind := notes()
	kind.CheckStored = func(ctx context.Context, workspace int64, version entity.Version, content note) error {
		if name, refers := content.see(); refers {
			if _, err := s.ByName(ctx, workspace, name); err != nil {
				return fault.New(fault.Invalid, "%s is unknown", name)
			}
		}
		return nil
	}
	return kind
}

// TestRejectedWritesStoreNothing tries every kind of write with invalid input,
// including invalid content, whose check no write can skip.
func TestRejectedWritesStoreNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		s.use(s.strict())
		s.attach(s.owner(s.workspace, entity.KindTool, "tool"), refA)
		id := s.create("there", "old", "prod").Entity.ID
		writes := map[string]func(content note, release registry.Release) error{
			"create": func(content note, release registry.Release) error {
				return check.Failure(s.Create(s.ctx, s.workspace, registry.CreateInput[note]{Name: "new", Content: &content, Release: release}))
			},
			"publish new": func(content note, release registry.Release) error {
				_, _, err := s.Publish(s.ctx, s.workspace, registry.Publication[note]{Name: "new", Content: content, Release: release})
				return err
			},
			"publish existing": func(content note, release registry.Release) error {
				_, _, err := s.Publish(s.ctx, s.workspace, registry.Publication[note]{
					Name: "there", Tags: []string{"t"}, HasTags: true, Content: content, Release: release,
				})
				return err
			},
			"add version": func(content note, release registry.Release) error {
				if content == "rude" {
					return fault.BadRequestf("A note must not be rude") // edits may keep it
				}
				return check.Failure(s.AddVersion(s.ctx, s.workspace, id, registry.Edit[note]{Apply: registry.Constant(content), Release: release}))
			},
		}
		for write, do := range writes {
			for what, test := range refused() {
				t.Run(write+" "+what, func(t *testing.T) {
					s.unchanged(func() {
						err := do(test.content, test.release)
						check.Fault(t, err, test.kind)
						if test.message != "" {
							check.Refused(t, err, test.kind, test.message)
						}
					})
				})
			}
		}
	})
}

func TestHooksRunInTransaction(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		failure := errors.New("hook failed")
		create := func(name string, inside registry.Inside[note]) (*registry.Record[note], error) {
			return s.Create(s.ctx, s.workspace, registry.CreateInput[note]{Name: name, Content: new(note("x")), Inside: inside})
		}
		s.unchanged(func() {
			_, err := create("failed", func(context.Context, entity.Entity, *note) error { return failure })
			if !errors.Is(err, failure) {
				t.Errorf("got the error %v, want that of the hook", err)
			}
		})
		s.unchanged(func() {
			_, err := create("large", func(_ context.Context, _ entity.Entity, content *note) error {
				*content = note(strings.Repeat("x", maxNote))
				return nil
			})
			check.Fault(t, err, fault.BadRequest)
		})
		made := check.Must(create("named", func(ctx context.Context, owner entity.Entity, content *note) error {
			*content += note(" of " + owner.Name)
			return check.Failure(s.catalog.Entities.SetTags(ctx, s.workspace, owner.ID, []string{"hooked"}))
		}))(t)
		check.Equal(t, "content", s.get("named", registry.Selector{}).Content, "x of named")
		check.Equal(t, "tags", made.Entity.Tags, []string{"hooked"})
	})
}

func TestOrderOfChecks(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		nowhere := int64(4711)
		in := registry.CreateInput[note]{Name: "n", FolderID: &nowhere, Content: new(note("rude"))}
		check.Refused(t, check.Failure(s.Create(s.as(), s.workspace, in)), fault.NotFound, "Folder not found")
		in.FolderID = nil
		check.Fault(t, check.Failure(s.Create(s.as(access.WorkflowEdit), s.workspace, in)), fault.Forbidden)
		check.Fault(t, check.Failure(s.Create(s.as(access.WorkflowCreate), s.workspace, in)), fault.BadRequest)
		s.create("n", "x")
		in.Content = new(note("x"))
		check.Refused(t, check.Failure(s.Create(s.ctx, s.workspace, in)), fault.Conflict, "A workflow with the name 'n' already exists")
		in.Release.Labels = []string{"prod"}
		check.Refused(t, check.Failure(s.Create(s.as(access.WorkflowCreate), s.workspace, in)), fault.Forbidden,
			"You do not have permission to do this: it needs WORKFLOW_CREATE and WORKFLOW_DEPLOY")
		kind := notes()
		kind.NameTaken = fault.BadRequest
		s.use(kind)
		check.Fault(t, check.Failure(s.Create(s.ctx, s.workspace, in)), fault.BadRequest)
	})
}
