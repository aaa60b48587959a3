package installation

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

// goneAfter is how long a server that ended without leaving is still listed.
const goneAfter = 24 * time.Hour

// Server is a server that uses the catalog.
type Server struct {
	// Name identifies the server. One that starts with the name of another
	// replaces it.
	Name string
	// Alone is set if the server keeps the request logs itself. No other server may
	// use the catalog then: each would show only a part of the logs.
	Alone   bool
	Version string
	Started time.Time
	// Status is what the server reports of itself, as JSON.
	Status string
	// Until is when the server counts as ended, in microseconds of the database's
	// clock. It grows as long as the server runs.
	Until int64
	// Running is whether Until is in the future.
	Running bool
}

const serverColumns = `name, alone, version, started_at, status, until, until > ` + engine.Clock

func scanServer(r engine.Row) (Server, error) {
	var s Server
	err := r.Scan(&s.Name, &s.Alone, &s.Version, engine.Time(&s.Started), &s.Status, &s.Until, &s.Running)
	return s, err
}

// JoinServer registers a server for some time, or extends its registration. It
// returns the server that prevents it, if there is one: of a server that is
// alone and any other, only the first is registered. The installation must have
// an id.
func (s *Store) JoinServer(ctx context.Context, server Server, lasting time.Duration) (*Server, error) {
	rival, err := engine.Transact(ctx, s.db, func(ctx context.Context) (*Server, error) {
		// Servers join one after the other.
		if _, err := engine.ExecUnaudited(ctx, s.db, table.Installation.Update(`
SET id = id`)); err != nil {
			return nil, err
		}
		if rival, err := s.rival(ctx, server); rival != nil || err != nil {
			return rival, err
		}
		return nil, s.register(ctx, server, lasting)
	})
	return engine.Wrap(rival, err, "register the server")
}

// rival returns the server that a server cannot share the catalog with, or nil.
func (s *Store) rival(ctx context.Context, server Server) (*Server, error) {
	found, err := engine.QueryOne(ctx, s.db, scanServer, `
SELECT `+serverColumns+`
FROM server
WHERE name <> $1
AND until > `+engine.Clock+`
AND (alone = 1 OR $2 = 1)
ORDER BY until DESC, name
LIMIT 1`, server.Name, flag(server.Alone))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &found, err
}

func (s *Store) register(ctx context.Context, server Server, lasting time.Duration) error {
	if _, err := engine.Exec(ctx, s.db, table.Server.Delete(`
WHERE until < `+engine.Clock+` - $1`), goneAfter); err != nil {
		return err
	}
	_, err := engine.Exec(ctx, s.db, table.Server.Insert(`
(name, alone, version, started_at, until, status)
VALUES ($1, $2, $3, $4, `+engine.Clock+` + $5, $6)
ON CONFLICT (name) DO UPDATE
SET alone = excluded.alone, version = excluded.version, started_at = excluded.started_at, until = excluded.until, status = excluded.status`),
		server.Name, flag(server.Alone), server.Version, server.Started, lasting, server.Status)
	return err
}

// flag is a condition in the form that both databases store.
func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}

// LeaveServer removes a server that ends, if it is registered.
func (s *Store) LeaveServer(ctx context.Context, name string) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.Server.Delete(`
WHERE name = $1`), name)
		return err
	})
	return engine.WrapError(err, "remove the server")
}

// Servers lists the servers by name, with those that ended in the last day
// without leaving.
func (s *Store) Servers(ctx context.Context) ([]Server, error) {
	all, err := engine.QueryAll(ctx, s.db, scanServer, `
SELECT `+serverColumns+`
FROM server
WHERE until > `+engine.Clock+` - $1
ORDER BY name`, goneAfter)
	return engine.Wrap(all, err, "list the servers")
}
