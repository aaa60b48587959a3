package skill_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/skill"
)

func TestNamesAreMadeUnique(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		for _, want := range []string{"a", "a-2", "a-3"} {
			check.Equal(t, "name", r.create(" a ", "").Entity.Name, want)
		}
		b := r.create("b", "")
		rename := func(identifier, name string) string {
			return check.Must(r.Rename(r.ctx, r.workspace, identifier, &name, skill.Author{}))(t).Entity.Name
		}
		check.Fault(t, check.Failure(r.Rename(r.ctx, r.workspace, "b", new("a"), skill.Author{})), fault.Conflict)
		check.Equal(t, "renamed to its own name", rename("b", "b"), "b")
		check.Equal(t, "renamed to a free name", rename(b.Entity.UUID, "c"), "c")
		long := strings.Repeat("ü", 255)
		check.Equal(t, "long name", r.create(long, "").Entity.Name, long)
		check.Equal(t, "long name again", r.create(long, "").Entity.Name, long[:2*253]+"-2")
		other := check.Must(r.Create(r.ctx, r.other, skill.CreateInput{Name: "a"}))(t)
		check.Equal(t, "name in another workspace", other.Entity.Name, "a")
	})
}

// TestAuthorsOfKeys checks that what a key does is ascribed to the account of its
// owner.
func TestAuthorsOfKeys(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		ann := check.Must(r.catalog.Accounts.CreateUser(r.ctx, "Ann@x.test", false))(t).ID
		byAnn, byStranger := skill.Author{Email: new("ann@X.test")}, skill.Author{Email: new("bob@x.test")}
		made := check.Must(r.Create(r.ctx, r.workspace, skill.CreateInput{Name: "x", Files: contents("a", "1"), Author: byAnn}))(t)
		check.Equal(t, "creator", made.Traits.CreatedBy, &ann)
		check.Equal(t, "author of the version", made.Version.Author.UserID, &ann)
		saved := check.Must(r.Save(r.ctx, r.workspace, "x", skill.SaveInput{Author: byStranger}))(t)
		check.Equal(t, "creator after a change", saved.Traits.CreatedBy, &ann)
		check.Equal(t, "changed by somebody without an account", saved.Traits.UpdatedBy, nil)
		renamed := check.Must(r.Rename(r.ctx, r.workspace, "x", new("y"), byAnn))(t)
		check.Equal(t, "renamed by", renamed.Traits.UpdatedBy, &ann)
	})
}

// TestSortByID checks that the ID that lists are sorted by is the one that
// clients see.
func TestSortByID(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	ids := []string{"c0000000-0000-4000-8000-000000000000", "a0000000-0000-4000-8000-000000000000", "b0000000-0000-4000-8000-000000000000"}
	next := 0
	service := skill.NewService(r.catalog.Entities, r.catalog.Skills, func() string { next++; return ids[next-1] })
	for range ids {
		check.Must(service.Create(r.ctx, r.workspace, skill.CreateInput{Name: "x"}))(t)
	}
	for ascending, want := range map[bool]string{true: "abc", false: "cba"} {
		got := ""
		query := entity.Query{WorkspaceID: r.workspace, Sort: entity.ByID, Ascending: ascending}
		for _, one := range check.Must(service.List(r.ctx, query))(t) {
			got += one.Entity.UUID[:1]
		}
		check.Equal(t, "order", got, want)
	}
}

func TestInvalidNames(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("there", "")
	for _, name := range []string{"", "  ", ".", "..", "a/b", `a\b`, "a\nb", "a\x00", strings.Repeat("x", 256)} {
		_, err := r.Create(r.ctx, r.workspace, skill.CreateInput{Name: name})
		check.Fault(t, err, fault.BadRequest)
		_, err = r.Rename(r.ctx, r.workspace, "there", &name, skill.Author{})
		check.Fault(t, err, fault.BadRequest)
	}
}

func TestIdentify(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		first := r.create("support", "")
		// Its name is the id of the first one, so that only the order of lookups
		// decides.
		second := r.create(first.Entity.UUID, "")
		for _, identifier := range []string{"support", "/support", first.Entity.UUID, strings.ToUpper(first.Entity.UUID)} {
			check.Equal(t, identifier, check.Must(r.Identify(r.ctx, r.workspace, identifier))(t).ID, first.Entity.ID)
		}
		check.Equal(t, "second", check.Must(r.Identify(r.ctx, r.workspace, "/"+first.Entity.UUID))(t).ID, second.Entity.ID)
		for _, identifier := range []string{"", "/", "//support", "Support", newID()} {
			_, err := r.Identify(r.ctx, r.workspace, identifier)
			check.Fault(t, err, fault.NotFound)
		}
		for _, identifier := range []string{"support", first.Entity.UUID} {
			_, err := r.Identify(r.ctx, r.other, identifier)
			check.Fault(t, err, fault.NotFound)
		}
		check.Must(r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{first.Entity.ID}))(t)
		_, err := r.Identify(r.ctx, r.workspace, "support")
		check.Fault(t, err, fault.NotFound)
		check.Equal(t, "the name is free", r.create("support", "").Entity.Name, "support")
	})
}

