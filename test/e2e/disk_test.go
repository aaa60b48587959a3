package e2e

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadOnlyDataFolder(t *testing.T) {
	t.Parallel()
	withPrivateMounts(t, func(t *testing.T) {
		d := mountDisk(t, 64)
		start(t, d.data(), "--min-free-disk", "0").stop() // the disk is smaller than the default
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

// TestLowDiskSpace lets the free space fall below the limit.
func TestLowDiskSpace(t *testing.T) {
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
		p = s.startServing(t) // a start needs some space, but less than the limit
		checkWritesRefused(t, p, l, "The disk of the data folder is full")
		checkReadsGoOn(t, p, l)
		d.free()
		fillUp(t, p, l, 20)
		if err := l.verify(p.client); err != nil {
			t.Error(err)
		}
	})
}

// startServing starts a server that will not become ready, and waits until it
// listens.
func (s setup) startServing(t *testing.T) *program {
	t.Helper()
	p := s.launch(t)
	p.waitServing()
	return p
}

// fillUp writes logs and annotations.
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

// checkWritesRefused checks that each kind of write is refused.
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
		t.Errorf("the metric of refused logs increased by %v, want 3", rise)
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
