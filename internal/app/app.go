// Package app assembles the program from components, serves them, and shuts them down
// in order. A component builds its services on those below it:
//
//	catalog   the data folder, the catalog, and who may use it
//	registry  what people manage (package registry)
//	logs      request logs (package logs)
//	work      what runs in the background (package work)
//	edge      the operations, and the connections of clients
package app

import (
	"context"
	"errors"
	"log/slog"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/app/logs"
	"github.com/promptuary/promptuary/internal/app/metrics"
	"github.com/promptuary/promptuary/internal/app/registry"
	"github.com/promptuary/promptuary/internal/app/work"
	"github.com/promptuary/promptuary/internal/config"
	demo "github.com/promptuary/promptuary/internal/demo/registry"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// App is the program with its stores open.
type App struct {
	cfg config.Config
	log *slog.Logger

	// The components, in their order. Each is nil until it is open.
	catalog  *installed
	registry *registry.Registry
	logs     *logs.Logs
	work     *work.Work
	edge     *front

	// first is what the first start has created.
	first firstStart
	// late are the writes of the start that a full disk has prevented.
	late []lateWrite
}

// component is a part of the program.
type component interface {
	// Routes adds the services of the component to those that operations call.
	Routes(s *api.Services)
	// Metrics adds its metrics, except those of its queues.
	Metrics(m *metrics.Set)
	// Queues returns its queues in which workspaces take turns.
	Queues() []metrics.Queue
	// Close ends its work and closes its stores, before the components that it uses.
	Close(ctx context.Context) error
}

// components returns the components that are open, except the edge, each before those
// that it uses.
func (a *App) components() (open []component) {
	if a.work != nil {
		open = append(open, a.work)
	}
	if a.logs != nil {
		open = append(open, a.logs)
	}
	if a.registry != nil {
		open = append(open, a.registry)
	}
	if a.catalog != nil {
		open = append(open, a.catalog)
	}
	return open
}

// Open opens the stores of the data folder and builds the services on top of
// them. The version is that of the program.
func Open(ctx context.Context, cfg config.Config, log *slog.Logger, version string) (_ *App, err error) {
	ctx = access.AsSystem(ctx)
	a := &App{cfg: cfg, log: log}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close(context.Background()))
		}
	}()
	if err := a.openCatalog(ctx, version); err != nil {
		return nil, err
	}
	if err := a.openServices(ctx); err != nil {
		return nil, err
	}
	a.tellReadOnly()
	return a, a.openEdge(version)
}

// openServices opens the components between the catalog and the edge. The registry
// comes before request logs, which name its prompts.
func (a *App) openServices(ctx context.Context) (err error) {
	c, keys := a.catalog.Catalog, &a.catalog.keys
	a.registry, err = registry.Open(ctx, registry.Options{Catalog: c, Box: keys.box, Python: a.cfg.PythonSteps, Logger: a.log})
	if err != nil {
		return err
	}
	a.logs, err = logs.Open(ctx, logs.Options{
		Config: a.cfg, Catalog: c, Installation: a.catalog.id, Prompts: a.registry.Prompts, Keys: a.catalog.access.KeyNames,
		RedactionKey: keys.redaction, Logger: a.log,
	})
	if err != nil {
		return err
	}
	a.work, err = work.Open(ctx, work.Options{
		Config: a.cfg, Catalog: c, Registry: a.registry, Logs: a.logs, Installation: a.catalog.id, Box: keys.box, TokenKey: keys.token,
		OrLater: a.orLater, Logger: a.log,
	})
	if err != nil {
		return err
	}
	a.catalog.follow(ctx)
	return nil
}

// Logs returns the service for request logs.
func (a *App) Logs() *requests.Service { return a.logs.Service }

// Prompts returns the service for prompts.
func (a *App) Prompts() *prompt.Service { return a.registry.Prompts }

// Workspace returns the id of the default workspace.
func (a *App) Workspace() int64 { return a.catalog.workspace.ID }

// DemoServices returns the services that create demo data.
func (a *App) DemoServices() demo.Services {
	services := demo.Services{Access: a.catalog.access, Views: a.logs.Views}
	a.registry.Demo(&services)
	a.work.Demo(&services)
	return services
}

// Close writes queued logs and releases the data folder. It may be called on a
// partially opened App.
func (a *App) Close(ctx context.Context) (err error) {
	for _, c := range a.components() {
		err = errors.Join(err, c.Close(ctx))
	}
	return err
}
