// Package catalog keeps everything that a team manages: workspaces, accounts,
// and the entities of every kind with their versions, labels and external ids.
// Each store is a package of its own; all of them share one database, and so
// their methods can be combined in one transaction.
package catalog

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/accounts"
	"github.com/promptuary/promptuary/internal/catalog/alerts"
	"github.com/promptuary/promptuary/internal/catalog/datasets"
	"github.com/promptuary/promptuary/internal/catalog/deletions"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/entities"
	"github.com/promptuary/promptuary/internal/catalog/evaluations"
	"github.com/promptuary/promptuary/internal/catalog/exports"
	"github.com/promptuary/promptuary/internal/catalog/groups"
	"github.com/promptuary/promptuary/internal/catalog/imports"
	"github.com/promptuary/promptuary/internal/catalog/installation"
	"github.com/promptuary/promptuary/internal/catalog/prices"
	"github.com/promptuary/promptuary/internal/catalog/redactions"
	"github.com/promptuary/promptuary/internal/catalog/repricings"
	"github.com/promptuary/promptuary/internal/catalog/runs"
	"github.com/promptuary/promptuary/internal/catalog/sequences"
	"github.com/promptuary/promptuary/internal/catalog/upgrade"
	"github.com/promptuary/promptuary/internal/catalog/views"
	"github.com/promptuary/promptuary/internal/catalog/webhooks"
)

//go:embed migrations
var migrations embed.FS

// Catalog is an open catalog. It is safe for concurrent use; any number of
// processes may have the same catalog open.
type Catalog struct {
	*engine.DB

	Accounts    *accounts.Store
	Entities    *entities.Store
	EnvVars     *entities.EnvVars
	Skills      *entities.Skills
	Datasets    *datasets.Store
	Evaluations *evaluations.Store
	Runs        *runs.Store
	Groups      *groups.Store
	Sequences   *sequences.Store
	Views       *views.Store
	Prices      *prices.Store
	Redactions  *redactions.Store
	Repricings  *repricings.Store
	Deletions   *deletions.Store
	Exports     *exports.Store
	Imports     *imports.Store
	Webhooks    *webhooks.Store
	Alerts      *alerts.Store

	Installation *installation.Store
	Upgrade      *upgrade.Store
}

// SettleTime is the time after which reserved ids must not be used any more.
const SettleTime = engine.SettleTime

// Option changes how a catalog is opened.
type Option = engine.Option

// WithClock makes the catalog take the time from now instead of time.Now.
func WithClock(now func() time.Time) Option { return engine.WithClock(now) }

// WithTrace makes the catalog call trace with every SQL statement before it runs.
// trace may be called from several goroutines.
func WithTrace(trace func(statement string, args []any)) Option { return engine.WithTrace(trace) }

// WithoutMigrations makes Open refuse a catalog that is not of this program's
// version, instead of migrating it.
func WithoutMigrations() Option { return engine.WithoutMigrations() }

// Open opens the catalog at dsn and migrates it to the current schema:
// "sqlite:<path>" or a plain path is a SQLite file, created when missing (its
// folder must exist); "postgres://…" or "postgresql://…" is a PostgreSQL
// database, which must exist and use UTF8. Several processes may open one
// catalog at the same time. A catalog migrated by a newer program is refused.
// The caller closes the catalog.
func Open(ctx context.Context, dsn string, options ...Option) (*Catalog, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("open catalog: %w", err)
	}
	db, err := engine.Open(ctx, dsn, files, options...)
	if err != nil {
		return nil, fmt.Errorf("open catalog: %w", err)
	}
	all := entities.New(db)
	return &Catalog{
		DB:          db,
		Accounts:    accounts.New(db),
		Entities:    all,
		EnvVars:     entities.NewEnvVars(db),
		Skills:      entities.NewSkills(db),
		Datasets:    datasets.New(db, all),
		Evaluations: evaluations.New(db, all),
		Runs:        runs.New(db),
		Groups:      groups.New(db),
		Sequences:   sequences.New(db),
		Views:       views.New(db),
		Prices:      prices.New(db),
		Redactions:  redactions.New(db),
		Repricings:  repricings.New(db),
		Deletions:   deletions.New(db),
		Exports:     exports.New(db),
		Imports:     imports.New(db),
		Webhooks:    webhooks.New(db),
		Alerts:      alerts.New(db),

		Installation: installation.New(db),
		Upgrade:      upgrade.New(db),
	}, nil
}
