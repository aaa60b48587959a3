package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/catalog/installation"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
)

const (
	// registeredFor is how long a server that crashed counts as running.
	registeredFor = 20 * time.Second
	// registerEvery is the interval at which a server extends its registration.
	registerEvery = 5 * time.Second
)

// registration is the entry of this server in the list of the servers that use
// the catalog.
type registration struct {
	server installation.Server
	// report returns what the server reports of itself. It is nil while the server
	// starts.
	report atomic.Pointer[func(context.Context) admin.ServerStatus]
	// lost is closed when a server that this one cannot share the catalog with has
	// registered.
	lost chan struct{}
	end  context.CancelFunc
	loop sync.WaitGroup
}

// register registers this server in a PostgreSQL catalog. The lock of the data
// folder protects a SQLite catalog.
func (c *installed) register(ctx context.Context, version string) error {
	if c.cfg.Catalog == "sqlite" {
		return nil
	}
	name, err := serverName(c.cfg.Data)
	if err != nil {
		return err
	}
	r := &registration{
		server: installation.Server{Name: name, Alone: !c.cfg.SharesCatalog(), Version: version, Started: time.Now()},
		lost:   make(chan struct{}),
	}
	if err := c.awaitRegistration(ctx, r); err != nil {
		return err
	}
	c.registration = r
	ctx, r.end = context.WithCancel(context.WithoutCancel(ctx))
	r.loop.Go(guard.Loop("registration of the server", ctx.Done(), func() { c.keepRegistration(ctx) }))
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

// join registers the server or extends its registration. It returns the server
// that prevents it, or nil.
func (c *installed) join(ctx context.Context, r *registration) (*installation.Server, error) {
	server := r.server
	server.Status = "{}"
	if report := r.report.Load(); report != nil {
		status, err := json.Marshal((*report)(ctx))
		if err != nil {
			return nil, err
		}
		server.Status = string(status)
	}
	return c.Installation.JoinServer(ctx, server, registeredFor)
}

// awaitRegistration registers the server. If another server prevents it, that
// one may have crashed: then its registration ends soon. If it is extended, the
// other is running.
func (c *installed) awaitRegistration(ctx context.Context, r *registration) error {
	first := int64(0)
	for {
		rival, err := c.join(ctx, r)
		if err != nil || rival == nil {
			return err
		}
		switch {
		case first == 0:
			first = rival.Until
			c.log.Info("another server has the catalog: waiting until it has ended", "server", rival.Name)
		case rival.Until != first:
			return fmt.Errorf("the catalog is in use by the server with the data folder %s: servers that keep request logs in their data folder "+
				"cannot share a catalog, because each would have only a part of the logs; stop that server first", rival.Name)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(registerEvery / 10):
		}
	}
}

// keepRegistration extends the registration until ctx ends or another server
// has the catalog. While the catalog cannot be reached, no other server can
// register either, unless only this one is cut off.
func (c *installed) keepRegistration(ctx context.Context) {
	ticker := time.NewTicker(registerEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		rival, err := c.join(ctx, c.registration)
		if err == nil && rival == nil {
			err = c.Installation.ForgetCalls(ctx, 2*time.Minute)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			c.log.Warn("cannot extend the registration of this server", "error", err)
		case rival != nil:
			c.log.Error("another server has taken the catalog: stopping", "server", rival.Name)
			close(c.registration.lost)
			return
		}
	}
}

// lostCatalog returns a channel that is closed when another server has the
// catalog.
func (c *installed) lostCatalog() <-chan struct{} {
	if c.registration == nil {
		return nil
	}
	return c.registration.lost
}

// leave removes this server from the list.
func (c *installed) leave(ctx context.Context) error {
	if c.registration == nil {
		return nil
	}
	c.registration.end()
	c.registration.loop.Wait()
	err := c.Installation.LeaveServer(ctx, c.registration.server.Name)
	if fault.Is(err, fault.Unavailable) {
		// A connection whose query the stop has just cancelled fails its next user, who
		// gets another one.
		err = c.Installation.LeaveServer(ctx, c.registration.server.Name)
	}
	return err
}
