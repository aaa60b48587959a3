package clickhouse

import (
	"context"
	"errors"
	"fmt"
)

// copyTable has how far a copy of logs to the database is: the last row counts,
// and an empty state says that the copy has ended.
const copyTable = `CREATE TABLE IF NOT EXISTS copy (
	state String CODEC(ZSTD(1)),
	at Int64 DEFAULT toUnixTimestamp64Micro(now64(6))
) ENGINE = MergeTree ORDER BY at SETTINGS ` + durable

// errCopying says that a copy of logs to the database was begun and has not ended.
var errCopying = errors.New("a copy of request logs to this database was begun and is not complete: finish it with promptuary logs copy --finish, or drop the database")

// CopyState returns what was saved last about a copy to the store, nil if there is
// none in progress.
func (s *Store) CopyState(ctx context.Context) ([]byte, error) {
	var state []byte
	if _, err := s.readRow(ctx, newQuery("SELECT state FROM copy ORDER BY at DESC LIMIT 1"), &state); err != nil {
		return nil, s.explain(fmt.Errorf("read how far the copy is: %w", err))
	}
	if len(state) == 0 {
		return nil, nil
	}
	return state, nil
}

// SaveCopyState saves how far a copy to the store is. Nil ends the copy.
func (s *Store) SaveCopyState(ctx context.Context, state []byte) error {
	var b block
	b.raw(state)
	if err := s.persist(ctx, statement{sql: insertInto("copy", []string{"state"}), rows: b.bytes, settings: s.writeSettings()}); err != nil {
		return s.explain(fmt.Errorf("save how far the copy is: %w", err))
	}
	return nil
}

// Installation returns the id of the installation that the logs belong to, "" if
// there is none yet.
func (s *Store) Installation(ctx context.Context) (owner string, err error) {
	_, err = s.readRow(ctx, newQuery("SELECT id FROM installation ORDER BY at, id LIMIT 1"), &owner)
	return owner, err
}

// checkCopy returns an error if a copy to the database is not complete, unless it
// is opened to continue it.
func (s *Store) checkCopy(ctx context.Context, copying bool) error {
	if copying {
		return nil
	}
	state, err := s.CopyState(ctx)
	if err == nil && state != nil {
		err = errCopying
	}
	return err
}

// Bind gives the database to an installation, or returns an error if another one
// has it.
func (s *Store) Bind(ctx context.Context, installation string) error {
	return s.whyNot(s.bind(ctx, installation))
}
