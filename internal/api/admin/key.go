package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h administration) keyOperations() []rest.Op {
	const one = adminBase + "/keys/{key_id}"
	return []rest.Op{
		{
			Method: http.MethodGet, Path: adminBase + "/keys", ID: "listKeys", Handler: rest.Handle(h.keys),
			Summary: "List API keys", Description: "Returns the keys of a workspace, including expired and revoked ones. Only the last four characters of a key are stored.",
			Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: adminBase + "/keys", ID: "createKey", Handler: rest.Handle(h.createKey),
			Summary: "Create an API key",
			Description: "Creates a key and returns it; it cannot be shown again. A key without roles may do everything except administration, unless the workspace requires roles. " +
				"Callers cannot create a key with more permissions than their own.",
			Status: http.StatusCreated, Also: []int{http.StatusNotFound},
		},
		{
			Method: http.MethodPost, Path: one + "/rotate", ID: "rotateKey", Handler: rest.Handle(h.rotateKey), EmptyBody: true,
			Summary: "Rotate an API key", Description: "Creates a key with the name, roles and expiry of an existing one and returns it; it cannot be shown again. The old key keeps working for the overlap.",
			Status: http.StatusCreated, Also: []int{http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: one, ID: "revokeKey", Handler: rest.Handle(h.revokeKey),
			Summary: "Revoke an API key", Description: "Revokes a key immediately; other processes that share the catalog follow within seconds.",
			Also: []int{http.StatusNotFound},
		},
	}
}

type keyItem struct {
	ID          int64      `json:"id" required:"true" description:"The id of the key."`
	WorkspaceID int64      `json:"workspace_id" required:"true" description:"The id of the workspace that the key gives access to."`
	Name        string     `json:"name" required:"true" description:"Purpose."`
	LastFour    string     `json:"last_four" required:"true" description:"Last four characters of the key."`
	OwnerEmail  *string    `json:"owner_email" required:"true" description:"Email address of the creator."`
	Roles       []string   `json:"roles" required:"true" description:"Roles of the key."`
	CreatedAt   rest.Time  `json:"created_at" required:"true" description:"When it was created."`
	ExpiresAt   *rest.Time `json:"expires_at" required:"true" description:"When the key expires; null if never."`
	LastUsedAt  *rest.Time `json:"last_used_at" required:"true" description:"When the key was last used, accurate to about two minutes; null if never."`
	RevokedAt   *rest.Time `json:"revoked_at" required:"true" description:"When the key was revoked; null if it was not."`
}

func wireKey(k access.Key) keyItem {
	return keyItem{
		ID: k.ID, WorkspaceID: k.WorkspaceID, Name: k.Name, LastFour: k.LastFour, OwnerEmail: k.OwnerEmail, Roles: wireRoles(k.Roles),
		CreatedAt: kit.Time(k.CreatedAt), ExpiresAt: kit.TimeOrNil(k.ExpiresAt),
		LastUsedAt: kit.TimeOrNil(k.LastUsedAt), RevokedAt: kit.TimeOrNil(k.RevokedAt),
	}
}

func wireRoles(roles []access.Role) []string {
	return kit.Each(roles, func(r access.Role) string { return string(r) })
}

type keyList struct {
	Success bool      `json:"success" required:"true" description:"Always true."`
	Keys    []keyItem `json:"keys" required:"true" description:"The keys, oldest first."`
}

func (h administration) keys(ctx context.Context, _ *kit.WorkspaceQuery) (*keyList, error) {
	found, err := h.service.Keys(ctx, kit.Workspace(ctx))
	return &keyList{Success: true, Keys: kit.Each(found, wireKey)}, err
}

// roleNames is a list of roles in a body.
type roleNames struct {
	Roles []string `json:"roles" maxItems:"100" items.maxLength:"64" description:"Names of built-in or custom roles; their permissions are combined."`
}

func (in roleNames) roles() []access.Role {
	return kit.Each(in.Roles, func(name string) access.Role { return access.Role(name) })
}

type createKeyRequest struct {
	kit.WorkspaceQuery
	Name string `json:"name" maxLength:"255" description:"Name of the key."`
	roleNames
	ExpiresAt *rest.Time `json:"expires_at" description:"When the key expires; defaults to never."`
}

type newKeyResponse struct {
	Success bool    `json:"success" required:"true" description:"Always true."`
	APIKey  string  `json:"api_key" required:"true" description:"The key itself. It is not stored and cannot be shown again."`
	Key     keyItem `json:"key" required:"true" description:"The new key."`
}

func answerNewKey(key access.Key, secret string, err error) (*newKeyResponse, error) {
	return &newKeyResponse{Success: true, APIKey: secret, Key: wireKey(key)}, err
}

func (h administration) createKey(ctx context.Context, in *createKeyRequest) (*newKeyResponse, error) {
	return answerNewKey(h.service.CreateKey(ctx, kit.Workspace(ctx), access.NewKeyInput{
		Name: in.Name, Roles: in.roles(), ExpiresAt: kit.Instant(in.ExpiresAt),
	}))
}

type keyPath struct {
	KeyID int64 `path:"key_id" minimum:"1" description:"The id of the key."`
	kit.WorkspaceQuery
}

type rotateKeyRequest struct {
	keyPath
	Overlap int64 `json:"overlap_seconds" minimum:"0" maximum:"2592000" description:"Seconds that the old key keeps working; at most 30 days."`
}

func (h administration) rotateKey(ctx context.Context, in *rotateKeyRequest) (*newKeyResponse, error) {
	return answerNewKey(h.service.RotateKey(ctx, kit.Workspace(ctx), in.KeyID, time.Duration(in.Overlap)*time.Second))
}

type keyResponse struct {
	Success bool    `json:"success" required:"true" description:"Always true."`
	Key     keyItem `json:"key" required:"true" description:"The key."`
}

func (h administration) revokeKey(ctx context.Context, in *keyPath) (*keyResponse, error) {
	revoked, err := h.service.RevokeKey(ctx, kit.Workspace(ctx), in.KeyID)
	return &keyResponse{Success: true, Key: wireKey(revoked)}, err
}
