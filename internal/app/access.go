package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
)

// NewAccess returns the service for workspaces, users and keys of a catalog.
func NewAccess(c *catalog.Catalog) *access.Service {
	return access.NewService(c.Accounts, access.NewGuard(c.Accounts, time.Now), time.Now)
}

// ensureKey makes the configured key valid.
func (a *App) ensureKey(ctx context.Context) error {
	secret := a.cfg.APIKey
	if secret == "" {
		return nil
	}
	ensure := func(ctx context.Context) error {
		_, err := a.catalog.Accounts.EnsureKey(ctx, access.Key{
			WorkspaceID: a.workspace.ID, Name: "PROMPTUARY_API_KEY", Hash: access.HashOf(secret), LastFour: access.LastFour(secret),
		})
		return err
	}
	count, err := a.catalog.Accounts.CountKeys(ctx)
	if err != nil {
		return err
	}
	if count == 0 {
		return ensure(ctx) // nobody could read without it
	}
	return a.orLater(ctx, "make the configured API key valid", ensure)
}

// Admit creates the first API key and the owner, unless there are any, and the
// owner's sign-in link, unless an owner has signed in. HandOver prints them.
// Serve calls it once nothing can keep it from printing them.
func (a *App) Admit(ctx context.Context) error {
	ctx = access.AsSystem(ctx)
	if err := a.admitKey(ctx); err != nil {
		return err
	}
	return a.admitOwner(ctx)
}

func (a *App) admitKey(ctx context.Context) error {
	count, err := a.catalog.Accounts.CountKeys(ctx)
	if err != nil || count > 0 {
		return err
	}
	_, a.firstKey, err = a.access.CreateKey(ctx, a.workspace.ID, access.NewKeyInput{Name: "first key"})
	return err
}

func (a *App) admitOwner(ctx context.Context) error {
	if _, _, err := a.catalog.Accounts.FirstOwner(ctx, a.workspace.ID, a.cfg.OwnerEmail); err != nil {
		return err
	}
	owner, err := a.access.UnusedOwner(ctx)
	if err != nil || owner == nil {
		return err
	}
	token := a.linkToken(owner.ID)
	a.newOwner = owner.Email
	return a.orLater(ctx, "make the sign-in link of the owner valid", func(ctx context.Context) error {
		offered, err := a.access.OfferLink(ctx, owner.ID, token)
		if offered {
			a.firstToken = token
		}
		return err
	})
}

// linkToken returns the token of an owner's first sign-in link. It follows from
// the secret key, so that all starts and servers print the same link.
func (a *App) linkToken(owner int64) string {
	mac := hmac.New(sha256.New, a.linkKey)
	fmt.Fprint(mac, owner)
	return hex.EncodeToString(mac.Sum(nil)[:24])
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
