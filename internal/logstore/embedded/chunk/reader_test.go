package chunk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// TestRead reads more rows than a chunk has, in columns of all types.
func TestRead(t *testing.T) {
	t.Parallel()
	_, conn := open(t, allTypes)
	const count = 5000
	a := check.Must(Open(conn, "rows"))(t)
	for i := range count {
		a.Int(int64(i))
		a.Float(float64(i) / 4)
		a.Bool(i%2 == 0)
		a.Text(strings.Repeat("é", i%20))
		a.Texts(texts(i))
		a.Ints(numbers(i))
		check.OK(t, a.EndRow())
	}
	check.OK(t, a.Close())
	read := 0
	check.OK(t, Read(t.Context(), conn, "SELECT *, i::UBIGINT FROM rows ORDER BY i", nil, func(c *Chunk) error {
		ints, floats, bools, words, textLists, intLists := c.Ints(0), c.Floats(1), c.Bools(2), c.Texts(3), c.TextLists(4), c.IntLists(5)
		for row := range c.Rows {
			got := []any{ints[row], floats[row], bools[row], words[row].View(), views(textLists.Of(row)), intLists.Of(row), c.Ints(6)[row]}
			want := []any{int64(read), float64(read) / 4, read%2 == 0, strings.Repeat("é", read%20), texts(read), numbers(read), int64(read)}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("row %d: %v instead of %v", read, got, want)
			}
			read++
		}
		return nil
	}))
	check.Equal(t, "rows", read, count)
}

func views(texts []Text) []string {
	all := make([]string, len(texts))
	for i := range texts {
		all[i] = texts[i].View()
	}
	return all
}

// TestReadArguments binds values of all types, a text with zero bytes among them.
func TestReadArguments(t *testing.T) {
	t.Parallel()
	_, conn := open(t, "i BIGINT")
	args := []any{1, int64(2), 0.5, "a\x00b", []byte{0xc0}}
	check.OK(t, Read(t.Context(), conn, "SELECT $1 + $2, $3::DOUBLE, $4::VARCHAR, get_bit($5::BLOB::BIT, 1)::BIGINT", args, func(c *Chunk) error {
		got := fmt.Sprintf("%d %v %q %d", c.Ints(0)[0], c.Floats(1)[0], c.Texts(2)[0].View(), c.Ints(3)[0])
		check.Equal(t, "values", got, `3 0.5 "a\x00b" 1`)
		return nil
	}))
}

// TestReadFailures checks that the connection can be used after each of them.
func TestReadFailures(t *testing.T) {
	t.Parallel()
	_, conn := open(t, "i BIGINT")
	nothing := func(*Chunk) error { return nil }
	errStop := errors.New("stop")
	if err := Read(t.Context(), conn, "SELECT 1::BIGINT", nil, func(*Chunk) error { return errStop }); !errors.Is(err, errStop) {
		t.Errorf("stopped: %v", err)
	}
	for query, want := range map[string]string{
		"SELECT":                                   "Parser Error",
		"SELECT missing FROM rows":                 "Binder Error",
		"SELECT error('no')::BIGINT":               "no",
		"SELECT DATE '2026-01-01'":                 "type",
		"SELECT $1::BIGINT + $2::BIGINT FROM rows": "parameter",
	} {
		if err := Read(t.Context(), conn, query, nil, nothing); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, query := range []string{"SELECT count(*) FROM range(1_000_000) AS a, range(1_000_000) AS b", "SELECT 1::BIGINT"} {
		if err := Read(ctx, conn, query, nil, nothing); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s, after the deadline: %v", query, err)
		}
	}
	check.OK(t, Read(t.Context(), conn, "SELECT 1::BIGINT", nil, nothing))
	if err := Read(t.Context(), nil, "SELECT 1", nil, nothing); !errors.Is(err, errConnection) {
		t.Errorf("without a connection: %v", err)
	}
}
