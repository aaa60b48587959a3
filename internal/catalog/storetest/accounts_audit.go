package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// log returns the audit entries of the first workspace and of the installation,
// oldest first. Those of the installation begin with an asterisk.
func (s *store) log() []string {
	s.t.Helper()
	entries := check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{WorkspaceID: &s.workspace, Limit: math.MaxInt32}))(s.t)
	entries = append(entries, check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{Limit: math.MaxInt32}))(s.t)...)
	slices.SortFunc(entries, func(a, b audit.Entry) int { return int(a.ID - b.ID) })
	lines := make([]string, len(entries))
	for i, e := range entries {
		if e.WorkspaceID == nil {
			lines[i] = "* "
		}
		lines[i] += fmt.Sprintf("%s %s %s %s", e.Action, e.Subject.Kind, e.Subject.Name, e.Detail)
	}
	return lines
}

// audits fails the test unless do adds exactly these audit entries.
func (s *store) audits(do func(), want ...string) {
	s.t.Helper()
	before := len(s.log())
	do()
	s.equal(s.log()[before:], append([]string{}, want...))
}

var auditCases = []testCase{
	{"workspaces", func(s *store) {
		s.equal(s.log(), []string{"create WORKSPACE first {}", "* create WORKSPACE first {}", "* create WORKSPACE second {}"})
		both := func(line string) []string { return []string{line, "* " + line} }
		s.audits(func() { check.Must(s.Accounts.RenameWorkspace(s.ctx, s.workspace, "1st"))(s.t) }, both(`rename WORKSPACE 1st {"before":"first"}`)...)
		s.audits(func() { check.Must(s.Accounts.RequireRoles(s.ctx, s.workspace, true))(s.t) }, both(`change WORKSPACE 1st {"roles_required":true}`)...)
		s.audits(func() { check.Must(s.Accounts.DisableWorkspace(s.ctx, s.workspace))(s.t) }, both("disable WORKSPACE 1st {}")...)
		s.audits(func() { check.Must(s.Accounts.EnableWorkspace(s.ctx, s.workspace))(s.t) }, both("enable WORKSPACE 1st {}")...)
		s.audits(func() { check.Must(s.Accounts.EnsureWorkspace(s.ctx, "1st"))(s.t) })
		s.audits(func() { check.Must(s.Accounts.EnsureDefaultWorkspace(s.ctx))(s.t) })
		s.audits(func() { check.Must(s.Accounts.EnsureWorkspace(s.ctx, "third"))(s.t) }, "* create WORKSPACE third {}")
	}},
	{"keys", func(s *store) {
		const about = `{"ends_with":"one1","roles":["Publisher","Developer"]}`
		const ending = `{"ends_with":"one1","expires_at":"1970-01-01T00:16:40Z","roles":["Publisher","Developer"]}`
		var key access.Key
		s.audits(func() { key = check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t) }, "create KEY key of pl_one1 "+about)
		s.audits(func() { check.Must(s.Accounts.ExpireKey(s.ctx, s.workspace, key.ID, time.Unix(1000, 0)))(s.t) }, "rotate KEY key of pl_one1 "+ending)
		s.audits(func() { check.Must(s.Accounts.RevokeKey(s.ctx, s.workspace, key.ID))(s.t) }, "revoke KEY key of pl_one1 "+ending)
		s.audits(func() { check.Must(s.Accounts.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t) }, "create KEY key of pl_one1 "+about)
		s.audits(func() { check.Must(s.Accounts.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t) })
		s.audits(func() { s.ok(s.Accounts.TouchKeys(s.ctx, map[int64]time.Time{key.ID: time.Unix(1, 0)})) })
	}},
	{"users and members", func(s *store) {
		var ann access.User
		s.audits(func() { ann = s.user("ann@example.com") }, `* create USER ann@example.com {"owner":false}`)
		s.audits(func() { s.owner("bob@example.com") }, `* create USER bob@example.com {"owner":true}`)
		s.audits(func() { check.Must(s.Accounts.SetOwner(s.ctx, ann.ID, true))(s.t) }, `* change USER ann@example.com {"owner":true}`)
		s.audits(func() { s.ok(s.Accounts.SetPassword(s.ctx, ann.ID, "hush")) }, `* set password USER ann@example.com {}`)
		s.audits(func() { check.Must(s.Accounts.SetMember(s.ctx, s.workspace, ann.ID, nil))(s.t) }, `invite USER ann@example.com {"roles":[]}`)
		s.audits(func() {
			check.Must(s.Accounts.SetMember(s.ctx, s.workspace, ann.ID, []access.Role{access.Editor}))(s.t)
		},
			`change USER ann@example.com {"before":[],"roles":["Editor"]}`)
		s.audits(func() { s.ok(s.Accounts.RemoveMember(s.ctx, s.workspace, ann.ID)) }, `remove from workspace USER ann@example.com {}`)
	}},
	{"sessions", func(s *store) {
		ann := s.user("ann@example.com")
		s.audits(func() { s.session(ann.ID, "hush") }, `* sign in USER ann@example.com {}`)
		s.audits(func() { s.ok(s.Accounts.DeleteSession(s.ctx, access.HashOf("hush"))) })
		s.audits(func() { s.ok(s.Accounts.DeleteSessions(s.ctx, ann.ID, access.Hash{})) })
		s.audits(func() { s.ok(s.Accounts.SetSignInLink(s.ctx, ann.ID, access.HashOf("link"), later(time.Hour))) }, `* make sign-in link USER ann@example.com {}`)
		s.audits(func() { s.ok(s.Accounts.NoteWrongPassword(s.ctx, ann, "203.0.113.5")) }, `* wrong password USER ann@example.com {"address":"203.0.113.5"}`)
		s.audits(func() { s.ok(s.Accounts.NoteWrongPassword(s.ctx, access.User{}, "")) }, `* wrong password USER unknown {"address":""}`)
		s.audits(func() { check.Must(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("link")))(s.t) })
		s.audits(func() { must3(s.Accounts.FirstOwner(s.ctx, s.workspace, "bob@example.com"))(s) },
			`* create USER bob@example.com {"owner":true}`, `invite USER bob@example.com {"roles":["Admin"]}`)
		s.audits(func() { must3(s.Accounts.FirstOwner(s.ctx, s.workspace, "bob@example.com"))(s) })
	}},
	{"entities", func(s *store) {
		folder := s.create(entity.KindFolder, "folder", nil)
		var x entity.Entity
		s.audits(func() { x = s.prompt("x") }, "create prompt x {}")
		s.audits(func() { check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, x.ID, "y"))(s.t) }, `rename prompt y {"before":"x"}`)
		s.audits(func() { check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, x.ID, "y"))(s.t) }, `rename prompt y {"before":"y"}`)
		odd := s.prompt("<\"ü\"&>")
		s.audits(func() { check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, odd.ID, "even"))(s.t) }, `rename prompt even {"before":"<\"ü\"&>"}`)
		s.audits(func() { check.Must(s.Entities.SetTags(s.ctx, s.workspace, x.ID, []string{"a", "b"}))(s.t) }, "tag prompt y {}")
		s.audits(func() { check.Must(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{x.ID, x.ID}, &folder.ID))(s.t) },
			fmt.Sprintf(`move prompt y {"before":null,"folder_id":%d}`, folder.ID))
		z := s.prompt("z")
		s.audits(func() { check.Must(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{z.ID, x.ID}, nil))(s.t) },
			fmt.Sprintf(`move prompt y {"before":%d,"folder_id":null}`, folder.ID), `move prompt z {"before":null,"folder_id":null}`)
		s.audits(func() { check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{x.ID}))(s.t) }, "delete prompt y {}")
		s.audits(func() { check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{folder.ID}))(s.t) }, "delete folder folder {}")
	}},
	{"many entities in one call", func(s *store) {
		ids, moved, deleted := []int64{}, []string{}, []string{}
		for i := range 600 { // more than fit in one statement
			name := fmt.Sprintf("p%03d", i)
			ids = append(ids, s.prompt(name).ID)
			moved, deleted = append(moved, "move prompt "+name+` {"before":null,"folder_id":null}`), append(deleted, "delete prompt "+name+" {}")
		}
		s.audits(func() { check.Must(s.Entities.MoveEntities(s.ctx, s.workspace, ids, nil))(s.t) }, moved...)
		s.audits(func() { check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, ids))(s.t) }, deleted...)
	}},
	{"skill collections with their UUIDs", func(s *store) {
		const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"
		input := entity.New{WorkspaceID: s.workspace, Kind: entity.KindSkill, UUID: uuid, Name: "x"}
		var x entity.Entity
		s.audits(func() { x = check.Must(s.Entities.CreateEntity(s.ctx, input))(s.t) }, `create skill x {"uuid":"`+uuid+`"}`)
		s.audits(func() { check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, x.ID, "y"))(s.t) }, `rename skill y {"before":"x","uuid":"`+uuid+`"}`)
		s.audits(func() { s.version(x.ID, `{}`) }, `publish skill y {"uuid":"`+uuid+`","version":1}`)
		s.audits(func() { check.Must(s.Entities.SetLabel(s.ctx, s.workspace, x.ID, "prod", 1))(s.t) },
			`label skill y {"label":"prod","uuid":"`+uuid+`","version":1}`)
		p := s.prompt("p")
		s.audits(func() { check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{p.ID, x.ID}))(s.t) },
			`delete skill y {"uuid":"`+uuid+`"}`, "delete prompt p {}")
		s.equal(s.found(audit.Query{WorkspaceID: &s.workspace, SubjectUUID: uuid}), []string{"y", "y", "y", "y", "x"})
		for name, query := range map[string]audit.Query{
			"another UUID":      {WorkspaceID: &s.workspace, SubjectUUID: uuid[1:] + "0"},
			"another workspace": {WorkspaceID: &s.other, SubjectUUID: uuid},
			"the installation":  {SubjectUUID: uuid},
			"another kind":      {WorkspaceID: &s.workspace, SubjectUUID: uuid, SubjectKind: "prompt"},
			"another id":        {WorkspaceID: &s.workspace, SubjectUUID: uuid, SubjectID: &p.ID},
		} {
			if found := s.found(query); len(found) > 0 {
				s.t.Errorf("%s: found %q", name, found)
			}
		}
	}},
	{"versions, labels and external ids", func(s *store) {
		x := s.prompt("x")
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		s.audits(func() { s.version(x.ID, `{}`) }, `publish prompt x {"version":1}`)
		s.audits(func() { s.version(x.ID, `{}`) }, `publish prompt x {"version":2}`)
		var label entity.Label
		s.audits(func() { label = check.Must(s.Entities.CreateLabel(s.ctx, s.workspace, x.ID, "prod", 1))(s.t) }, `label prompt x {"label":"prod","version":1}`)
		s.audits(func() { check.Must(s.Entities.SetLabel(s.ctx, s.workspace, x.ID, "prod", 2))(s.t) }, `label prompt x {"before":1,"label":"prod","version":2}`)
		s.audits(func() { check.Must(s.Entities.MoveLabel(s.ctx, s.workspace, label.ID, 1))(s.t) }, `label prompt x {"before":2,"label":"prod","version":1}`)
		s.audits(func() { s.ok(s.Entities.DeleteLabel(s.ctx, s.workspace, label.ID)) }, `unlabel prompt x {"label":"prod","version":1}`)
		s.audits(func() { s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, x.ID, ref)) },
			`attach external id prompt x {"external_id":"7","source":"crm"}`)
		s.audits(func() { s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, x.ID, ref)) })
		s.audits(func() { s.ok(s.Entities.DeleteExternalID(s.ctx, s.workspace, x.ID, ref)) },
			`detach external id prompt x {"external_id":"7","source":"crm"}`)
	}},
	{"AB tests", func(s *store) {
		x := s.prompt("x")
		s.version(x.ID, `{}`)
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, x.ID, "prod", 1))(s.t)
		input := entity.NewABTest{Name: "test", LabelID: label.ID, Config: []byte(`{}`)}
		var test entity.ABTest
		create := func() { test = check.Must(s.Entities.CreateABTest(s.ctx, s.workspace, input))(s.t) }
		kind := string(entity.KindABTest)
		s.audits(create, "create "+kind+" test {}", "publish "+kind+` test {"version":1}`)
		s.audits(func() {
			check.Must(s.Entities.SetABTestConfig(s.ctx, s.workspace, test.Entity.ID, []byte(`[]`), nil))(s.t)
		}, "publish "+kind+` test {"version":2}`)
		s.audits(func() { s.ok(s.Entities.DeleteABTest(s.ctx, s.workspace, test.Entity.ID)) }, "delete "+kind+" test {}")
		create()
		s.audits(func() { check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{x.ID}))(s.t) }, "delete prompt x {}", "delete "+kind+" test {}")
	}},
	{"environment variables without their values", func(s *store) {
		workspace, tool, _, _ := s.scopes()
		mine := s.envVar(workspace, "PLACE", placeholder)
		s.audits(func() { check.Must(s.EnvVars.SetEnvVar(s.ctx, workspace, mine.ID, sealed("hush-hush")))(s.t) }, "change ENV_VAR PLACE {}")
		s.audits(func() { s.envVar(tool, "TOKEN", sealed("hush-hush")) }, fmt.Sprintf(`create ENV_VAR TOKEN {"tool_id":%d}`, tool.Tool))
		s.audits(func() { s.ok(s.EnvVars.DeleteEnvVar(s.ctx, workspace, mine.ID)) }, "delete ENV_VAR PLACE {}")
	}},
	{"internal changes are not audited", func(s *store) {
		s.audits(func() {
			check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 10))(s.t)
			s.ok(s.Sequences.EnsureIDsAbove(s.ctx, "request", 100))
			check.Must(s.Groups.CreateGroup(s.ctx, s.workspace))(s.t)
		})
	}},
	{"rejected changes are not audited", func(s *store) {
		x, ann := s.prompt("x"), s.user("ann@example.com")
		s.prompt("taken")
		key := check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.audits(func() {
			s.fails(check.Failure(s.Accounts.CreateWorkspace(s.ctx, "first")), fault.Conflict)
			s.fails(check.Failure(s.Accounts.RenameWorkspace(s.ctx, s.workspace, "second")), fault.Conflict)
			s.fails(check.Failure(s.Accounts.CreateUser(s.ctx, "ann@example.com", true)), fault.Conflict)
			s.fails(check.Failure(s.Accounts.SetMember(s.ctx, 999, ann.ID, nil)), fault.NotFound)
			s.fails(s.Accounts.RemoveMember(s.ctx, s.workspace, ann.ID), fault.NotFound)
			s.fails(s.Accounts.CreateSession(s.ctx, 999, access.HashOf("x"), later(time.Hour)), fault.NotFound)
			s.fails(check.Failure(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1"))), fault.Conflict)
			s.fails(check.Failure(s.Accounts.RevokeKey(s.ctx, s.other, key.ID)), fault.NotFound)
			s.fails(check.Failure(s.Entities.RenameEntity(s.ctx, s.workspace, x.ID, "taken")), fault.Conflict)
			s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{x.ID, 999}, nil)), fault.NotFound)
			s.fails(check.Failure(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{x.ID, 999})), fault.NotFound)
			s.fails(check.Failure(s.Entities.SetLabel(s.ctx, s.workspace, x.ID, "prod", 9)), fault.NotFound)
			s.fails(s.Entities.DeleteExternalID(s.ctx, s.workspace, x.ID, entity.ExternalRef{Source: "a", ID: "b"}), fault.NotFound)
		})
		s.owner("bob@example.com")
		bob := check.Must(s.Accounts.FindUser(s.ctx, "bob@example.com"))(s.t)
		s.audits(func() { s.fails(check.Failure(s.Accounts.SetOwner(s.ctx, bob.ID, false)), fault.Conflict) })
	}},
	{"failed transactions are not audited", func(s *store) {
		s.audits(func() {
			err := s.InTx(s.ctx, func(ctx context.Context) error { return errors.Join(s.write(ctx), errOurs) })
			s.equal(errors.Is(err, errOurs), true)
		})
	}},
	{"rolled-back steps are not audited", func(s *store) {
		s.audits(func() {
			s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
				inner := s.InTx(ctx, func(ctx context.Context) error { return errors.Join(s.write(ctx), errOurs) })
				s.equal(errors.Is(inner, errOurs), true)
				return check.Failure(s.Accounts.CreateUser(ctx, "ann@example.com", false))
			}))
		}, `* create USER ann@example.com {"owner":false}`)
	}},
	{"rolled-back changes need no entry", func(s *store) {
		x := s.prompt("x")
		s.audits(func() {
			s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
				s.fails(check.Failure(s.Entities.MoveEntities(ctx, s.workspace, []int64{x.ID, 999}, nil)), fault.NotFound)
				return check.Failure(s.Sequences.ReserveIDs(ctx, "kept", 1))
			}))
		})
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "kept", 1))(s.t), int64(2))
	}},
	{"entries name the actor", func(s *store) {
		for name, test := range map[string]struct {
			caller *access.Caller
			want   audit.Actor
		}{
			"person":  {&access.Caller{UserID: 3, Email: "ann@example.com", Workspace: 1}, audit.Actor{Kind: audit.ByUser, ID: pointer(int64(3)), Name: "ann@example.com"}},
			"key":     {&access.Caller{KeyID: 4, Name: "laptop", Email: "ann@example.com"}, audit.Actor{Kind: audit.ByKey, ID: pointer(int64(4)), Name: "laptop"}},
			"command": {pointer(access.CommandLine()), audit.Actor{Kind: audit.ByCommand, Name: "command line"}},
			"program": {nil, audit.Actor{Kind: audit.ByProgram, Name: "promptuary"}},
		} {
			ctx := s.ctx
			if test.caller != nil {
				ctx = access.WithCaller(ctx, *test.caller)
			}
			created := check.Must(s.Entities.CreateEntity(ctx, entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: name}))(s.t)
			check.Must(s.Entities.MoveEntities(ctx, s.workspace, []int64{created.ID}, nil))(s.t)
			query := audit.Query{WorkspaceID: &s.workspace, SubjectKind: "prompt", SubjectID: &created.ID, Limit: 10}
			entries := check.Must(s.Accounts.ListAudit(s.ctx, query))(s.t)
			s.equal(len(entries), 2)
			for _, entry := range entries {
				s.equal(entry.Actor, test.want)
				s.equal(entry.WorkspaceID, &s.workspace)
				s.equal(entry.Subject, audit.Subject{Kind: "prompt", ID: created.ID, Name: name})
				s.equal(time.Since(entry.At).Abs() < time.Hour, true)
			}
		}
	}},
}

// must3 is check.Must for a call with two results.
func must3[A, B any](_ A, _ B, err error) func(s *store) {
	return func(s *store) {
		s.t.Helper()
		s.ok(err)
	}
}
