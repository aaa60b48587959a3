// Package clickhouse stores request logs in a ClickHouse database, which several
// servers can share.
//
// A log is one row of the table log, with the columns that filters use, its texts
// and their words. Everything that one commit writes is inserted synchronously, in
// an order in which a commit that fails in the middle can be repeated; see Write.
// Annotations and prices change rows in place, without touching texts.
package clickhouse

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Options configure a store. The zero value of each is a good default.
type Options struct {
	// Installation is the id of the installation that the logs belong to. A
	// database of another one is refused. Without an id, nothing is checked.
	Installation string
	// Copying opens a database to which logs are copied. Others are refused until
	// the copy is complete.
	Copying bool
	Logger  *slog.Logger
}

// Store is a requests.Store in a ClickHouse database.
type Store struct {
	*client
	log *slog.Logger
	// writer identifies the store among all that write to the database.
	writer string

	writing sync.Mutex
	closed  bool
	batches int64 // ever written
	terms   termSet

	lastID   atomic.Int64
	patience patience
	health   health
}

var _ requests.Store = (*Store)(nil)

// Open connects to the database at the address and creates its tables if they are
// missing.
func Open(ctx context.Context, text string, opts Options) (*Store, error) {
	a, err := parseAddress(text)
	if err != nil {
		return nil, fmt.Errorf("the address of the ClickHouse database %w", err)
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Store{client: newClient(a), log: opts.Logger, writer: rand.Text(), patience: usualPatience}
	if err := s.open(ctx, opts); err != nil {
		s.close()
		return nil, fmt.Errorf("open %s: %w", a.text, err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, opts Options) error {
	version, err := s.Version(ctx)
	if err != nil {
		return s.whyNot(err)
	}
	if !supported(version) {
		return fmt.Errorf("ClickHouse %s is too old: %d.%d or later is needed", version, oldestMajor, oldestMinor)
	}
	if err := s.migrate(ctx); err != nil {
		return s.whyNot(err)
	}
	if err := s.bind(ctx, opts.Installation); err != nil {
		return s.whyNot(err)
	}
	if err := s.checkCopy(ctx, opts.Copying); err != nil {
		return s.whyNot(err)
	}
	_, err = s.readLastID(ctx)
	return s.whyNot(err)
}

// bind gives the database to an installation, or checks that it has it. The first
// one of two at once wins.
func (s *Store) bind(ctx context.Context, installation string) error {
	if installation == "" {
		return nil
	}
	owner, err := s.Installation(ctx)
	if err == nil && owner == "" {
		var b block
		b.text(installation)
		if err = s.exec(ctx, statement{sql: insertInto("installation", []string{"id"}), rows: b.bytes, settings: s.writeSettings()}); err == nil {
			owner, err = s.Installation(ctx)
		}
	}
	if err == nil && owner != installation {
		err = fmt.Errorf("the database belongs to installation %s, but the catalog to installation %s: correct the options catalog and logs", owner, installation)
	}
	return err
}

// whyNot returns why the database cannot be used, for an operator.
func (s *Store) whyNot(err error) error {
	switch {
	case hasCode(err, codesOfUser):
		return errors.New("ClickHouse rejects the user or the password")
	case hasCode(err, codesOfDatabases):
		return fmt.Errorf("there is no database %s: create it with CREATE DATABASE", s.database)
	case hasCode(err, codesOfRights):
		return fmt.Errorf("the user %s lacks permissions; it needs SELECT, INSERT, ALTER, OPTIMIZE, CREATE TABLE: %w", s.user, err)
	case isAway(err):
		return fmt.Errorf("no server answers: %w", err)
	}
	return err
}

// The oldest version of ClickHouse with everything that the store uses: text
// indexes of lists, and updates of rows without rewriting them.
const oldestMajor, oldestMinor = 26, 7

func supported(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return err == nil && err2 == nil && (major > oldestMajor || major == oldestMajor && minor >= oldestMinor)
}

// Version returns the version of the server.
func (s *Store) Version(ctx context.Context) (version string, err error) {
	_, err = s.readRow(ctx, newQuery("SELECT version()"), &version)
	return version, err
}

// migrate runs the migrations that the database lacks.
func (s *Store) migrate(ctx context.Context) error {
	var engine string
	if _, err := s.readRow(ctx, newQuery("SELECT engine FROM system.databases WHERE name = currentDatabase()"), &engine); err != nil {
		return fmt.Errorf("read the engine of the database: %w", err)
	}
	adapt := func(sql string) string { return sql }
	if engine == "Replicated" {
		adapt = replicated
	}
	if err := s.exec(ctx, statement{sql: adapt(versionTable)}); err != nil {
		return fmt.Errorf("create tables: %w", err)
	}
	var done int64
	if _, err := s.readRow(ctx, newQuery("SELECT max(version) FROM schema_version"), &done); err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if done > int64(len(migrations)) {
		return fmt.Errorf("the tables have version %d, which is newer than this program knows", done)
	}
	for i, statements := range migrations[done:] {
		number := int(done) + i + 1
		if err := s.runMigration(ctx, number, statements, adapt); err != nil {
			return fmt.Errorf("migration %d: %w", number, err)
		}
	}
	return nil
}

func (s *Store) runMigration(ctx context.Context, number int, statements []string, adapt func(string) string) error {
	for _, sql := range statements {
		if err := s.exec(ctx, statement{sql: adapt(sql)}); err != nil {
			return err
		}
	}
	return s.exec(ctx, statement{sql: "INSERT INTO schema_version VALUES (" + strconv.Itoa(number) + ")"})
}

// Close implements reqlog.Writer. Nothing is in memory only.
func (s *Store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.closed = true
	s.close()
	return nil
}

// Backlog implements reqlog.Writer. Writes leave no work.
func (s *Store) Backlog() float64 { return 0 }

// lastIDTime limits the time to look up the last id.
const lastIDTime = 10 * time.Second

// LastID implements reqlog.Writer. If the database is away, it returns the last
// one known.
func (s *Store) LastID() int64 {
	ctx, cancel := context.WithTimeout(context.Background(), lastIDTime)
	defer cancel()
	last, err := s.readLastID(ctx)
	if err != nil {
		s.log.Warn("cannot look up the last request id", "error", err)
	}
	return last
}

func (s *Store) readLastID(ctx context.Context) (int64, error) {
	var last int64
	_, err := s.readRow(ctx, newQuery("SELECT max(id) FROM log"), &last)
	s.sawID(last)
	return s.lastID.Load(), err
}

func (s *Store) sawID(id int64) {
	for {
		known := s.lastID.Load()
		if id <= known || s.lastID.CompareAndSwap(known, id) {
			return
		}
	}
}

// health is what Healthy returned last.
type health struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

const (
	// healthTime limits the time to find out whether the database answers.
	healthTime = 3 * time.Second
	// healthEvery is how long the answer counts.
	healthEvery = time.Second
)

// Healthy returns why writes are currently rejected, or nil.
func (s *Store) Healthy() error {
	h := &s.health
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.at) < healthEvery {
		return h.err
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), healthTime, &awayError{cause: errSlow})
	defer cancel()
	_, err := s.Version(ctx)
	h.at, h.err = time.Now(), s.explain(err)
	return h.err
}
