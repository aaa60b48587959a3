// Package app assembles the program: it opens the stores, builds the services,
// serves them, and shuts everything down in order. It is the only package that
// knows all others.
package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/api/data"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/api/logs"
	apiregistry "github.com/promptuary/promptuary/internal/api/registry"
	"github.com/promptuary/promptuary/internal/api/traces"
	"github.com/promptuary/promptuary/internal/api/watch"
	"github.com/promptuary/promptuary/internal/api/work"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/edge"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/skill"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/trace"
	"github.com/promptuary/promptuary/internal/variableset"
	"github.com/promptuary/promptuary/internal/view"
	"github.com/promptuary/promptuary/internal/workflow"
)

// App is the program with its stores open.
type App struct {
	cfg     config.Config
	log     *slog.Logger
	lock    *os.File
	catalog *catalog.Catalog
	// installation is the id of the installation.
	installation string
	registration *registration // nil with a SQLite catalog, which has one server

	store      logStore
	access     *access.Service
	prompts    *prompt.Service
	prices     *pricing.Service
	redactions *redact.Service
	envVars    *envvar.Service
	// box seals secrets, and vault the credentials of steps.
	box   *secret.Box
	vault *step.Vault
	// tokenKey signs tokens that every process sharing the catalog accepts.
	tokenKey []byte
	// redactionKey makes the hashes of redacted texts different from those of other
	// installations.
	redactionKey []byte
	// linkKey makes the token of the owner's first sign-in link.
	linkKey  []byte
	work     *background
	datasets *dataset.Service
	logs     *reqlog.Service
	handler  http.Handler
	// bodies shares the parsing of large bodies between workspaces.
	bodies  *fair.Queue
	metrics *metrics
	// catalogCheck is the outcome of the background check of the catalog.
	catalogCheck catalogCheck
	limits       edge.Limits
	// connections is nil until the program listens.
	connections atomic.Pointer[edge.Listener]

	workspace access.Workspace
	// firstKey is the API key created at the first start, empty at later starts.
	firstKey string
	// newOwner and firstToken are the address of the owner and the token of the
	// sign-in link, empty once an owner has signed in. The token is also empty if
	// an operator has created another link.
	newOwner, firstToken string
	// late are the writes of the start that a full disk has prevented.
	late     []lateWrite
	draining atomic.Bool
	unready  atomic.Bool // last logged state
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
	if a.limits, err = connectionLimits(cfg); err != nil {
		return nil, err
	}
	if a.lock, err = lockFolder(cfg.Data); err != nil {
		return nil, err
	}
	tighten(cfg.Data, log)
	if err = a.openCatalog(ctx, version); err != nil {
		return nil, err
	}
	if err = a.openSecrets(ctx); err != nil {
		return nil, err
	}
	if err = a.openLogs(ctx); err != nil {
		return nil, err
	}
	if err = a.openDatasets(ctx); err != nil {
		return nil, err
	}
	if err = a.openWork(ctx); err != nil {
		return nil, err
	}
	a.tellReadOnly()
	return a, a.build(version)
}

// OpenCatalog opens the configured catalog, which must exist. Unlike the log
// store, it may be opened while another process is serving.
func OpenCatalog(ctx context.Context, cfg config.Config, options ...catalog.Option) (*catalog.Catalog, error) {
	if cfg.Catalog == "sqlite" {
		path := filepath.Join(cfg.Data, catalogFile)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			if err := checkMissing(path, cfg); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("%s is not a data folder: it has no %s. Check --data, or create one with promptuary serve", cfg.Data, catalogFile)
		}
	}
	return makeCatalog(ctx, cfg, options...)
}

// makeCatalog opens the configured catalog, and creates it if necessary.
func makeCatalog(ctx context.Context, cfg config.Config, options ...catalog.Option) (*catalog.Catalog, error) {
	dsn := cfg.Catalog
	if dsn == "sqlite" {
		if err := makeFolder(cfg.Data); err != nil {
			return nil, err
		}
		path := filepath.Join(cfg.Data, catalogFile)
		if err := checkMissing(path, cfg); err != nil {
			return nil, err
		}
		dsn = "sqlite:" + path
	}
	return catalog.Open(ctx, dsn, options...)
}

func (a *App) openCatalog(ctx context.Context, version string) (err error) {
	if a.catalog, err = makeCatalog(ctx, a.cfg); err != nil {
		return err
	}
	if err := a.bind(ctx); err != nil {
		return err
	}
	if err := a.register(ctx, version); err != nil {
		return err
	}
	a.access = NewAccess(a.catalog)
	if a.workspace, err = a.catalog.Accounts.EnsureDefaultWorkspace(ctx); err != nil {
		return err
	}
	return a.ensureKey(ctx)
}

func (a *App) openLogs(ctx context.Context) (err error) {
	if a.store, err = a.openStore(ctx); err != nil {
		return err
	}
	ids := &sequence{inner: a.catalog.Sequences, above: a.store.LastID()}
	if err := ids.ensure(ctx); err != nil && !errors.Is(err, unix.ENOSPC) {
		return err
	}
	a.prompts = prompt.NewService(a.catalog.Entities)
	a.prices = pricing.NewService(a.catalog.Prices, nil)
	a.redactions = redact.NewService(a.catalog.Redactions, a.redactionKey, nil)
	a.logs = reqlog.NewService(reqlog.Options{
		Store: a.store, Prompts: a.prompts, Keys: a.access.KeyNames, Prices: a.prices, Groups: a.catalog.Groups, Sequence: ids,
		Redactions: a.redactions, SpanIndex: trace.Index,
		Ingest: reqlog.IngestOptions{MaxLogs: a.cfg.QueueLogs, MaxBytes: a.cfg.QueueBytes, IDLife: a.idLife()},
	})
	return nil
}

