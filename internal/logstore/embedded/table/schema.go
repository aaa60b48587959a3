package table

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// schemaVersion must be raised whenever the tables or the values in them
// change. A table of another version is dropped and filled again from the
// journal.
const schemaVersion = 14

// tableVersion is the version of the schema and of the rules by which the values
// were derived.
const tableVersion = schemaVersion<<16 | reqlog.IndexVersion

// schema creates the tables. The log table holds the columns of the filter
// fields and nothing else: whole logs are read from the journal, and texts are
// found by the text index. Only notes changed by annotations are kept here.
var schema = `CREATE TABLE log (
	workspace BIGINT NOT NULL,
` + fieldColumns() + `	notes VARCHAR
);
CREATE TABLE block (
	first_id BIGINT NOT NULL,
	position BIGINT NOT NULL
);
CREATE TABLE applied (
	block BIGINT NOT NULL,
	records BIGINT NOT NULL,
	last_id BIGINT NOT NULL
);
INSERT INTO applied VALUES (0, 0, 0);
CREATE TABLE deleted (
	kind BIGINT NOT NULL,
	key BIGINT NOT NULL,
	block BIGINT NOT NULL
);
CREATE TABLE schema_version (version BIGINT NOT NULL);
` + spanSchema

func fieldColumns() string {
	var lines strings.Builder
	for _, c := range columns {
		lines.WriteString("\t" + c.name + " " + c.sqlType)
		if !c.optional {
			lines.WriteString(" NOT NULL")
		}
		lines.WriteString(",\n")
	}
	return lines.String()
}

func (t *Table) createSchema(ctx context.Context) error {
	if err := t.exec(ctx, "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)"); err != nil {
		return fmt.Errorf("create schema: %w", err)
	}
	var version int64
	if err := t.db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM schema_version").Scan(&version); err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if version == tableVersion {
		return nil
	}
	return t.transact(ctx, func() error {
		for _, name := range []string{"log", "block", "applied", "deleted", "span", "closure", "schema_version"} {
			if err := t.exec(ctx, "DROP TABLE IF EXISTS "+name); err != nil {
				return fmt.Errorf("drop old schema: %w", err)
			}
		}
		if err := t.exec(ctx, schema); err != nil {
			return fmt.Errorf("create schema: %w", err)
		}
		return t.exec(ctx, "INSERT INTO schema_version VALUES ("+strconv.Itoa(tableVersion)+")")
	})
}
