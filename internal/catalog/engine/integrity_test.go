package engine_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/check"
)

func TestCheckFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "some.db")
	db, err := sql.Open("sqlite", path)
	check.OK(t, err)
	_, err = db.Exec("CREATE TABLE a (b TEXT); CREATE INDEX c ON a (b)")
	check.OK(t, err)
	for range 200 {
		_, err = db.Exec("INSERT INTO a VALUES (hex(randomblob(100)))")
		check.OK(t, err)
	}
	check.OK(t, db.Close())
	whole, err := os.ReadFile(path)
	check.OK(t, err)
	verify := func(what string, data []byte, sound bool) {
		t.Helper()
		check.OK(t, os.WriteFile(path, data, 0o600))
		problems, err := engine.CheckFile(context.Background(), path)
		if err != nil || (len(problems) == 0) != sound {
			t.Errorf("%s: %q, %v", what, problems, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != string(data) {
			t.Errorf("%s: the check changed the file: %v", what, err)
		}
	}
	verify("sound", whole, true)
	damaged := append([]byte(nil), whole...)
	for i := len(damaged) / 2; i < len(damaged)/2+4096; i++ {
		damaged[i] = 0x5a
	}
	verify("damaged", damaged, false)
	verify("no database", []byte("this is not a database, though it is long enough to be one, or so it seems to whoever opens it to have a look at it"), false)
	if _, err := engine.CheckFile(context.Background(), filepath.Join(t.TempDir(), "missing.db")); err == nil {
		t.Error("a missing file is sound")
	}
}