// idLife returns how long request ids may be written after their reservation. It is
// limited if other servers want to know which ids no log gets any more.
func (a *App) idLife() time.Duration {
	if sharesCatalog(a.cfg) {
		return catalog.SettleTime / 3
	}
	return 0
}

// auditDelay returns the time after which audit entries are complete. SQLite runs one
// transaction at a time.
func (a *App) auditDelay() time.Duration {
	if a.cfg.Catalog == "sqlite" {
		return 0
	}
	return catalog.SettleTime
}

// settledLogs returns what finds the id up to which request logs are complete, nil if
// this server writes all of them.
func (a *App) settledLogs() func(ctx context.Context) (int64, error) {
	if !sharesCatalog(a.cfg) {
		return nil
	}
	return func(ctx context.Context) (int64, error) { return a.catalog.Sequences.SettledID(ctx, requestSequence) }
}

// The title and description of the API documents.
const (
	title = "Promptuary"
	about = "Records requests to language models, which are searchable as soon as they are acknowledged, " +
		"and keeps a versioned registry of prompts, workflows, datasets, evaluations, tools and skills."
)

// OpenAPI returns the OpenAPI document. It needs no data folder.
func OpenAPI(version string) ([]byte, error) {
	router, err := rest.New(api.Operations(api.Services{}), rest.Options{
		Title: title, Version: version, About: about, Examples: api.Examples, Authenticate: admin.Authenticator(nil), Enter: admin.Enter(nil),
	})
	if err != nil {
		return nil, err
	}
	return router.OpenAPI()
}

func (a *App) build(version string) error {
	// Logs of large bodies wait for the disk in their turn.
	each := 2 * runtime.GOMAXPROCS(0)
	a.bodies = fair.New(fair.Options{Slots: each + 2, Each: each, Waiting: maxWaitingBodies})
	a.metrics = newMetrics(a)
	externalIDs, releases := registry.NewExternalIDs(a.catalog.Entities), registry.NewLabels(a.catalog.Entities)
	services := api.Services{
		Logs:   logs.Services{Logs: a.logs, Views: view.NewService(a.catalog.Views), Prices: a.prices, Repricings: a.work.repricings},
		Traces: traces.Services{Logs: a.logs},
		Data: data.Services{
			Logs: a.logs, Redactions: a.redactions, Exports: a.work.exports, SavedExports: a.work.savedExports, Imports: a.work.imports,
			Deletions: a.work.deletions,
		},
		Watch: watch.Services{Alerts: a.work.alerts, Webhooks: a.work.webhooks},
		Registry: apiregistry.Services{
			Prompts: a.prompts, ABTests: a.work.abTests, Folders: folder.NewService(a.catalog.Entities), VariableSets: variableset.NewService(a.catalog.Entities), Tools: a.work.tools,
			Skills: skill.NewService(a.catalog.Entities, a.catalog.Skills, workflow.RandomID), EnvVars: a.envVars, ExternalIDs: externalIDs, Releases: releases,
		},
		Work: work.Services{
			Workflows: a.work.workflows, Runs: a.work.runs, Datasets: a.datasets, Evaluations: a.work.evaluations,
			Playground: a.work.playground, ExternalIDs: externalIDs, Releases: releases, Live: a.work.live, Exports: a.work.exports,
		},
		Admin: admin.Services{
			Access: a.access, Audit: audit.NewService(a.catalog.Accounts), Health: newReporter(a, version), Exports: a.work.exports,
		},
	}
	router, err := rest.New(api.Operations(services), rest.Options{
		Title: title, Version: version, About: about, Examples: api.Examples,
		Authenticate: admin.Authenticator(a.access.Guard()), Authorize: admin.Authorize, Enter: admin.Enter(a.access.Guard()),
		Limiter: a.limiter(),
		MaxBody: a.cfg.MaxBody, BodyMemory: max(a.cfg.BodyMemory, a.cfg.MaxBody), Stall: a.cfg.StallTimeout, Share: a.shareBodies, Logger: a.log, Observe: a.metrics.observe,
	})
	if err != nil {
		return err
	}
	a.handler = a.routes(router)
	return nil
}

// limiter returns the rate limits. Servers that share the catalog count together.
func (a *App) limiter() *rest.Limiter {
	limits := map[string]int{kit.LimitSearch: a.cfg.SearchLimit, kit.LimitSuggest: a.cfg.SuggestLimit}
	if sharesCatalog(a.cfg) {
		return rest.NewLimiter(time.Now, limits, a.catalog.Installation)
	}
	return rest.NewLimiter(time.Now, limits, nil)
}

// Logs returns the service for request logs.
func (a *App) Logs() *reqlog.Service { return a.logs }

// Prompts returns the service for prompts.
func (a *App) Prompts() *prompt.Service { return a.prompts }

// Workspace returns the id of the default workspace.
func (a *App) Workspace() int64 { return a.workspace.ID }

// Close writes queued logs and releases the data folder. It may be called on a
// partially opened App.
func (a *App) Close(ctx context.Context) error {
	var err error
	if a.work != nil {
		err = errors.Join(err, a.work.close(ctx)) // before the logs, which it writes to
	}
	if a.logs != nil {
		err = errors.Join(err, a.logs.Drain(ctx))
	}
	if a.store != nil {
		err = errors.Join(err, a.store.Close())
	}
	if a.access != nil {
		err = errors.Join(err, a.saveKeyUse(ctx))
	}
	if a.catalog != nil {
		err = errors.Join(err, a.leave(ctx), a.catalog.Close())
	}
	if a.lock != nil {
		err = errors.Join(err, a.lock.Close())
	}
	return err
}
