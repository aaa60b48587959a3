package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/access"
)

// ensureKey makes the configured key valid.
func (a *App) ensureKey(ctx context.Context) error {
	secret := a.cfg.APIKey
	if secret == "" {
		return nil
	}
	ensure := func(ctx context.Context) error {
		_, err := a.catalog.Accounts.EnsureKey(ctx, access.Key{
			WorkspaceID: a.catalog.workspace.ID, Name: "PROMPTUARY_API_KEY", Hash: access.HashOf(secret), LastFour: access.LastFour(secret),
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
	_, a.first.key, err = a.catalog.access.CreateKey(ctx, a.catalog.workspace.ID, access.NewKeyInput{Name: "first key"})
	return err
}

func (a *App) admitOwner(ctx context.Context) error {
	if _, _, err := a.catalog.Accounts.FirstOwner(ctx, a.catalog.workspace.ID, a.cfg.OwnerEmail); err != nil {
		return err
	}
	owner, err := a.catalog.access.UnusedOwner(ctx)
	if err != nil || owner == nil {
		return err
	}
	token := a.linkToken(owner.ID)
	a.first.owner = owner.Email
	return a.orLater(ctx, "make the sign-in link of the owner valid", func(ctx context.Context) error {
		offered, err := a.catalog.access.OfferLink(ctx, owner.ID, token)
		if offered {
			a.first.token = token
		}
		return err
	})
}

// linkToken returns the token of an owner's first sign-in link. It follows from
// the secret key, so that all starts and servers print the same link.
func (a *App) linkToken(owner int64) string {
	mac := hmac.New(sha256.New, a.catalog.keys.link)
	fmt.Fprint(mac, owner)
	return hex.EncodeToString(mac.Sum(nil)[:24])
}

// keyUseEvery is the interval at which the last use of keys is stored.
const keyUseEvery = 30 * time.Second

// keepKeyUse periodically stores when keys were last used, until ctx ends. It
// only logs failures, because they must not block requests.
func (c *installed) keepKeyUse(ctx context.Context) {
	ticker := time.NewTicker(keyUseEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := c.saveKeyUse(ctx); err != nil {
			c.log.Warn("cannot store when keys were last used", "error", err)
		}
	}
}

func (c *installed) saveKeyUse(ctx context.Context) error {
	used := c.access.Guard().Used()
	if len(used) == 0 {
		return nil
	}
	return c.Accounts.TouchKeys(ctx, used)
}
