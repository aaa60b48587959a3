package app

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
)

// NewAccess returns the service for workspaces, users and keys of a catalog.
func NewAccess(c *catalog.Catalog) *access.Service {
	return access.NewService(c.Accounts, access.NewGuard(c.Accounts, time.Now), time.Now)
}

// ensureKey makes the configured key valid. Without one, it creates a key at
// the first start.
func (a *App) ensureKey(ctx context.Context) error {
	count, err := a.catalog.Accounts.CountKeys(ctx)
	if err != nil {
		return err
	}
	if secret := a.cfg.APIKey; secret != "" {
		ensure := func(ctx context.Context) error {
			_, err := a.catalog.Accounts.EnsureKey(ctx, access.Key{
				WorkspaceID: a.workspace.ID, Name: "PROMPTUARY_API_KEY", Hash: access.HashOf(secret), LastFour: access.LastFour(secret),
			})
			return err
		}
		if count == 0 {
			return ensure(ctx) // nobody could read without it
		}
		return a.orLater(ctx, "make the configured API key valid", ensure)
	}
	if count > 0 {
		return nil
	}
	_, a.firstKey, err = a.access.CreateKey(ctx, a.workspace.ID, access.NewKeyInput{Name: "first key"})
	return err
}

// ensureOwner creates the owner and a sign-in link at the first start.
func (a *App) ensureOwner(ctx context.Context) error {
	owner, made, err := a.catalog.Accounts.FirstOwner(ctx, a.workspace.ID, a.cfg.OwnerEmail)
	if err != nil || !made {
		return err
	}
	a.firstToken, err = a.access.MakeLink(ctx, owner.ID)
	return err
}

// keyUseEvery is the interval at which the last use of keys is stored.
const keyUseEvery = 30 * time.Second

// keepKeyUse periodically stores when keys were last used, until ctx ends. It
// only logs failures, because they must not block requests.
func (a *App) keepKeyUse(ctx context.Context) {
	ticker := time.NewTicker(keyUseEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := a.saveKeyUse(ctx); err != nil {
			a.log.Warn("cannot store when keys were last used", "error", err)
		}
	}
}

func (a *App) saveKeyUse(ctx context.Context) error {
	used := a.access.Guard().Used()
	if len(used) == 0 {
		return nil
	}
	return a.catalog.Accounts.TouchKeys(ctx, used)
}
