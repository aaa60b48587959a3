package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
)

// Report is what Verify found.
type Report struct {
	Address string // without the password
	Version string
	// Schema is the version of the tables, and Installation the id of the
	// installation that they belong to.
	Schema       int64
	Installation string
	// Logs, Spans, Closures and Annotations count what the tables have.
	Logs, Spans, Closures, Annotations int64
	// Copying says that a copy of logs to the database is not complete.
	Copying bool
	// Problems lists what is wrong.
	Problems []string
}

// Sound reports whether nothing is wrong.
func (r *Report) Sound() bool { return len(r.Problems) == 0 && !r.Copying }

func (r *Report) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// Verify checks the database at an address, which servers may be using, without
// changing it: that it can be used, has the tables of this version and belongs to
// the installation, if one is given; the checksums of all parts of the tables, as
// ClickHouse keeps them; and what the tables have against each other.
func Verify(ctx context.Context, text, installation string) (*Report, error) {
	a, err := parseAddress(text)
	if err != nil {
		return nil, fmt.Errorf("the address of the ClickHouse database %w", err)
	}
	s := &Store{client: newClient(a), log: slog.New(slog.DiscardHandler), patience: usualPatience}
	defer s.close()
	report := &Report{Address: a.text}
	if err := s.verify(ctx, report, installation); err != nil {
		return nil, fmt.Errorf("check %s: %w", a.text, s.whyNot(err))
	}
	return report, nil
}

func (s *Store) verify(ctx context.Context, r *Report, installation string) (err error) {
	if r.Version, err = s.Version(ctx); err != nil {
		return err
	}
	if !supported(r.Version) {
		r.problem("ClickHouse %s is too old: %d.%d or later is needed", r.Version, oldestMajor, oldestMinor)
	}
	if err := s.verifySchema(ctx, r, installation); err != nil || r.Schema != int64(len(migrations)) {
		return err
	}
	state, err := s.CopyState(ctx)
	if err != nil {
		return err
	}
	r.Copying = state != nil
	for _, table := range []string{"log", "change", "removal", "term", "span", "closure", "installation", "copy"} {
		if err := s.checkTable(ctx, r, table); err != nil {
			return err
		}
	}
	return s.verifyRows(ctx, r)
}

// verifySchema checks that the tables are there, and whose they are.
func (s *Store) verifySchema(ctx context.Context, r *Report, installation string) error {
	var tables int64
	if _, err := s.readRow(ctx, newQuery("SELECT count() FROM system.tables WHERE database = currentDatabase() AND name = 'schema_version'"), &tables); err != nil {
		return err
	}
	if tables == 0 {
		r.problem("there are no tables: no server has used the database")
		return nil
	}
	if _, err := s.readRow(ctx, newQuery("SELECT max(version) FROM schema_version"), &r.Schema); err != nil {
		return err
	}
	if known := int64(len(migrations)); r.Schema != known {
		r.problem("the tables have version %d, and this program knows version %d: what is in them is not checked", r.Schema, known)
		return nil
	}
	var err error
	r.Installation, err = s.Installation(ctx)
	if err == nil && installation != "" && r.Installation != installation {
		r.problem("the database belongs to installation %q, and the data folder to installation %q", r.Installation, installation)
	}
	return err
}

// checkTable compares the parts of a table with their checksums.
func (s *Store) checkTable(ctx context.Context, r *Report, table string) error {
	settings := s.writeSettings()
	settings.Set("check_query_single_value_result", "0")
	body, err := s.run(ctx, statement{sql: "CHECK TABLE " + table, settings: settings})
	if err != nil {
		return fmt.Errorf("check table %s: %w", table, err)
	}
	err = scanAll(body, func(rows *rowReader) error {
		var part, message string
		var passed bool
		err := rows.scan(&part, &passed, &message)
		if err == nil && !passed {
			r.problem("part %s of table %s is damaged: %s", part, table, message)
		}
		return err
	})
	return errors.Join(err, body.Close())
}

// verifyRows counts rows, month by month where they are many.
func (s *Store) verifyRows(ctx context.Context, r *Report) error {
	q := newQuery("SELECT (SELECT count() FROM span FINAL), (SELECT uniqExact(key) FROM closure), (SELECT count() FROM change)")
	if _, err := s.readRow(ctx, q, &r.Spans, &r.Closures, &r.Annotations); err != nil {
		return err
	}
	var months []int64
	if err := s.read(ctx, newQuery("SELECT DISTINCT month FROM log ORDER BY month"), func(rows *rowReader) error {
		var month int64
		err := rows.scan(&month)
		months = append(months, month)
		return err
	}); err != nil {
		return err
	}
	for _, month := range months {
		if err := s.verifyMonth(ctx, r, month); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) verifyMonth(ctx context.Context, r *Report, month int64) error {
	of := "WHERE month = " + strconv.FormatInt(month, 10)
	q := newQuery("SELECT count(), uniqExact(id), countIf(changes > 0 AND id NOT IN (SELECT id FROM change)), countIf(head = '') FROM log ", of)
	var logs, ids, unannotated, headless int64
	if _, err := s.readRow(ctx, q, &logs, &ids, &unannotated, &headless); err != nil {
		return err
	}
	r.Logs += ids
	for _, p := range []struct {
		what  string
		count int64
	}{
		{"are there twice", logs - ids}, {"have notes without an annotation", unannotated}, {"have no head", headless},
	} {
		if p.count > 0 {
			r.problem("%d request logs of month %d %s", p.count, month, p.what)
		}
	}
	return s.verifyWords(ctx, r, month, of)
}

// verifyWords looks for words that beginnings and typing errors do not find. It
// reads the logs, because parts that were not merged yet have no index.
func (s *Store) verifyWords(ctx context.Context, r *Report, month int64, of string) error {
	var words int64
	q := newQuery("SELECT uniqExact(word) FROM (SELECT arrayJoin(words) AS word FROM log ", of, ") WHERE word NOT IN (SELECT term FROM term)")
	if _, err := s.readRow(ctx, q, &words); err != nil {
		return err
	}
	if words > 0 {
		r.problem("%d words of request logs of month %d are found only as they are written", words, month)
	}
	return nil
}
