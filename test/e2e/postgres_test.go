package e2e

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

func TestPostgresCatalog(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	data := t.TempDir()
	s := setup{data: data, catalog: dsn}
	p := s.start(t)

	l := &ledger{}
	fillUp(t, p, l, 10)
	if err := l.verify(p.client); err != nil {
		t.Error(err)
	}
	checkKeyCommands(t, p, s)
	if found, _ := filepath.Glob(filepath.Join(data, "catalog.db*")); found != nil {
		t.Errorf("there is also a SQLite catalog: %v", found)
	}
	group := createGroup(t, p.client)
	p.kill()

	p = s.start(t)
	for _, r := range l.known {
		if err := r.check(p.client); err != nil {
			t.Errorf("after a crash: %v", err)
		}
	}
	if next := createGroup(t, p.client); next == group {
		t.Errorf("group ID %d was assigned twice", next)
	}
}

// TestReplicasShareACatalog runs two servers with their own folders on one
// catalog: a key works on both, and no ID is assigned twice.
func TestReplicasShareACatalog(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	first := setup{data: t.TempDir(), catalog: dsn, args: ownLogs}
	one := first.start(t)
	two := setup{data: t.TempDir(), catalog: dsn, noKey: true, args: ownLogs}.start(t)
	if strings.Contains(two.stdout.String(), "pl_") {
		t.Errorf("the second server created another first key:\n%s", two.stdout)
	}
	ids := map[int64]bool{}
	for i := range 20 {
		for n, p := range []*program{one, two} {
			id := p.log(t, entry{word: fmt.Sprintf("zqshared%d%02d", n, i), tokens: 1})
			if ids[id] {
				t.Fatalf("ID %d was assigned twice", id)
			}
			ids[id] = true
		}
	}
}

func TestUnreachablePostgres(t *testing.T) {
	t.Parallel()
	query := url.Values{"host": {t.TempDir()}, "sslmode": {"disable"}}
	s := setup{data: t.TempDir(), catalog: "postgres://someone:hush-hush@/none?" + query.Encode()}
	got := s.run(t, "serve", "--addr", "127.0.0.1:0")
	if err := checkRefused(got, "the catalog cannot be reached"); err != nil {
		t.Error(err)
	}
	if strings.Contains(got.stderr, "hush-hush") {
		t.Errorf("the message contains the password: %s", got.stderr)
	}
}
