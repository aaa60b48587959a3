package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/app/metrics"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/secret"
)

// installed is the installation: its data folder, its catalog, its keys, and who may use
// it.
type installed struct {
	*catalog.Catalog // nil until it is open
	cfg              config.Config
	log              *slog.Logger
	lock             *os.File
	// id identifies the installation.
	id           string
	registration *registration // nil with a SQLite catalog, which has one server
	keys         keys
	access       *access.Service
	workspace    access.Workspace
	// check is the outcome of the background check of the catalog.
	check catalogCheck
	// stopFollowing ends that check.
	stopFollowing context.CancelFunc
	following     sync.WaitGroup
}

// keys are derived from the secret key of the installation.
type keys struct {
	// box seals secrets.
	box *secret.Box
	// token signs tokens that every process sharing the catalog accepts.
	token []byte
	// redaction makes the hashes of redacted texts different from those of other
	// installations.
	redaction []byte
	// link makes the token of the owner's first sign-in link.
	link []byte
}

// openCatalog opens the catalog of the data folder, which it locks.
func (a *App) openCatalog(ctx context.Context, version string) (err error) {
	c := &installed{cfg: a.cfg, log: a.log}
	a.catalog = c
	if c.lock, err = storage.Lock(a.cfg.Data); err != nil {
		return err
	}
	storage.Tighten(a.cfg.Data, a.log)
	if c.Catalog, err = storage.MakeCatalog(ctx, a.cfg); err != nil {
		return err
	}
	if c.id, err = storage.Bind(ctx, a.cfg, c.Catalog, a.log); err != nil {
		return err
	}
	if err := c.register(ctx, version); err != nil {
		return err
	}
	c.access = NewAccess(c.Catalog)
	if c.workspace, err = c.Accounts.EnsureDefaultWorkspace(ctx); err != nil {
		return err
	}
	if err := a.ensureKey(ctx); err != nil {
		return err
	}
	return c.openKeys()
}

// openKeys derives the keys.
func (c *installed) openKeys() error {
	key, err := storage.SecretKey(c.cfg, c.id, c.log)
	if err != nil {
		return err
	}
	c.keys = keys{
		box: secret.NewBox(key), token: key.Derive("tokens of channels"), redaction: key.Derive("hashes of redaction"),
		link: key.Derive("first sign-in link"),
	}
	return nil
}

// NewAccess returns the service for workspaces, users and keys of a catalog.
func NewAccess(c *catalog.Catalog) *access.Service {
	return access.NewService(c.Accounts, access.NewGuard(c.Accounts, time.Now), time.Now)
}

// follow starts the background check of the catalog.
func (c *installed) follow(ctx context.Context) {
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stopFollowing = stop
	c.following.Go(guard.Loop("check of the catalog", following.Done(), func() { c.scrub(following) }))
}

// Routes adds nothing: the edge adds the services for accounts.
func (c *installed) Routes(*api.Services) {}

// Queues returns the queue in which changes of workspaces take turns.
func (c *installed) Queues() []metrics.Queue {
	return []metrics.Queue{{Name: "changes", Queue: c.Writers()}}
}

// Metrics adds the metrics of the background check.
func (c *installed) Metrics(m *metrics.Set) {
	m.Gauge("promptuary_catalog_problems", "Problems that the last background check of the SQLite catalog found.",
		func() float64 { return float64(c.check.problems.Load()) })
	m.Counter("promptuary_catalog_checks_total", "Completed background checks of the SQLite catalog.",
		func() float64 { return float64(c.check.passes.Load()) })
}

// Close ends the check, leaves the list of servers, and releases the data folder. It may
// be called on a partially opened value.
func (c *installed) Close(ctx context.Context) (err error) {
	if c.stopFollowing != nil {
		c.stopFollowing()
		c.following.Wait()
	}
	if c.access != nil {
		err = c.saveKeyUse(ctx)
	}
	if c.Catalog != nil {
		err = errors.Join(err, c.leave(ctx), c.Catalog.Close())
	}
	if c.lock != nil {
		err = errors.Join(err, c.lock.Close())
	}
	return err
}
