package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// ask runs queries over the views of traces.
func (s *Selection) ask(ctx context.Context, db *sql.DB) logsql.Ask {
	return func(write func(*logsql.Views) string, row func(logsql.Scan) error) error {
		return s.traceQuery(write).scan(ctx, db, row)
	}
}

func (s *Selection) traceQuery(write func(*logsql.Views) string) *sqlQuery {
	return queryOf(func(q *sqlQuery) string { return write(s.views(q)) })
}

// SearchTraces returns one page of the traces, as query.Reader describes.
func (t *Table) SearchTraces(ctx context.Context, sel *Selection, wanted query.SearchQuery) (found query.FoundTraces, err error) {
	err = t.read(ctx, func(db *sql.DB) (err error) {
		found, err = logsql.SearchTraces(sel.ask(ctx, db), wanted, logsql.CountFirst[int64])
		return err
	})
	if err != nil {
		return found, fmt.Errorf("search traces: %w", err)
	}
	return found, nil
}

// GroupTraces returns one page of the sessions or users of the traces, as
// query.Reader describes. The groups are summed up for the page only.
func (t *Table) GroupTraces(ctx context.Context, sel *Selection, wanted query.TraceGroupQuery) (found query.FoundTraceGroups, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		ask := sel.ask(ctx, db)
		ids, total, err := readGroupPage(ask, wanted)
		found.Total = total
		if err != nil || len(ids) == 0 {
			return err
		}
		found.Items, err = logsql.SumUpGroups(ask, wanted, ids)
		return err
	})
	if err != nil {
		return found, fmt.Errorf("group traces: %w", err)
	}
	return found, nil
}

// readGroupPage returns the ids of the groups on the page and the number of all.
func readGroupPage(ask logsql.Ask, wanted query.TraceGroupQuery) (ids []string, total int64, err error) {
	err = ask(groupPage(wanted), func(scan logsql.Scan) error {
		var id sql.NullString
		err := scan(&total, &id)
		if id.Valid {
			ids = append(ids, id.String)
		}
		return err
	})
	return ids, total, err
}

// groupPage has a row with the number of groups even if the page is empty. The
// groups are computed once for both.
func groupPage(wanted query.TraceGroupQuery) func(*logsql.Views) string {
	return func(v *logsql.Views) string {
		page := v.Groups(wanted)
		with := "WITH "
		if page.With != "" {
			with = page.With + ", "
		}
		return with + "grouped AS MATERIALIZED (" + page.Groups + ") SELECT total.groups, id FROM (SELECT count(*) AS groups FROM grouped) AS total" +
			" LEFT JOIN (SELECT id, sort FROM grouped" + page.Order + page.Limit + ") AS page ON TRUE" + page.Order
	}
}
