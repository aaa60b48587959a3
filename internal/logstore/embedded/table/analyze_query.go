package table

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"github.com/duckdb/duckdb-go/v2"
	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/logstore/embedded/tally"
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// Analyze computes the analytics of the selection.
func (t *Table) Analyze(ctx context.Context, sel *Selection, analyze chart.AnalyzeQuery) (*chart.Analytics, error) {
	var result *chart.Analytics
	err := t.read(ctx, func(db *sql.DB) error {
		ranges, err := sel.ranges(ctx, db)
		if err != nil {
			return err
		}
		if result, err = t.analyzeColumns(ctx, db, sel, ranges, analyze); leftToRows(err) {
			result, err = analyzeRows(ctx, db, sel, analyze)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("analyze logs: %w", err)
	}
	return result, nil
}

// leftToRows reports whether analytics must be computed without much memory, or anew.
func leftToRows(err error) bool {
	engine, ok := errors.AsType[*duckdb.Error](err)
	return errors.Is(err, tally.ErrTooMany) || errors.Is(err, tally.ErrChanged) || ok && engine.Type == duckdb.ErrorTypeOutOfMemory
}

// analyzeRows lets DuckDB compute everything, in one pass for each part of the answer.
func analyzeRows(ctx context.Context, db *sql.DB, sel *Selection, analyze chart.AnalyzeQuery) (*chart.Analytics, error) {
	a := logsql.NewAnalysis(analyze)
	return a.Result, a.Run(sel.passes(ctx, db), logsql.OneByOne)
}

// passes runs passes over the selection.
func (s *Selection) passes(ctx context.Context, db *sql.DB) func(logsql.Pass) error {
	return func(p logsql.Pass) error { return s.passQuery(p).scan(ctx, db, p.Row) }
}

func (s *Selection) passQuery(p logsql.Pass) *sqlQuery {
	return queryOf(func(q *sqlQuery) string { return p.SQL(q.writer(), selected{s, q}) })
}

// analyzeColumns lets DuckDB only select the logs of the ranges, and sums up their
// columns here.
func (t *Table) analyzeColumns(ctx context.Context, db *sql.DB, sel *Selection, ranges []idRange, analyze chart.AnalyzeQuery) (*chart.Analytics, error) {
	a := logsql.NewAnalysis(analyze)
	if len(ranges) == 0 {
		return a.Result, nil
	}
	kinds := &tally.Kinds{}
	parts := make([]*tally.Tally, min(runtime.GOMAXPROCS(0), len(ranges)))
	for i := range parts {
		parts[i] = tally.New(analyze.Bucket, kinds, t.room)
		defer parts[i].Close()
	}
	all, err := tallyRanges(ctx, db, sel, ranges, parts)
	if err != nil {
		return nil, err
	}
	texts, err := lookUp(ctx, db, all.Lookups())
	if err != nil {
		return nil, err
	}
	valuesLeft, err := all.Result(ctx, runtime.GOMAXPROCS(0), texts, a.Result)
	if err == nil && (valuesLeft || analyze.BreakdownKey != "") {
		a.Result.MetadataValues = nil
		err = a.RunMetadataValues(sel.passes(ctx, db))
	}
	if err == nil {
		err = a.RunTraced(sel.passes(ctx, db))
	}
	return a.Result, err
}

// idRange is a range of ids of selected logs, excluding its lower bound.
type idRange struct{ after, upTo int64 }

const (
	// stepBits make the number of ids of a step, of which a range has several.
	stepBits = 12
	stepIDs  = 1 << stepBits
	// A range with fewer logs than minRangeRows is not worth a query. The columns of
	// maxRangeRows logs take about 50 MB of DuckDB's memory.
	minRangeRows = 20_000
	maxRangeRows = 200_000
)

// ranges splits the selection into ranges of ids with about as many logs each, so that
// they can be summed up in parallel.
func (s *Selection) ranges(ctx context.Context, db *sql.DB) (all []idRange, err error) {
	type step struct{ number, rows int64 }
	var steps []step
	total := int64(0)
	q := queryOf(func(q *sqlQuery) string {
		return "SELECT id >> " + strconv.Itoa(stepBits) + " AS step, count(*) FROM log WHERE " + s.where(q) + " GROUP BY step ORDER BY step"
	})
	err = q.scan(ctx, db, func(scan logsql.Scan) error {
		var next step
		err := scan(&next.number, &next.rows)
		steps, total = append(steps, next), total+next.rows
		return err
	})
	enough := min(max(minRangeRows, total/int64(2*runtime.GOMAXPROCS(0))), maxRangeRows)
	rows := int64(0)
	for _, next := range steps {
		if len(all) == 0 || rows >= enough {
			all, rows = append(all, idRange{after: next.number*stepIDs - 1}), 0
		}
		all[len(all)-1].upTo = min((next.number+1)*stepIDs-1, s.UpTo)
		rows += next.rows
	}
	return all, err
}

// tallyRanges sums up ranges in parallel, in as many parts, and returns the first part
// with all of them.
func tallyRanges(ctx context.Context, db *sql.DB, sel *Selection, ranges []idRange, parts []*tally.Tally) (*tally.Tally, error) {
	next := make(chan idRange, len(ranges))
	for _, r := range ranges {
		next <- r
	}
	close(next)
	group, ctx := errgroup.WithContext(ctx)
	for i := range parts {
		group.Go(guard.Task("analytics", func() error {
			return withConn(ctx, db, func(conn driver.Conn) error {
				for r := range next {
					if err := sel.tally(ctx, conn, r, parts[i]); err != nil {
						return err
					}
				}
				return nil
			})
		}))
	}
	err := group.Wait()
	for _, part := range parts[1:] {
		if err == nil {
			err = parts[0].Merge(part)
		}
	}
	return parts[0], err
}

// tally adds the logs of a range.
func (s *Selection) tally(ctx context.Context, conn driver.Conn, r idRange, to *tally.Tally) error {
	part := *s
	part.after, part.UpTo = max(s.after, r.after), r.upTo
	q := queryOf(func(q *sqlQuery) string { return "SELECT " + tally.Select + " FROM log WHERE " + part.where(q) })
	return chunk.Read(ctx, conn, q.text(), q.args, to.Add)
}

// withConn calls use with a connection of the driver.
func withConn(ctx context.Context, db *sql.DB, use func(driver.Conn) error) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	return conn.Raw(func(own any) error { return use(own.(driver.Conn)) })
}

// lookUp reads the texts of logs, of each only what is needed: lists of keys can be large.
func lookUp(ctx context.Context, db *sql.DB, of tally.Lookups) (*tally.Texts, error) {
	texts := tally.NewTexts()
	err := withConn(ctx, db, func(conn driver.Conn) error {
		return errors.Join(
			lookUpColumns(ctx, conn, tally.SelectNames, of.Names, texts.AddNames),
			lookUpColumns(ctx, conn, tally.SelectKeys, of.Keys, texts.AddKeys),
			lookUpColumns(ctx, conn, tally.SelectPairs, of.Values, texts.AddPairs),
		)
	})
	return texts, err
}

// lookUpColumns reads columns of logs, given their ids in ascending order. These are close
// to each other, as a rule, and DuckDB reads no more than what is between them.
func lookUpColumns(ctx context.Context, conn driver.Conn, columns string, ids []int64, each func(*chunk.Chunk) error) error {
	if len(ids) == 0 {
		return nil
	}
	q := newQuery()
	q.write("SELECT "+columns+" FROM log WHERE id BETWEEN ", q.bind(ids[0]), " AND ", q.bind(ids[len(ids)-1]), " AND id IN ", q.list(ids))
	return chunk.Read(ctx, conn, q.text(), q.args, each)
}
