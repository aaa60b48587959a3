package api_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
)

// dump is everything that is stored: a line for each row of the catalog and
// each log, and one for the last trace.
type dump []string

// counters are tables with counters only.
var counters = []string{"shared_id", "id_block", "workspace_revision", "sqlite_sequence"}

// reader reads the stored rows directly.
type reader struct {
	w  *world
	db *sql.DB // has one connection, because data_version is one's own

	version string // of the catalog when it was last read
	catalog dump
}

func newReader(t *testing.T, w *world) *reader {
	t.Helper()
	db := catalogtest.Raw(t, "sqlite:"+filepath.Join(w.dir, "catalog.db"))
	db.SetMaxOpenConns(1)
	return &reader{w: w, db: db}
}

// dump returns what is stored now, without the time when keys were last used.
func (r *reader) dump(t *testing.T) dump {
	t.Helper()
	lines := slices.Clone(r.readCatalog(t))
	for _, who := range []string{"home", "away"} {
		found, err := r.w.send(who, http.MethodPost, searchPath, []byte(`{"per_page":25,"sort_by":"request_start_time"}`))
		check.OK(t, err)
		lines = append(lines, who+" "+string(found.body))
	}
	if r.w.lastTrace != "" {
		found, err := r.w.send("home", http.MethodGet, tracesPath+"/"+r.w.lastTrace, nil)
		check.OK(t, err)
		lines = append(lines, "trace "+string(found.body))
	}
	return lines
}

// readCatalog returns the rows of the catalog. It reads them again only if
// something was committed since.
func (r *reader) readCatalog(t *testing.T) dump {
	t.Helper()
	version := r.column(t, `PRAGMA data_version`)[0]
	if version == r.version {
		return r.catalog
	}
	r.version, r.catalog = version, nil
	for _, table := range r.column(t, `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`) {
		if !slices.Contains(counters, table) && !strings.HasPrefix(table, "entity_text") {
			r.catalog = append(r.catalog, r.rows(t, table)...)
		}
	}
	return r.catalog
}

func (r *reader) column(t *testing.T, query string) []string {
	t.Helper()
	rows, err := r.db.Query(query)
	check.OK(t, err)
	defer func() { _ = rows.Close() }()
	var values []string
	for rows.Next() {
		var value string
		check.OK(t, rows.Scan(&value))
		values = append(values, value)
	}
	check.OK(t, rows.Err())
	return values
}

func (r *reader) rows(t *testing.T, table string) []string {
	t.Helper()
	rows, err := r.db.Query(`SELECT * FROM "` + table + `" ORDER BY 1, 2`)
	check.OK(t, err)
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	check.OK(t, err)
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var lines []string
	for rows.Next() {
		check.OK(t, rows.Scan(into...))
		line := table
		for i, column := range columns {
			if column != "last_used_at" {
				line += fmt.Sprintf(" %s=%v", column, values[i])
			}
		}
		lines = append(lines, line)
	}
	check.OK(t, rows.Err())
	return lines
}

// missing returns the lines that the later dump no longer has.
func (d dump) missing(later dump) []string {
	count := map[string]int{}
	for _, line := range later {
		count[line]++
	}
	var gone []string
	for _, line := range d {
		if count[line]--; count[line] < 0 {
			gone = append(gone, clip(line))
		}
	}
	return gone
}

// same fails the test if something has changed.
func (d dump) same(t *testing.T, later dump) {
	t.Helper()
	if gone, added := d.missing(later), later.missing(d); len(gone)+len(added) > 0 {
		t.Errorf("something changed: without\n%s\nwith\n%s", strings.Join(gone, "\n"), strings.Join(added, "\n"))
	}
}
