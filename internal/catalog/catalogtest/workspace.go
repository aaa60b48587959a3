package catalogtest

import (
	"crypto/sha256"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/fault"
)

var workspaceCases = []testCase{
	{"create, get and find", func(s *store) {
		created := must(s.CreateWorkspace(s.ctx, "third"))(s.t)
		s.equal(must(s.GetWorkspace(s.ctx, created.ID))(s.t), created)
		s.equal(must(s.FindWorkspace(s.ctx, "third"))(s.t), created)
		s.equal(len(must(s.ListWorkspaces(s.ctx))(s.t)), 3)
	}},
	{"a taken or empty name is refused", func(s *store) {
		s.fails(failure(s.CreateWorkspace(s.ctx, "first")), fault.Conflict)
		s.fails(failure(s.CreateWorkspace(s.ctx, "")), fault.Invalid)
		s.fails(failure(s.EnsureWorkspace(s.ctx, "")), fault.Invalid)
	}},
	{"unknown is not found", func(s *store) {
		s.fails(failure(s.GetWorkspace(s.ctx, 999)), fault.NotFound)
		s.fails(failure(s.FindWorkspace(s.ctx, "First")), fault.NotFound)
	}},
	{"ensure returns the same again", func(s *store) {
		first := must(s.EnsureWorkspace(s.ctx, "third"))(s.t)
		s.equal(must(s.EnsureWorkspace(s.ctx, "third"))(s.t), first)
	}},
	{"the default is the oldest", func(s *store) {
		s.equal(must(s.EnsureDefaultWorkspace(s.ctx))(s.t).ID, s.workspace)
	}},
	{"many processes ensure one workspace", func(s *store) {
		ids := make([]int64, 8)
		s.allOK(together(len(ids), func(i int) error {
			workspace, err := s.EnsureWorkspace(s.ctx, "shared")
			ids[i] = workspace.ID
			return err
		}))
		for _, id := range ids {
			s.equal(id, ids[0])
		}
	}},
}

func keyOf(workspaceID int64, secret string) catalog.Key {
	return catalog.Key{
		WorkspaceID: workspaceID,
		Hash:        sha256.Sum256([]byte(secret)),
		Name:        "key of " + secret,
		LastFour:    secret[len(secret)-4:],
		OwnerEmail:  pointer("ada@example.com"),
		Roles:       []access.Role{access.Publisher, access.Developer},
	}
}

var keyCases = []testCase{
	{"create and find", func(s *store) {
		input := keyOf(s.workspace, "pl_one1")
		created := must(s.CreateKey(s.ctx, input))(s.t)
		found := must(s.FindKey(s.ctx, input.Hash))(s.t)
		s.equal(found, created)
		input.ID, input.CreatedAt = created.ID, created.CreatedAt
		s.equal(found, input)
	}},
	{"a key without an owner", func(s *store) {
		input := keyOf(s.workspace, "pl_one1")
		input.OwnerEmail = nil
		s.equal(must(s.CreateKey(s.ctx, input))(s.t).OwnerEmail, (*string)(nil))
	}},
	{"the same key twice is a conflict", func(s *store) {
		must(s.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.fails(failure(s.CreateKey(s.ctx, keyOf(s.other, "pl_one1"))), fault.Conflict)
	}},
	{"an unknown workspace is not found", func(s *store) {
		s.fails(failure(s.CreateKey(s.ctx, keyOf(999, "pl_one1"))), fault.NotFound)
		s.fails(failure(s.EnsureKey(s.ctx, keyOf(999, "pl_one1"))), fault.NotFound)
	}},
	{"a revoked key is not found but listed", func(s *store) {
		key := must(s.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		revoked := must(s.RevokeKey(s.ctx, s.workspace, key.ID))(s.t)
		s.fails(failure(s.FindKey(s.ctx, key.Hash)), fault.NotFound)
		s.equal(must(s.ListKeys(s.ctx, s.workspace))(s.t), []catalog.Key{revoked})
		s.equal(must(s.RevokeKey(s.ctx, s.workspace, key.ID))(s.t), revoked)
		s.equal(must(s.CountKeys(s.ctx))(s.t), int64(1))
	}},
	{"a key cannot be revoked from another workspace", func(s *store) {
		key := must(s.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.fails(failure(s.RevokeKey(s.ctx, s.other, key.ID)), fault.NotFound)
		must(s.FindKey(s.ctx, key.Hash))(s.t)
		s.equal(must(s.ListKeys(s.ctx, s.other))(s.t), []catalog.Key{})
	}},
	{"ensure makes a key valid whatever was before", func(s *store) {
		first := must(s.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.equal(must(s.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t), first)
		must(s.RevokeKey(s.ctx, s.workspace, first.ID))(s.t)
		s.equal(must(s.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t), first)
		moved := must(s.EnsureKey(s.ctx, keyOf(s.other, "pl_one1")))(s.t)
		s.equal(moved.WorkspaceID, s.other)
		s.equal(must(s.FindKey(s.ctx, first.Hash))(s.t), moved)
		s.equal(must(s.CountKeys(s.ctx))(s.t), int64(1))
	}},
}
