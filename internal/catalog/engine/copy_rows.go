package engine

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
)

// column is a column of a table in PostgreSQL.
type column struct {
	name   string
	binary bool
}

func columnsOf(ctx context.Context, tx *sql.Tx, table string) ([]column, error) {
	rows, err := tx.QueryContext(ctx, `SELECT * FROM `+table+` LIMIT 0`)
	if err != nil {
		return nil, mapError(ctx, err)
	}
	defer func() { _ = rows.Close() }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	columns := make([]column, len(types))
	for i, t := range types {
		columns[i] = column{t.Name(), t.DatabaseTypeName() == "BYTEA"}
	}
	return columns, rows.Err()
}

// tableRows reads the rows of a table and computes their checksum. It is the
// source of a copy.
type tableRows struct {
	*sql.Rows
	columns []column
	values  []any
	sum     checksum
	// read is called after each row, unless it is nil.
	read func()
	err  error
}

func readTable(ctx context.Context, tx *sql.Tx, table string, columns []column) (*tableRows, error) {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	rows, err := tx.QueryContext(ctx, `SELECT `+strings.Join(names, ", ")+` FROM `+table) //nolint:rowserrcheck // Err of the result checks it
	if err != nil {
		return nil, mapError(ctx, err)
	}
	return &tableRows{Rows: rows, columns: columns, values: make([]any, len(columns))}, nil
}

func (r *tableRows) names() []string {
	names := make([]string, len(r.columns))
	for i, c := range r.columns {
		names[i] = c.name
	}
	return names
}

// Next reads the next row, if there is one.
func (r *tableRows) Next() bool {
	if r.err != nil || !r.Rows.Next() {
		return false
	}
	if r.err = r.scan(); r.err != nil {
		return false
	}
	r.sum.add(r.values)
	if r.read != nil {
		r.read()
	}
	return true
}

func (r *tableRows) scan() error {
	targets := make([]any, len(r.values))
	for i := range r.values {
		r.values[i] = nil
		targets[i] = &r.values[i]
	}
	if err := r.Scan(targets...); err != nil {
		return err
	}
	for i, c := range r.columns {
		r.values[i] = c.convert(r.values[i])
	}
	return nil
}

// convert returns a value as PostgreSQL returns it: SQLite stores what it was
// given, whatever the type of the column.
func (c column) convert(value any) any {
	switch v := value.(type) {
	case string:
		if c.binary {
			return []byte(v)
		}
	case []byte:
		if !c.binary {
			return string(v)
		}
	}
	return value
}

// Values returns the row.
func (r *tableRows) Values() ([]any, error) { return r.values, nil }

// Err returns the error that ended the rows.
func (r *tableRows) Err() error {
	if r.err != nil {
		return r.err
	}
	return r.Rows.Err()
}

// sumTable returns the checksum of a table.
func sumTable(ctx context.Context, tx *sql.Tx, table string, columns []column) (checksum, error) {
	rows, err := readTable(ctx, tx, table, columns)
	if err != nil {
		return checksum{}, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		continue // Next computes the checksum
	}
	return rows.sum, mapError(ctx, rows.Err())
}

// checksum is the number of rows and the sum of their hashes, which does not
// depend on their order.
type checksum struct {
	rows      int64
	low, high uint64
}

func (s checksum) String() string { return fmt.Sprintf("%016x%016x", s.high, s.low) }

func (s *checksum) add(values []any) {
	hash := sha256.New()
	for _, value := range values {
		switch v := value.(type) {
		case nil:
			hash.Write([]byte{0})
		case string:
			fmt.Fprintf(hash, "\x01%d:%s", len(v), v)
		case []byte:
			fmt.Fprintf(hash, "\x01%d:%s", len(v), v)
		default:
			fmt.Fprintf(hash, "\x02%v;", v)
		}
	}
	sum := hash.Sum(nil)
	var carry uint64
	s.low, carry = bits.Add64(s.low, binary.BigEndian.Uint64(sum), 0)
	s.high, _ = bits.Add64(s.high, binary.BigEndian.Uint64(sum[8:]), carry)
	s.rows++
}
