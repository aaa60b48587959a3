package e2e

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"
)

func TestReadOnlyDataFolder(t *testing.T) {
	t.Parallel()
	withPrivateMounts(t, func(t *testing.T) {
		d := mountDisk(t, 64)
		start(t, d.data(), "--min-free-disk", "-1").stop()
		d.setReadOnly()
		for _, data := range []string{d.data(), filepath.Join(d.path, "new")} {
			got := setup{data: data}.run(t, "serve", "--addr", "127.0.0.1:0")
			if err := checkRefused(got, data); err != nil {
				t.Error(err)
			}
			if err := checkRefused(got, "read-only file system"); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestLittleRoomOnDisk lets the room fall below what must stay free.
func TestLittleRoomOnDisk(t *testing.T) {
	t.Parallel()
	withPrivateMounts(t, func(t *testing.T) {
		d := mountDisk(t, 96)
		s := setup{data: d.data(), args: []string{"--min-free-disk", "32"}}
		p := s.start(t)
		l := &ledger{}
		fillUp(t, p, l, 20)

		d.fill(16 << 20)
		checkWritesRefused(t, p, l, "The disk of the data folder is full: 16 MB are free, 32 MB must stay free")
		checkReadsGoOn(t, p, l)
		d.free()
		fillUp(t, p, l, 20)
		p.get(t, "/readyz")
		if err := l.verify(p.client); err != nil {
			t.Error(err)
		}

		d.fill(16 << 20)
		p.stop()
		p = s.startServing(t) // a start needs some room, not all of what must stay free
		checkWritesRefused(t, p, l, "The disk of the data folder is full")
		checkReadsGoOn(t, p, l)
		d.free()
		fillUp(t, p, l, 20)
		if err := l.verify(p.client); err != nil {
			t.Error(err)
		}
	})
}

// startServing starts a program that will not be ready, and waits until it serves.
func (s setup) startServing(t *testing.T) *program {
	t.Helper()
	p := s.launch(t)
	p.waitServing()
	return p
}

// fillUp logs and annotates.
func fillUp(t *testing.T, p *program, l *ledger, count int) {
	t.Helper()
	for range count {
		r := l.draw("")
		id := p.log(t, r.entry)
		l.acknowledge(r, id)
		p.post(t, "/rest/track-score", object{"request_id": id, "score": 7}, http.StatusOK)
		r.noted.Score = 7
	}
}

// checkWritesRefused sends one of each kind of write.
func checkWritesRefused(t *testing.T, p *program, l *ledger, reason string) {
	t.Helper()
	before := metrics(t, p)["promptuary_ingest_refused_logs_total"]
	body := entry{word: "zqrefused1", tokens: 1}.body()
	known := l.known[0].id
	for path, body := range map[string]object{
		"/log-request":         body,
		"/log-requests":        {"requests": []any{body, body}},
		"/rest/track-metadata": {"request_id": known, "metadata": object{"refused": true}},
		"/rest/track-score":    {"request_id": known, "score": 1},
	} {
		a, err := p.call(http.MethodPost, path, body)
		if err == nil {
			err = checkBusy(a)
		}
		if err == nil && !strings.Contains(string(a.body), reason) {
			err = fmt.Errorf("%s, want the reason %q", clip(a.body), reason)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	p.do(t, http.MethodGet, "/readyz", nil, http.StatusServiceUnavailable)
	p.get(t, "/healthz")
	if rise := metrics(t, p)["promptuary_ingest_refused_logs_total"] - before; rise != 3 {
		t.Errorf("the metric of refused logs rose by %v, want 3", rise)
	}
}

// checkReadsGoOn checks that everything acknowledged can be read.
func checkReadsGoOn(t *testing.T, p *program, l *ledger) {
	t.Helper()
	if err := forEach(l.known, func(r *record) error { return r.check(p.client) }); err != nil {
		t.Errorf("while writes are refused: %v", err)
	}
	if err := l.checkTotals(p.client); err != nil {
		t.Errorf("while writes are refused: %v", err)
	}
	p.get(t, "/api/public/v2/requests/suggestions?field=tags")
}

// TestFullDisk lets writes run into the end of the disk.
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
				p.kill() // with some blocks and a half at the end of the journal
				d.free()
				p = s.start(t)
			} else {
				d.fill(0)
				checkCatalogRefuses(t, p)
				waitForCheckpoint(t, p)
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
	})
}

// writeUntilRefused writes with several clients until each was refused a few
// times, and returns what was refused.
func writeUntilRefused(t *testing.T, p *program, l *ledger) (refused []*record) {
	t.Helper()
	var mu sync.Mutex
	var writers errgroup.Group
	for range 8 {
		writers.Go(func() error {
			for refusals := 0; refusals < 5; {
				r := l.draw(noise(20 << 10))
				a, err := p.call(http.MethodPost, "/log-request", r.body())
				if err != nil {
					return err
				}
				if a.status == http.StatusCreated {
					answer, err := decode[created](a)
					if err != nil {
						return err
					}
					l.acknowledge(r, answer.ID)
					continue
				}
				if err := checkBusy(a); err != nil {
					return err
				}
				refusals++
				l.drop(r)
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

// refuseMany writes more at once than there is room for.
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

// noise returns text that cannot be compressed well.
func noise(size int) string {
	random := make([]byte, size/2)
	_, _ = rand.Read(random) // never fails
	return hex.EncodeToString(random)
}

// checkCatalogRefuses checks that a write to the catalog fails in order when
// there is no room at all. It may succeed where the engine has some in reserve.
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

// waitForCheckpoint waits until the program, with nothing else to do, has tried
// in vain to write its table to the disk.
func waitForCheckpoint(t *testing.T, p *program) {
	t.Helper()
	eventually(t, func() error {
		if strings.Contains(p.stderr.String(), "checkpoint: ") {
			return nil
		}
		return errors.New("no checkpoint has failed")
	})
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

// checkNotStored checks that what was refused is not there: clients send it
// again, and it must not be there twice then.
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

// checkStartOnFullDisk checks that a start with almost no room harms nothing:
// it works, or it says what is the matter.
func checkStartOnFullDisk(t *testing.T, d *disk, s setup, l *ledger, spared int64) {
	t.Helper()
	d.fill(spared)
	p := s.launch(t)
	eventually(t, func() error {
		if p.hasExited() || servingOn.MatchString(p.stdout.String()) {
			return nil
		}
		return errors.New("the program neither serves nor ends")
	})
	if p.hasExited() {
		got := result{stderr: p.stderr.String(), code: p.code()}
		if checkRefused(got, "disk is full") != nil && checkRefused(got, "no space left on device") != nil {
			t.Errorf("start with %d bytes free: exit code %d and %q, want 1 and the cause", spared, got.code, got.stderr)
		}
	}
	p.kill()
	d.free()
	if damaged, _ := filepath.Glob(filepath.Join(d.data(), "logs", "*.damaged-*")); damaged != nil {
		t.Errorf("%d bytes free were taken for damage: %v", spared, damaged)
	}
	p = s.start(t)
	l.checked, l.highest = 0, 0
	if err := l.verify(p.client); err != nil {
		t.Errorf("after a start with %d bytes free: %v", spared, err)
	}
	p.stop()
}
