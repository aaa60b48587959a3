package e2e

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"
)

// TestFullDisk writes until the disk is full.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	withPrivateMounts(t, func(t *testing.T) {
		d := mountDisk(t, 64)
		s := setup{data: d.data(), args: []string{"--min-free-disk", "-1"}}
		p := s.start(t)
		l := &ledger{}
		fillUp(t, p, l, 20)
		for round := range 3 {
			d.fill(1 << 20)
			refused := writeUntilRefused(t, p, l)
			checkReadsGoOn(t, p, l)
			if round == 1 {
				d.fill(300 << 10)
				refused = append(refused, refuseMany(t, p, l)...)
				p.kill() // with a partial block at the end of the journal
				d.free()
				p = s.start(t)
			} else {
				d.fill(0)
				checkCatalogRefuses(t, p)
				checkReadsGoOn(t, p, l)
				d.free()
			}
			waitUntilWritable(t, p, l)
			checkNotStored(t, p, refused)
			if err := l.verify(p.client); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		p.stop()
		for _, spared := range []int64{0, 16 << 10, 64 << 10, 256 << 10, 1 << 20} {
			checkStartOnFullDisk(t, d, s, l, spared)
		}
		checkFirstStartOnFullDisk(t, d)
	})
}

// writeUntilRefused writes with several clients until each was refused a few
// times, and returns the refused logs.
func writeUntilRefused(t *testing.T, p *program, l *ledger) (refused []*record) {
	t.Helper()
	var mu sync.Mutex
	var writers errgroup.Group
	for range 8 {
		writers.Go(func() error {
			for refusals := 0; refusals < 5; {
				r := l.draw(noise(20 << 10))
				stored, err := l.try(p.client, r)
				if err != nil {
					return err
				}
				if stored {
					continue
				}
				refusals++
				mu.Lock()
				refused = append(refused, r)
				mu.Unlock()
			}
			return nil
		})
	}
	if err := writers.Wait(); err != nil {
		t.Fatalf("on a full disk: %v", err)
	}
	return refused
}

// refuseMany writes more than there is space for in one request.
func refuseMany(t *testing.T, p *program, l *ledger) (refused []*record) {
	t.Helper()
	var bodies []object
	for range 60 {
		r := l.draw(noise(20 << 10))
		refused, bodies = append(refused, r), append(bodies, r.body())
		l.drop(r)
	}
	a, err := p.call(http.MethodPost, "/log-requests", object{"requests": bodies})
	if err == nil {
		err = checkBusy(a)
	}
	if err != nil {
		t.Fatalf("on a full disk: %v", err)
	}
	return refused
}

// noise returns text that does not compress well.
func noise(size int) string {
	random := make([]byte, size/2)
	_, _ = rand.Read(random) // never fails
	return hex.EncodeToString(random)
}

// checkCatalogRefuses checks that a write to the catalog on a full disk fails
// cleanly. It may succeed if the engine has space in reserve.
func checkCatalogRefuses(t *testing.T, p *program) {
	t.Helper()
	for range 200 {
		a, err := p.call(http.MethodPost, "/create-group", object{})
		if err != nil {
			t.Fatal(err)
		}
		if a.status == http.StatusOK {
			continue
		}
		if err := checkBusy(a); err != nil {
			t.Errorf("create a group on a full disk: %v", err)
		}
		return
	}
}

func waitUntilWritable(t *testing.T, p *program, l *ledger) {
	t.Helper()
	eventually(t, func() error {
		r := l.draw("")
		a, err := p.call(http.MethodPost, "/log-request", r.body())
		if err != nil {
			return err
		}
		if a.status != http.StatusCreated {
			l.drop(r)
			return errors.Join(errors.New("writes are still refused"), checkBusy(a))
		}
		answer, err := decode[created](a)
		l.acknowledge(r, answer.ID)
		return err
	})
	eventually(t, func() error {
		a, err := p.call(http.MethodGet, "/readyz", nil)
		if err == nil && a.status != http.StatusOK {
			err = errors.New("not ready")
		}
		return err
	})
}

// checkNotStored checks that refused logs are not stored: clients send them
// again, which must not create duplicates.
func checkNotStored(t *testing.T, p *program, refused []*record) {
	t.Helper()
	stored := 0
	for _, r := range refused {
		found, err := p.searchWord(r.word)
		if err != nil {
			t.Fatal(err)
		}
		if found.Total > 0 {
			stored++
		}
	}
	if stored > 0 {
		t.Errorf("%d of %d refused logs are stored", stored, len(refused))
	}
}

// checkStartOnFullDisk checks that a server starts with almost no disk space,
// answers reads, refuses changes, and accepts them when there is space.
func checkStartOnFullDisk(t *testing.T, d *disk, s setup, l *ledger, spared int64) {
	t.Helper()
	d.fill(spared)
	s.startServing(t).kill() // the next start finds what this one has left
	p := s.startServing(t)
	checkReadsGoOn(t, p, l)
	p.get(t, "/prompt-templates")
	if spared == 0 {
		p.do(t, http.MethodGet, "/readyz", nil, http.StatusServiceUnavailable)
		checkCatalogRefuses(t, p)
		if got := metrics(t, p)["promptuary_read_only"]; got != 1 {
			t.Errorf("promptuary_read_only is %v, want 1", got)
		}
		if !strings.Contains(p.stderr.String(), "the server answers reads and refuses changes until there is room") {
			t.Error("the log does not say that the server only answers reads")
		}
	}
	d.free()
	if damaged, _ := filepath.Glob(filepath.Join(d.data(), "logs", "*.damaged-*")); damaged != nil {
		t.Errorf("with %d bytes free, files were declared damaged: %v", spared, damaged)
	}
	waitUntilWritable(t, p, l)
	l.checked, l.highest = 0, 0
	if err := l.verify(p.client); err != nil {
		t.Errorf("after a start with %d bytes free: %v", spared, err)
	}
	if got := metrics(t, p)["promptuary_read_only"]; got != 0 {
		t.Errorf("with space, promptuary_read_only is %v, want 0", got)
	}
	p.stop()
}

// checkFirstStartOnFullDisk checks that a first start on a full disk is refused.
func checkFirstStartOnFullDisk(t *testing.T, d *disk) {
	t.Helper()
	d.fill(0)
	defer d.free()
	got := setup{data: filepath.Join(d.path, "new")}.run(t, "serve", "--addr", "127.0.0.1:0")
	if err := checkRefused(got, "no space left on device"); err != nil {
		t.Error(err)
	}
}
