package chunk

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/promptuary/promptuary/internal/check"
)

// open opens a database with a table and returns a connection for the appender.
func open(t testing.TB, columns string) (*sql.DB, driver.Conn) {
	t.Helper()
	connector := check.Must(duckdb.NewConnector("", nil))(t)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { check.OK(t, db.Close()) })
	check.Must(db.Exec("CREATE TABLE rows (" + columns + ")"))(t)
	conn := check.Must(connector.Connect(context.Background()))(t)
	t.Cleanup(func() { check.OK(t, conn.Close()) })
	return db, conn
}

const allTypes = "i BIGINT, f DOUBLE, b BOOLEAN, s VARCHAR, l VARCHAR[], n BIGINT[]"

// texts returns texts of all lengths up to and around those that are stored
// differently, with characters of several bytes.
func texts(i int) []string {
	texts := make([]string, i%7)
	for j := range texts {
		texts[j] = strings.Repeat("é", i%5) + strings.Repeat("x", (i+j)%20)
	}
	return texts
}

// numbers returns lists of different lengths, some of them longer than a chunk has
// rows.
func numbers(i int) []int64 {
	count := i % 5
	if i%1000 == 1 {
		count = 2*chunkRows + i
	}
	list := make([]int64, count)
	for j := range list {
		list[j] = int64(i-j) << 40
	}
	return list
}

// TestRows appends more rows than fit into a chunk, with nulls among them, and
// lists that need more room than was reserved.
func TestRows(t *testing.T) {
	t.Parallel()
	db, conn := open(t, allTypes)
	const count = 5000
	a := check.Must(Open(conn, "rows"))(t)
	for i := range count {
		if i%10 == 3 {
			a.Int(int64(i))
			for range 5 {
				a.Null()
			}
			check.OK(t, a.EndRow())
			continue
		}
		a.Int(int64(i))
		a.Float(float64(i) / 4)
		a.Bool(i%2 == 0)
		a.Bytes([]byte(strings.Repeat("a\x00", i%30)))
		a.Texts(texts(i))
		a.Ints(numbers(i))
		check.OK(t, a.EndRow())
	}
	check.OK(t, a.Close())
	rows, err := db.Query("SELECT i, f, b, s, l, n FROM rows ORDER BY i")
	check.OK(t, err)
	defer func() { check.OK(t, rows.Close()) }()
	i := 0
	for ; rows.Next(); i++ {
		checkRow(t, rows, i)
	}
	check.OK(t, rows.Err())
	check.Equal(t, "rows", i, count)
}

func checkRow(t *testing.T, rows *sql.Rows, i int) {
	t.Helper()
	var n sql.NullInt64
	var f sql.NullFloat64
	var b sql.NullBool
	var s sql.NullString
	var l, list any
	check.OK(t, rows.Scan(&n, &f, &b, &s, &l, &list))
	got := fmt.Sprint(n, f, b, s, l, list)
	want := fmt.Sprint(sql.NullInt64{Int64: int64(i), Valid: true}, sql.NullFloat64{}, sql.NullBool{}, sql.NullString{}, nil, nil)
	if i%10 != 3 {
		want = fmt.Sprint(sql.NullInt64{Int64: int64(i), Valid: true}, sql.NullFloat64{Float64: float64(i) / 4, Valid: true},
			sql.NullBool{Bool: i%2 == 0, Valid: true}, sql.NullString{String: strings.Repeat("a\x00", i%30), Valid: true}, texts(i), numbers(i))
	}
	check.Equal(t, "row", got, want)
}

// TestLargeTexts appends texts that are larger than the blocks of memory.
func TestLargeTexts(t *testing.T) {
	t.Parallel()
	db, conn := open(t, "s VARCHAR")
	a := check.Must(Open(conn, "rows"))(t)
	sizes := []int{blockBytes - 1, 1, blockBytes, blockBytes + 1, 13, 3 * blockBytes}
	want := 0
	for _, size := range sizes {
		a.Text(strings.Repeat("x", size))
		check.OK(t, a.EndRow())
		want += size
	}
	check.OK(t, a.Close())
	var sum int
	check.OK(t, db.QueryRow("SELECT sum(len(s))::BIGINT FROM rows WHERE s = repeat('x', len(s))").Scan(&sum))
	check.Equal(t, "bytes", sum, want)
}