func TestRenameKeepsFilesAndVersions(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		made := r.create("old", "", "a/b", "1")
		name := "new"
		user := int64(7)
		renamed := check.Must(r.Rename(r.ctx, r.workspace, "old", &name, skill.Author{UserID: &user}))(t)
		check.Equal(t, "updated by", renamed.Traits.UpdatedBy, &user)
		check.Equal(t, "version", check.Must(r.Get(r.ctx, r.workspace, "new", registry.Selector{}))(t).Version, made.Version)
		check.Equal(t, "root path of the next version", r.save("new").Version.RootPath, "new")
		check.Equal(t, "root path of the first version", check.Must(r.Get(r.ctx, r.workspace, "new", registry.Selector{Number: 1}))(t).Version.RootPath, "old")
		before := check.Must(r.Get(r.ctx, r.workspace, "new", registry.Selector{}))(t)
		same := check.Must(r.Rename(r.ctx, r.workspace, "new", nil, skill.Author{UserID: new(int64)}))(t)
		check.Equal(t, "without a name", same.Collection, before.Collection)
	})
}

func TestSavesAndLabels(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.create("c", "", "a", "1", "d/b", "2", "d/e/f", "3")
		message := "second"
		saved := check.Must(r.Save(r.ctx, r.workspace, "c", skill.SaveInput{
			Deletes: []string{"a"}, Moves: []skill.Move{{From: "d/b", To: "a"}, {From: "d", To: "g"}},
			Archive: contents("x", "archive", "y", "archive"), Files: contents("y", "file", "a", "4"),
			CommitMessage: &message, Label: "prod",
		}))(t)
		check.Equal(t, "label", saved.Version.Label, "prod")
		check.Equal(t, "files", r.files("c", registry.Selector{}), map[string]string{"a": "4", "g/e/f": "3", "x": "archive", "y": "file"})
		check.Equal(t, "first files", r.files("c", registry.Selector{Number: 1}), map[string]string{"a": "1", "d/b": "2", "d/e/f": "3"})
		third := check.Must(r.Save(r.ctx, r.workspace, "c", skill.SaveInput{Label: "prod"}))(t)
		check.Equal(t, "files of the same version again", third.Version.Files, saved.Version.Files)
		check.Equal(t, "labelled", check.Must(r.Get(r.ctx, r.workspace, "c", registry.Selector{Label: "prod"}))(t).Version.Number, int64(3))
		check.Equal(t, "label that moved", check.Must(r.Get(r.ctx, r.workspace, "c", registry.Selector{Number: 2}))(t).Version.Label, "")
		check.Equal(t, "message", check.Must(r.Get(r.ctx, r.workspace, "c", registry.Selector{Number: 2}))(t).Version.CommitMessage, &message)
		for _, selector := range []registry.Selector{{Number: 4}, {Label: "none"}} {
			_, err := r.Get(r.ctx, r.workspace, "c", selector)
			check.Fault(t, err, fault.NotFound)
		}
	})
}

func TestProviderChanges(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	made := r.create("c", "", ".claude/skills/t/SKILL.md", "s", ".claude/CLAUDE.md", "c")
	check.Equal(t, "detected", made.Version.Provider, "claude_code")
	changed := check.Must(r.Save(r.ctx, r.workspace, "c", skill.SaveInput{Provider: "openai", Files: contents(".claude/CLAUDE.md", "new")}))(t)
	check.Equal(t, "provider", changed.Traits.Provider, "openai")
	check.Equal(t, "files", r.files("c", registry.Selector{}), map[string]string{".agents/skills/t/SKILL.md": "s", ".agents/CLAUDE.md": "new"})
	check.Equal(t, "first files", r.files("c", registry.Selector{Number: 1}), map[string]string{".claude/skills/t/SKILL.md": "s", ".claude/CLAUDE.md": "c"})
	moved := check.Must(r.Save(r.ctx, r.workspace, "c", skill.SaveInput{Moves: []skill.Move{{From: ".agents/skills/t", To: ".agents/skills/u"}}, Deletes: []string{".agents/CLAUDE.md"}}))(t)
	check.Equal(t, "file", moved.Version.Files[0].Path, "u/SKILL.md")
	// Clients change files by the paths that they exported.
	r.create("d", "openai", "skills/x/y", "1")
	r.save("d", ".agents/skills/x/y", "2")
	check.Equal(t, "pushed", r.files("d", registry.Selector{}), map[string]string{".agents/skills/x/y": "2"})
}

