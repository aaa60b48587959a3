package storetest

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func keyOf(workspaceID int64, secret string) access.Key {
	return access.Key{
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
		created := check.Must(s.Accounts.CreateKey(s.ctx, input))(s.t)
		found := check.Must(s.Accounts.FindKey(s.ctx, input.Hash))(s.t)
		s.equal(found, created)
		input.ID, input.CreatedAt = created.ID, created.CreatedAt
		s.equal(found, input)
	}},
	{"a key without an owner", func(s *store) {
		input := keyOf(s.workspace, "pl_one1")
		input.OwnerEmail = nil
		s.equal(check.Must(s.Accounts.CreateKey(s.ctx, input))(s.t).OwnerEmail, (*string)(nil))
	}},
	{"hashes are unique", func(s *store) {
		check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.fails(check.Failure(s.Accounts.CreateKey(s.ctx, keyOf(s.other, "pl_one1"))), fault.Conflict)
	}},
	{"unknown workspaces are not found", func(s *store) {
		s.fails(check.Failure(s.Accounts.CreateKey(s.ctx, keyOf(999, "pl_one1"))), fault.NotFound)
		s.fails(check.Failure(s.Accounts.EnsureKey(s.ctx, keyOf(999, "pl_one1"))), fault.NotFound)
	}},
	{"revoked keys are listed but not found", func(s *store) {
		key := check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		revoked := check.Must(s.Accounts.RevokeKey(s.ctx, s.workspace, key.ID))(s.t)
		s.fails(check.Failure(s.Accounts.FindKey(s.ctx, key.Hash)), fault.NotFound)
		s.equal(check.Must(s.Accounts.ListKeys(s.ctx, s.workspace))(s.t), []access.Key{revoked})
		s.equal(check.Must(s.Accounts.RevokeKey(s.ctx, s.workspace, key.ID))(s.t), revoked)
		s.equal(check.Must(s.Accounts.CountKeys(s.ctx))(s.t), int64(1))
	}},
	{"other workspaces cannot revoke a key", func(s *store) {
		key := check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.fails(check.Failure(s.Accounts.RevokeKey(s.ctx, s.other, key.ID)), fault.NotFound)
		check.Must(s.Accounts.FindKey(s.ctx, key.Hash))(s.t)
		s.equal(check.Must(s.Accounts.ListKeys(s.ctx, s.other))(s.t), []access.Key{})
	}},
	{"ensure makes a key valid", func(s *store) {
		first := check.Must(s.Accounts.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.equal(check.Must(s.Accounts.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t), first)
		check.Must(s.Accounts.RevokeKey(s.ctx, s.workspace, first.ID))(s.t)
		s.equal(check.Must(s.Accounts.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t), first)
		moved := check.Must(s.Accounts.EnsureKey(s.ctx, keyOf(s.other, "pl_one1")))(s.t)
		s.equal(moved.WorkspaceID, s.other)
		s.equal(check.Must(s.Accounts.FindKey(s.ctx, first.Hash))(s.t), moved)
		s.equal(check.Must(s.Accounts.CountKeys(s.ctx))(s.t), int64(1))
	}},
	{"get by id", func(s *store) {
		key := check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.equal(check.Must(s.Accounts.GetKey(s.ctx, s.workspace, key.ID))(s.t), key)
		revoked := check.Must(s.Accounts.RevokeKey(s.ctx, s.workspace, key.ID))(s.t)
		s.equal(check.Must(s.Accounts.GetKey(s.ctx, s.workspace, key.ID))(s.t), revoked)
		s.fails(check.Failure(s.Accounts.GetKey(s.ctx, s.other, key.ID)), fault.NotFound)
		s.fails(check.Failure(s.Accounts.GetKey(s.ctx, s.workspace, 999)), fault.NotFound)
	}},
	{"expired keys are found", func(s *store) {
		input := keyOf(s.workspace, "pl_one1")
		input.ExpiresAt = pointer(time.Unix(1000, 0).UTC())
		created := check.Must(s.Accounts.CreateKey(s.ctx, input))(s.t)
		s.equal(created.ExpiresAt, input.ExpiresAt)
		s.equal(check.Must(s.Accounts.FindKey(s.ctx, input.Hash))(s.t), created)
	}},
	{"the earlier expiry counts", func(s *store) {
		soon, late := time.Unix(1000, 0).UTC(), time.Unix(2000, 0).UTC()
		key := check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		s.equal(check.Must(s.Accounts.ExpireKey(s.ctx, s.workspace, key.ID, late))(s.t).ExpiresAt, &late)
		s.equal(check.Must(s.Accounts.ExpireKey(s.ctx, s.workspace, key.ID, soon))(s.t).ExpiresAt, &soon)
		s.equal(check.Must(s.Accounts.ExpireKey(s.ctx, s.workspace, key.ID, late))(s.t).ExpiresAt, &soon)
		s.equal(check.Must(s.Accounts.GetKey(s.ctx, s.workspace, key.ID))(s.t).ExpiresAt, &soon)
		s.fails(check.Failure(s.Accounts.ExpireKey(s.ctx, s.other, key.ID, soon)), fault.NotFound)
	}},
	{"ensure restores an expired key", func(s *store) {
		first := check.Must(s.Accounts.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		check.Must(s.Accounts.ExpireKey(s.ctx, s.workspace, first.ID, time.Unix(1000, 0)))(s.t)
		s.equal(check.Must(s.Accounts.EnsureKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t), first)
	}},
	{"the time of last use never decreases", func(s *store) {
		one := check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, "pl_one1")))(s.t)
		two := check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.other, "pl_two2")))(s.t)
		soon, late := time.Unix(1000, 0).UTC(), time.Unix(2000, 0).UTC()
		s.ok(s.Accounts.TouchKeys(s.ctx, map[int64]time.Time{one.ID: late, two.ID: soon, 999: late}))
		s.ok(s.Accounts.TouchKeys(s.ctx, map[int64]time.Time{one.ID: soon, two.ID: late}))
		s.ok(s.Accounts.TouchKeys(s.ctx, nil))
		for _, key := range []access.Key{one, two} {
			found := check.Must(s.Accounts.FindKey(s.ctx, key.Hash))(s.t)
			s.equal(found.LastUsedAt, &late)
			found.LastUsedAt = nil
			s.equal(found, key)
		}
	}},
	{"concurrent updates of the time of last use", func(s *store) {
		used := map[int64]time.Time{}
		for i := range 20 {
			key := check.Must(s.Accounts.CreateKey(s.ctx, keyOf(s.workspace, fmt.Sprintf("pl_key%04d", i))))(s.t)
			used[key.ID] = time.Unix(1000, 0)
		}
		s.allOK(check.Together(8, func(i int) error {
			seen := map[int64]time.Time{}
			for id, when := range used {
				seen[id] = when.Add(time.Duration(i) * time.Second)
			}
			return s.Accounts.TouchKeys(s.ctx, seen)
		}))
		for _, key := range check.Must(s.Accounts.ListKeys(s.ctx, s.workspace))(s.t) {
			s.equal(key.LastUsedAt, pointer(time.Unix(1007, 0).UTC()))
		}
	}},
}