// TestInvalidTexts appends texts that DuckDB cannot store.
func TestInvalidTexts(t *testing.T) {
	t.Parallel()
	db, conn := open(t, "s VARCHAR, l VARCHAR[]")
	a := check.Must(Open(conn, "rows"))(t)
	a.Text("a\xff")
	a.Texts([]string{"b", "\xff", "c"})
	check.OK(t, a.EndRow())
	check.OK(t, a.Close())
	var got string
	check.OK(t, db.QueryRow("SELECT rows::VARCHAR FROM rows").Scan(&got))
	check.Equal(t, "row", got, "{'s': NULL, 'l': [b, c]}")
}

func TestFailures(t *testing.T) {
	t.Parallel()
	db, conn := open(t, "s VARCHAR NOT NULL")
	if _, err := Open(conn, "missing"); !isEngine(err) {
		t.Errorf("a missing table: %v", err)
	}
	a := check.Must(Open(conn, "rows"))(t)
	a.Null()
	check.OK(t, a.EndRow())
	if err := a.Close(); !isEngine(err) || !strings.Contains(err.Error(), "NOT NULL") {
		t.Errorf("a missing value: %v", err)
	}
	a = check.Must(Open(conn, "rows"))(t)
	a.Text("dropped")
	check.OK(t, a.EndRow())
	check.OK(t, a.Discard())
	a = check.Must(Open(conn, "rows"))(t)
	a.Text("kept")
	check.OK(t, a.EndRow())
	check.OK(t, a.Close())
	var got string
	check.OK(t, db.QueryRow("SELECT string_agg(s) FROM rows").Scan(&got))
	check.Equal(t, "rows", got, "kept")
}

func isEngine(err error) bool {
	_, ok := errors.AsType[*duckdb.Error](err)
	return ok
}

func TestUnknownConnectionsAndTypes(t *testing.T) {
	t.Parallel()
	if _, err := Open(nil, "rows"); err == nil {
		t.Error("no connection was accepted")
	}
	_, conn := open(t, "d DATE")
	if _, err := Open(conn, "rows"); err == nil {
		t.Error("a column of type DATE was accepted")
	}
	_, conn = open(t, "l DOUBLE[]")
	if _, err := Open(conn, "rows"); err == nil {
		t.Error("a column of type DOUBLE[] was accepted")
	}
}

// TestWrongValues makes mistakes that would corrupt memory if they were not
// found.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	for name, mistake := range map[string]func(a *Appender){
		"type":     func(a *Appender) { a.Text("a") },
		"too few":  func(a *Appender) { a.Int(1); _ = a.EndRow() },
		"too many": func(a *Appender) { a.Int(1); a.Int(2); a.Int(3) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, conn := open(t, "i BIGINT, j BIGINT")
			a := check.Must(Open(conn, "rows"))(t)
			defer func() {
				if recover() == nil {
					t.Error("the mistake was not found")
				}
				check.OK(t, a.Discard())
			}()
			mistake(a)
		})
	}
}

// BenchmarkRows compares the appender with that of the driver: rows with 25
// values, as wide as those of spans.
func BenchmarkRows(b *testing.B) {
	columns := strings.Repeat("%s BIGINT, %s VARCHAR, %s VARCHAR, %s VARCHAR, %s BIGINT, ", 5)
	names := make([]any, 25)
	for i := range names {
		names[i] = fmt.Sprint("c", i)
	}
	schema := strings.TrimSuffix(fmt.Sprintf(columns, names...), ", ")
	const rows = 4000
	b.Run("ours", func(b *testing.B) {
		_, conn := open(b, schema)
		for b.Loop() {
			a := check.Must(Open(conn, "rows"))(b)
			for i := range rows {
				for range 5 {
					a.Int(int64(i))
					a.Text("0af7651916cd43dd8448eb211c80319c")
					a.Text("INTERNAL")
					a.Null()
					a.Int(int64(i))
				}
				check.OK(b, a.EndRow())
			}
			check.OK(b, a.Close())
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
	})
	b.Run("driver", func(b *testing.B) {
		_, conn := open(b, schema)
		values := make([]driver.Value, 0, 25)
		for b.Loop() {
			a := check.Must(duckdb.NewAppenderFromConn(conn, "", "rows"))(b)
			for i := range rows {
				values = values[:0]
				for range 5 {
					values = append(values, int64(i), "0af7651916cd43dd8448eb211c80319c", "INTERNAL", nil, int64(i))
				}
				check.OK(b, a.AppendRow(values...))
			}
			check.OK(b, a.Close())
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
	})
}