func TestRejectedSaves(t *testing.T) {
	t.Parallel()
	broken := fault.BadRequestf("broken")
	unreadable := []skill.Content{{Path: "x", Read: func() ([]byte, error) { return nil, broken }}}
	many := make([]string, 2*skill.MaxFiles+2)
	for i := range many {
		many[i] = "f" + strings.Repeat("x", i%1000) + newID()
	}
	tests := []struct {
		name string
		in   skill.SaveInput
	}{
		{"delete nothing", skill.SaveInput{Deletes: []string{"gone"}}},
		{"delete a part of a name", skill.SaveInput{Deletes: []string{"d/"}}},
		{"delete twice", skill.SaveInput{Deletes: []string{"a", "./a"}}},
		{"move nothing", skill.SaveInput{Moves: []skill.Move{{From: "gone", To: "x"}}}},
		{"move a deleted file", skill.SaveInput{Deletes: []string{"a"}, Moves: []skill.Move{{From: "a", To: "x"}}}},
		{"move twice", skill.SaveInput{Moves: []skill.Move{{From: "a", To: "x"}, {From: "a", To: "y"}}}},
		{"move onto a file", skill.SaveInput{Moves: []skill.Move{{From: "a", To: "d/b"}}}},
		{"move out", skill.SaveInput{Moves: []skill.Move{{From: "a", To: "../a"}}}},
		{"move from outside", skill.SaveInput{Moves: []skill.Move{{From: "/a", To: "x"}}}},
		{"bad path", skill.SaveInput{Files: contents("../x", "")}},
		{"bad path in the archive", skill.SaveInput{Archive: contents("/x", "")}},
		{"sent twice", skill.SaveInput{Files: contents("x", "", ".claude/x", "")}},
		{"file in a file", skill.SaveInput{Files: contents("a/x", "")}},
		{"file over a folder", skill.SaveInput{Files: contents("d", "")}},
		{"too large", skill.SaveInput{Files: contents("x", strings.Repeat("x", skill.MaxFile+1))}},
		{"too many", skill.SaveInput{Files: contents(many...)}},
		{"unreadable", skill.SaveInput{Files: unreadable}},
		{"the same path for the provider", skill.SaveInput{Provider: "openai", Files: contents("skills/d/b", "")}},
	}
	r := onSQLite(t)
	r.create("c", "", "a", "1", "d/b", "2")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.Files = append(contents("stored?", tt.name), tt.in.Files...)
			_, err := r.Save(r.ctx, r.workspace, "c", tt.in)
			check.Fault(t, err, fault.BadRequest)
			check.Equal(t, "contents", r.contentCount(sha256.Sum256([]byte(tt.name))), 0)
			check.Equal(t, "latest version", check.Must(r.Identify(r.ctx, r.workspace, "c"))(t).LatestVersion, int64(1))
		})
	}
	largest := strings.Repeat("x", skill.MaxFile)
	r.save("c", "large", largest)
	check.Equal(t, "largest file", len(r.files("c", registry.Selector{})["large"]), skill.MaxFile)
}

func TestRejectedCreatesStoreNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		taken := entity.ExternalRef{Source: "s", ID: "1"}
		check.Must(r.Create(r.ctx, r.workspace, skill.CreateInput{Name: "owner", ExternalIDs: []entity.ExternalRef{taken, taken}}))(t)
		_, err := r.Create(r.ctx, r.workspace, skill.CreateInput{Name: "x", Files: contents("a", "gone"), ExternalIDs: []entity.ExternalRef{taken}})
		check.Fault(t, err, fault.Conflict)
		missing := int64(12345)
		_, err = r.Create(r.ctx, r.workspace, skill.CreateInput{Name: "x", FolderID: &missing})
		check.Fault(t, err, fault.NotFound)
		_, err = r.Create(r.ctx, r.workspace, skill.CreateInput{Name: "x", Files: contents("a", "gone", "a", "")})
		check.Fault(t, err, fault.BadRequest)
		check.Equal(t, "contents", r.contentCount(sha256.Sum256([]byte("gone"))), 0)
		listed := check.Must(r.List(r.ctx, entity.Query{WorkspaceID: r.workspace}))(t)
		check.Equal(t, "collections", len(listed), 1)
	})
}

func TestContentsAreStoredOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.create("c", "", "a", "same", "b", "same", "empty", "")
		r.save("c", "d", "same")
		r.create("e", "", "x", "same")
		check.Equal(t, "files", r.files("e", registry.Selector{}), map[string]string{"x": "same"})
		hash := skill.Hash(sha256.Sum256([]byte("same")))
		check.Equal(t, "contents", r.contentCount(hash, hash), 1)
		_, err := r.catalog.Skills.ReadContent(r.ctx, r.other, hash)
		check.Fault(t, err, fault.NotFound)
	})
}

func TestWorkspacesAreIsolated(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	made := r.create("c", "", "a", "secret")
	name := "x"
	for _, identifier := range []string{"c", made.Entity.UUID} {
		_, err := r.Get(r.ctx, r.other, identifier, registry.Selector{})
		check.Fault(t, err, fault.NotFound)
		_, err = r.Save(r.ctx, r.other, identifier, skill.SaveInput{})
		check.Fault(t, err, fault.NotFound)
		_, err = r.Rename(r.ctx, r.other, identifier, &name, skill.Author{})
		check.Fault(t, err, fault.NotFound)
	}
	if _, err := r.Read(r.ctx, r.other, made.Version.Files[0]); err == nil || fault.Is(err, fault.NotFound) {
		t.Errorf("a file of another workspace was read with the error %v", err)
	}
	check.Equal(t, "list", len(check.Must(r.List(r.ctx, entity.Query{WorkspaceID: r.other}))(t)), 0)
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("c", "")
	as := func(held ...access.Permission) *suite {
		other := *r
		other.ctx = access.WithCaller(r.ctx, access.Caller{Workspace: r.workspace, Permissions: access.SetOf(held...)})
		return &other
	}
	name := "d"
	tests := []struct {
		name   string
		needed []access.Permission
		call   func(r *suite) error
	}{
		{"create", []access.Permission{access.SkillCreate}, func(r *suite) error {
			return second(r.Create(r.ctx, r.workspace, skill.CreateInput{Name: "x"}))
		}},
		{"save", []access.Permission{access.SkillEdit}, func(r *suite) error {
			return second(r.Save(r.ctx, r.workspace, "c", skill.SaveInput{}))
		}},
		{"release", []access.Permission{access.SkillEdit, access.SkillDeploy}, func(r *suite) error {
			return second(r.Save(r.ctx, r.workspace, "c", skill.SaveInput{Label: "prod"}))
		}},
		{"rename", []access.Permission{access.SkillEdit}, func(r *suite) error {
			return second(r.Rename(r.ctx, r.workspace, "c", &name, skill.Author{}))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			check.Fault(t, tt.call(as(tt.needed[1:]...)), fault.Forbidden)
			if err := tt.call(as(tt.needed...)); err != nil {
				t.Error(err)
			}
		})
	}
	_, err := as().Save(r.ctx, r.workspace, "unknown", skill.SaveInput{})
	check.Fault(t, err, fault.NotFound)
}

func second[T any](_ T, err error) error { return err }

func TestChangesAreAudited(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	name := "d"
	r.create("c", "", "a", "1")
	check.Must(r.Save(r.ctx, r.workspace, "c", skill.SaveInput{Label: "prod", Provider: "openai"}))(t)
	check.Must(r.Rename(r.ctx, r.workspace, "c", &name, skill.Author{}))(t)
	var got []audit.Action
	for _, one := range check.Must(r.catalog.Accounts.ListAudit(r.ctx, audit.Query{WorkspaceID: &r.workspace, SubjectKind: "skill", Limit: 100}))(t) {
		got = append(got, one.Action)
	}
	check.Equal(t, "actions", got, []audit.Action{audit.Rename, audit.Label, audit.Publish, audit.Change, audit.Publish, audit.Create})
}

func TestTextOfBytes(t *testing.T) {
	t.Parallel()
	prefix := "data:application/octet-stream;base64,"
	for _, content := range []string{"", "text", "\x00", "ü", "\xff\x00", prefix, prefix + "AAA=", "data:"} {
		written := skill.TextOfBytes([]byte(content))
		check.Equal(t, content, string(check.Must(skill.BytesOfText([]byte(written)))(t)), content)
		if strings.HasPrefix(content, "t") && written != content {
			t.Errorf("%q is written as %q", content, written)
		}
	}
	_, err := skill.BytesOfText([]byte(prefix + "%"))
	check.Fault(t, err, fault.BadRequest)
}
