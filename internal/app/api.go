package app

import (
	"context"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/app/metrics"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/edge"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/rest"
)

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

// front is what serves clients: the operations of all components behind the checks that
// all of them share, and the connections.
type front struct {
	handler http.Handler
	metrics *metrics.Set
	// bodies shares the parsing of large bodies between workspaces.
	bodies *fair.Queue
	limits edge.Limits
	// connections is nil until the program listens.
	connections atomic.Pointer[edge.Listener]
	draining    atomic.Bool
	unready     atomic.Bool // last logged state
}

// openEdge joins the operations of the components.
func (a *App) openEdge(version string) (err error) {
	// Logs of large bodies wait for the disk in their turn.
	each := 2 * runtime.GOMAXPROCS(0)
	a.edge = &front{metrics: metrics.New(), bodies: fair.New(fair.Options{Slots: each + 2, Each: each, Waiting: maxWaitingBodies})}
	if a.edge.limits, err = connectionLimits(a.cfg); err != nil {
		return err
	}
	a.addMetrics()
	services := api.Services{Admin: admin.Services{
		Access: a.catalog.access, Audit: audit.NewService(a.catalog.Accounts), Health: newReporter(a, version),
	}}
	for _, c := range a.components() {
		c.Routes(&services)
	}
	guard := a.catalog.access.Guard()
	router, err := rest.New(api.Operations(services), rest.Options{
		Title: title, Version: version, About: about, Examples: api.Examples,
		Authenticate: admin.Authenticator(guard), Authorize: admin.Authorize, Enter: admin.Enter(guard),
		Limiter: a.limiter(), MaxBody: a.cfg.MaxBody, BodyMemory: max(a.cfg.BodyMemory, a.cfg.MaxBody), Stall: a.cfg.StallTimeout,
		Share: a.shareBodies, Logger: a.log, Observe: a.edge.metrics.Observe,
	})
	if err != nil {
		return err
	}
	a.edge.handler = a.routes(router)
	return nil
}

// limiter returns the rate limits. Servers that share the catalog count together.
func (a *App) limiter() *rest.Limiter {
	limits := map[string]int{kit.LimitSearch: a.cfg.SearchLimit, kit.LimitSuggest: a.cfg.SuggestLimit}
	if a.cfg.SharesCatalog() {
		return rest.NewLimiter(time.Now, limits, a.catalog.Installation)
	}
	return rest.NewLimiter(time.Now, limits, nil)
}

// maxWaitingBodies limits the large bodies of one workspace that wait to be
// parsed.
const maxWaitingBodies = 1000

// shareBodies waits for the turn of the caller's workspace to parse a large
// body.
func (a *App) shareBodies(ctx context.Context) (end func(), err error) {
	return a.edge.bodies.Acquire(ctx, access.CallerOf(ctx).Workspace)
}

// queues returns the queues in which workspaces take turns.
func (a *App) queues() []metrics.Queue {
	list := []metrics.Queue{{Name: "bodies", Queue: a.edge.bodies}}
	for _, c := range []component{a.logs, a.registry, a.work, a.catalog} {
		list = append(list, c.Queues()...)
	}
	return list
}

// queueHealth returns the part of a workspace in each queue.
func (a *App) queueHealth(workspace int64) []admin.QueueHealth {
	var list []admin.QueueHealth
	for _, q := range a.queues() {
		running, waiting := q.StatsOf(workspace)
		stats := q.Stats()
		list = append(list, admin.QueueHealth{
			Name: q.Name, Running: int64(running), MaxRunning: int64(stats.Each), Waiting: int64(waiting), MaxWaiting: int64(stats.Quota),
		})
	}
	return list
}
