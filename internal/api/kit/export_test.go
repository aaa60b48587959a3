package kit_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
)

// failing is a store whose scan has some parts and then fails.
type failing struct {
	requests.Store
	parts int
}

func (f *failing) LastID() int64 { return 1000 }

func (f *failing) ScanLogs(_ context.Context, q query.ScanQuery) (*query.Scanned, error) {
	if f.parts == 0 {
		return nil, errors.New("the disk broke")
	}
	f.parts--
	body := make([]byte, 100_000)
	for i := range body {
		body[i] = '7'
	}
	return &query.Scanned{Logs: []query.ScannedLog{{Log: &reqlog.Log{ID: q.After + 1, Input: body}}}, Next: q.After + 1}, nil
}

// noIDs is the sequence of a service that logs nothing.
type noIDs struct{}

func (noIDs) ReserveIDs(context.Context, string, int64) (int64, error) { return 1, nil }

type silent struct{}

func (silent) NoteExport(context.Context, *int64, export.Note) error { return nil }

// outcome is the status and the trailer with the number of rows of an export.
type outcome struct {
	status int
	rows   string
}

// download makes a request for an export whose source fails after some parts.
func download(t *testing.T, parts int) (outcome, error) {
	t.Helper()
	logs := requests.NewService(requests.Options{Store: &failing{parts: parts}, Sequence: noIDs{}})
	t.Cleanup(func() { check.OK(t, logs.Drain(context.Background())) })
	exports := export.NewService(export.Options{Store: silent{}, Logs: logs})
	router := check.Must(rest.New([]rest.Op{{
		Method: http.MethodGet, Path: "/export", ID: "export", Summary: "Export", Tag: "Exports", Auth: rest.AuthNone,
		Handler: rest.RawBound(nil, func(w http.ResponseWriter, r *rest.Request, _ *struct{}) error {
			made, err := exports.Logs(r.Context(), 1, export.LogQuery{}, export.File{Options: format.Options{Format: format.JSONL}})
			check.OK(t, err)
			return kit.Download(w, r, made)
		}),
	}}, rest.Options{Title: "Test", Version: "1"}))(t)
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	answer, err := server.Client().Get(server.URL + "/export")
	check.OK(t, err)
	_, err = io.Copy(io.Discard, answer.Body)
	return outcome{answer.StatusCode, answer.Trailer.Get("X-Export-Rows")}, errors.Join(err, answer.Body.Close())
}

// TestDownloadOfAFailingSource checks that an export that fails before its first byte
// is answered with an error, and that one that fails later does not look complete.
func TestDownloadOfAFailingSource(t *testing.T) {
	t.Parallel()
	answer, err := download(t, 0)
	check.OK(t, err)
	check.Equal(t, "status", answer.status, http.StatusInternalServerError)
	answer, err = download(t, 5)
	check.Equal(t, "status", answer.status, http.StatusOK)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the response ended with %v", err)
	}
	check.Equal(t, "trailer", answer.rows, "")
}

// TestLogsBehindAnIDOfSeveralServers checks that an export that is continued ends where
// no further log can arrive.
func TestLogsBehindAnIDOfSeveralServers(t *testing.T) {
	t.Parallel()
	logs := requests.NewService(requests.Options{Store: &failing{}, Sequence: noIDs{}})
	t.Cleanup(func() { check.OK(t, logs.Drain(context.Background())) })
	away := errors.New("the catalog is away")
	settled, failure := int64(900), error(nil)
	exports := export.NewService(export.Options{Store: silent{}, Logs: logs, Settled: func(context.Context) (int64, error) { return settled, failure }})
	last := func(after *int64) int64 {
		return *check.Must(exports.Logs(t.Context(), 1, export.LogQuery{After: after}, export.File{Options: format.Options{Format: format.JSONL}}))(t).LastID
	}
	check.Equal(t, "of an export of all", last(nil), 1000)
	check.Equal(t, "behind an id", last(new(int64(5))), 900)
	check.Equal(t, "behind an id that is not settled", last(new(int64(950))), 950)
	failure = away
	_, err := exports.Logs(t.Context(), 1, export.LogQuery{After: new(int64(5))}, export.File{Options: format.Options{Format: format.JSONL}})
	check.Equal(t, "without a catalog", errors.Is(err, away), true)
}
