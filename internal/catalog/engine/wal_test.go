package engine_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/check"
)

// killedCatalog has the files of a catalog whose process was killed.
type killedCatalog struct{ db, wal, shm []byte }

const (
	walFrame = 24 + 4096
	allRows  = 200
)

// killCatalog writes rows, one in each transaction, and copies the files.
func killCatalog(t *testing.T, more ...string) killedCatalog {
	t.Helper()
	path := filepath.Join(t.TempDir(), "catalog.db")
	c := openWithRows(t, path)
	defer func() { check.OK(t, c.Close()) }()
	conn := check.Must(c.Pool().Conn(t.Context()))(t)
	for _, statement := range more {
		_, err := conn.ExecContext(t.Context(), statement)
		check.OK(t, err)
	}
	check.OK(t, conn.Close())
	return killedCatalog{
		check.Must(os.ReadFile(path))(t), check.Must(os.ReadFile(path + "-wal"))(t), check.Must(os.ReadFile(path + "-shm"))(t),
	}
}

// open opens a copy of the catalog and returns its rows.
func (k killedCatalog) open(t *testing.T) (rows int, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "catalog.db")
	check.OK(t, os.WriteFile(path, k.db, 0o600))
	check.OK(t, os.WriteFile(path+"-wal", k.wal, 0o600))
	if k.shm != nil {
		check.OK(t, os.WriteFile(path+"-shm", k.shm, 0o600))
	}
	c, err := catalog.Open(t.Context(), path)
	if err != nil {
		if problems, err := engine.CheckFile(t.Context(), path); err != nil || len(problems) != 1 {
			t.Errorf("the catalog is refused, and the check finds %q, %v", problems, err)
		}
		now, readErr := os.ReadFile(path + "-wal")
		if readErr != nil || string(now) != string(k.wal) {
			t.Errorf("the log was changed: %v", readErr)
		}
		return 0, err
	}
	defer func() { check.OK(t, c.Close()) }()
	check.OK(t, c.Pool().QueryRow(`SELECT COUNT(*) FROM a WHERE b LIKE 'value%'`).Scan(&rows))
	return rows, nil
}

// frames returns the number of frames of the log that are in use.
func (k killedCatalog) frames() int { return int(binary.NativeEndian.Uint32(k.shm[16:])) }

// TestDamagedLogIsRefused flips bits in the log of a killed process. Nothing may be
// lost without a word, but for the last transaction if the index is lost, too.
func TestDamagedLogIsRefused(t *testing.T) {
	t.Parallel()
	whole := killCatalog(t)
	random := rand.New(rand.NewPCG(1, 2))
	last := 32 + whole.frames()*walFrame
	refused := 0
	for i, at := range []int{0, 9, 17, 30, last - 1, last - walFrame + 18, 19: 0} {
		if i > 5 {
			at = random.IntN(last)
		}
		for _, shm := range [][]byte{whole.shm, nil} {
			damaged := killedCatalog{whole.db, []byte(string(whole.wal)), shm}
			damaged.wal[at] ^= 1 << random.IntN(8)
			rows, err := damaged.open(t)
			least := allRows
			if shm == nil && at >= last-4*walFrame {
				least-- // an interrupted write looks like this
			}
			switch {
			case err == nil && rows < least:
				t.Errorf("byte %d of %d, index %t: %d rows are left", at, last, shm != nil, rows)
			case err != nil && !strings.Contains(err.Error(), "-wal is damaged"):
				t.Errorf("byte %d of %d: %v", at, last, err)
			case err != nil:
				refused++
			}
		}
	}
	if refused < 30 {
		t.Errorf("only %d of 40 were refused", refused)
	}
}

// TestInterruptedWriteIsNoDamage opens logs as kills and power cuts leave them.
func TestInterruptedWriteIsNoDamage(t *testing.T) {
	t.Parallel()
	whole := killCatalog(t)
	last := 32 + whole.frames()*walFrame
	// The last transaction was not flushed: its beginning is missing, but its end is not.
	torn := killedCatalog{whole.db, []byte(string(whole.wal)), nil}
	clear(torn.wal[last-2*walFrame : last-walFrame])
	// A large transaction that was rolled back left its frames behind the end, and
	// another one overwrote the first of them.
	rolledBack := killCatalog(t, `PRAGMA cache_size = 10`, `PRAGMA wal_autocheckpoint = 0`, `BEGIN IMMEDIATE`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO a SELECT hex(randomblob(500)) FROM n`,
		`ROLLBACK`, `INSERT INTO a VALUES ('value more')`)
	if used, size := 32+rolledBack.frames()*walFrame, len(rolledBack.wal); size < used+50*walFrame {
		t.Fatalf("%d bytes of %d are in use", used, size)
	}
	for name, test := range map[string]struct {
		killedCatalog
		rows int
	}{
		"killed":                {whole, allRows},
		"without an index":      {killedCatalog{whole.db, whole.wal, nil}, allRows},
		"torn":                  {torn, allRows - 1},
		"cut":                   {killedCatalog{whole.db, whole.wal[:last-100], nil}, allRows - 1},
		"rolled back":           {rolledBack, allRows + 1},
		"rolled back, no index": {killedCatalog{rolledBack.db, rolledBack.wal, nil}, allRows + 1},
	} {
		rows, err := test.open(t)
		if err != nil || rows != test.rows {
			t.Errorf("%s: %d rows, want %d, %v", name, rows, test.rows, err)
		}
	}
}
