package chunk

import (
	"errors"
	"strings"
	"testing"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/promptuary/promptuary/internal/check"
)

func TestStatements(t *testing.T) {
	t.Parallel()
	db, conn := open(t, "i BIGINT PRIMARY KEY, n BIGINT")
	s := check.Must(NewStatements(conn))(t)
	defer s.Close()
	const insert = "INSERT INTO rows VALUES (?, ?)"
	count := func() (count int) {
		t.Helper()
		check.OK(t, db.QueryRow("SELECT count(*) FROM rows").Scan(&count))
		return count
	}
	for i := range int64(50) {
		check.OK(t, s.Exec("BEGIN"))
		check.OK(t, s.Exec(insert, i, -i))
		check.Equal(t, "rows before the commit", count(), int(i))
		check.OK(t, s.Exec("COMMIT"))
		check.Equal(t, "rows", count(), int(i+1))
	}
	// A statement of many rows is one of several threads.
	check.OK(t, s.Exec("INSERT INTO rows SELECT i, ? FROM range(50, 400_000) AS r(i)", 7))
	check.Equal(t, "rows", count(), 400_000)
	var sum int64
	check.OK(t, db.QueryRow("SELECT sum(n) FROM rows").Scan(&sum))
	check.Equal(t, "sum", sum, 7*(400_000-50)-49*50/2)

	for text, values := range map[string][]int64{
		"UPDATE nothing SET i = 1": nil, "no statement": nil,
		insert: {1, 1}, "INSERT INTO rows SELECT ?, CAST(concat('x', i) AS BIGINT) FROM rows": {-1}, "COMMIT": nil, "INSERT INTO rows VALUES (1, ?)": {1, 2},
	} {
		if err := s.Exec(text, values...); !isEngine(err) {
			t.Errorf("%s: %v", text, err)
		}
	}
	check.Equal(t, "rows after failures", count(), 400_000)
	check.OK(t, s.Exec(insert, 400_000, 1)) // a statement that has failed before

	if _, err := NewStatements(nil); err == nil {
		t.Error("statements of no connection")
	}
}

// TestFailureWhileRunning checks that errors of threads of DuckDB keep their type and their
// message.
func TestFailureWhileRunning(t *testing.T) {
	t.Parallel()
	db, conn := open(t, "i BIGINT")
	check.Must(db.Exec("SET memory_limit = '20MB'"))(t)
	check.Must(db.Exec("SET temp_directory = ''"))(t)
	s := check.Must(NewStatements(conn))(t)
	defer s.Close()
	const large, wrong = "SELECT DISTINCT i * 7 FROM range(20_000_000) AS r(i)", "SELECT CAST(concat('x', i) AS BIGINT) FROM range(3) AS r(i)"
	read := func(query string) error {
		return Read(t.Context(), conn, query, nil, func(*Chunk) error { return nil })
	}
	for name, err := range map[string]error{
		"read": read(large), "execute": s.Exec("INSERT INTO rows " + large),
	} {
		engine, ok := errors.AsType[*duckdb.Error](err)
		if !ok || engine.Type != duckdb.ErrorTypeOutOfMemory {
			t.Errorf("%s without memory: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"read": read(wrong), "execute": s.Exec("INSERT INTO rows " + wrong),
	} {
		if !isEngine(err) || !strings.Contains(err.Error(), "Conversion Error: Could not convert string 'x0'") {
			t.Errorf("%s a text as a number: %v", name, err)
		}
	}
	check.OK(t, read("SELECT 1::BIGINT"))
}

func TestProblem(t *testing.T) {
	t.Parallel()
	for message, kind := range map[string]duckdb.ErrorType{
		"IO Error: Corrupt database file": duckdb.ErrorTypeIO, "FATAL Error: Failed: IO Error": duckdb.ErrorTypeFatal,
		"Binder Error: x": duckdb.ErrorTypeInvalid, "": duckdb.ErrorTypeInvalid,
	} {
		engine, ok := errors.AsType[*duckdb.Error](problem(message))
		if !ok || engine.Type != kind {
			t.Errorf("%q is of type %v", message, engine)
		}
	}
}
