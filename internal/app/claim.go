package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/guard"
)

const (
	// claimFor is how long a server that crashed keeps the catalog.
	claimFor = 20 * time.Second
	// claimEvery is the interval at which a server extends its claim.
	claimEvery = 5 * time.Second
)

// claim is the claim of this server on the catalog. Servers with their own
// request logs cannot share one: each would show only a part of the logs.
type claim struct {
	server string
	// lost is closed when another server has the catalog.
	lost chan struct{}
	end  context.CancelFunc
	loop sync.WaitGroup
}

// sharesCatalog reports whether other servers may use the catalog.
func sharesCatalog(cfg config.Config) bool { return cfg.Logs == config.LogsPerServer }

// claimCatalog claims a PostgreSQL catalog for this server. The lock of the data
// folder protects a SQLite catalog.
func (a *App) claimCatalog(ctx context.Context) error {
	if a.cfg.Catalog == "sqlite" || sharesCatalog(a.cfg) {
		return nil
	}
	server, err := serverName(a.cfg.Data)
	if err != nil {
		return err
	}
	if err := a.awaitClaim(ctx, server); err != nil {
		return err
	}
	a.claim = &claim{server: server, lost: make(chan struct{})}
	ctx, a.claim.end = context.WithCancel(context.WithoutCancel(ctx))
	a.claim.loop.Go(guard.Loop("claim on the catalog", ctx.Done(), func() { a.keepClaim(ctx) }))
	return nil
}

// serverName identifies a server by its data folder. The folder is locked, so a
// server that starts on it may replace the one of this name, which has ended.
func serverName(data string) (string, error) {
	path, err := filepath.Abs(data)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s on %s", path, host)
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		name += fmt.Sprintf(" (%d:%d)", stat.Dev, stat.Ino)
	}
	return name, nil
}

// awaitClaim claims the catalog. If another server has it, that server may have
// crashed: then its claim ends soon. If the claim is extended, it is running.
func (a *App) awaitClaim(ctx context.Context, server string) error {
	first := int64(0)
	for {
		current, ok, err := a.catalog.Installation.ClaimServer(ctx, server, claimFor)
		if err != nil || ok {
			return err
		}
		switch {
		case first == 0:
			first = current.Until
			a.log.Info("another server has the catalog: waiting until it has ended", "server", current.Server)
		case current.Until != first:
			return fmt.Errorf("the catalog is in use by the server with the data folder %s: servers that keep request logs in their data folder "+
				"cannot share a catalog, because each would have only a part of the logs; stop that server first", current.Server)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(claimEvery / 10):
		}
	}
}

// keepClaim extends the claim until ctx ends or another server has the catalog.
// While the catalog cannot be reached, no other server can claim it either,
// unless only this one is cut off.
func (a *App) keepClaim(ctx context.Context) {
	ticker := time.NewTicker(claimEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		current, ok, err := a.catalog.Installation.ClaimServer(ctx, a.claim.server, claimFor)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			a.log.Warn("cannot extend the claim on the catalog", "error", err)
		case !ok:
			a.log.Error("another server has taken the catalog: stopping", "server", current.Server)
			close(a.claim.lost)
			return
		}
	}
}

// lostClaim returns a channel that is closed when another server has the catalog.
func (a *App) lostClaim() <-chan struct{} {
	if a.claim == nil {
		return nil
	}
	return a.claim.lost
}

// releaseClaim lets other servers use the catalog.
func (a *App) releaseClaim(ctx context.Context) error {
	if a.claim == nil {
		return nil
	}
	a.claim.end()
	a.claim.loop.Wait()
	return a.catalog.Installation.ReleaseServer(ctx, a.claim.server)
}
