package app_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/blob/blobtest"
	"github.com/promptuary/promptuary/internal/catalog/installation"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// logText is a request log with a text.
func logText(text string) string {
	return `{"provider":"openai","model":"gpt-4o",
"input":{"type":"completion","content":[{"type":"text","text":"` + text + `"}]},
"output":{"type":"completion","content":[{"type":"text","text":"words"}]},
"request_start_time":"2026-01-01T12:00:00Z","request_end_time":"2026-01-01T12:00:01Z"}`
}

// backUp backs up to a target.
func (i installed) backUp(target string, opts storage.BackupOptions) *storage.BackupResult {
	i.t.Helper()
	opts.Target = target
	return check.Must(storage.Backup(i.t.Context(), i.cfg, opts))(i.t)
}

// restore restores a backup of i to a new folder.
func (i installed) restore(opts storage.RestoreOptions) (installed, *storage.Restored, error) {
	i.t.Helper()
	other := installed{i.t, i.cfg}
	other.cfg.Data, other.cfg.Catalog = filepath.Join(i.t.TempDir(), "data"), "sqlite"
	opts.Data, opts.Progress = other.cfg.Data, func(_, _ int64) {}
	restored, err := storage.Restore(i.t.Context(), opts)
	return other, restored, err
}

// logged returns the number of request logs, and the id that the next one gets.
func (i installed) logged() (total, next int64) {
	i.t.Helper()
	a := check.Must(app.Open(context.Background(), i.cfg, slog.New(slog.DiscardHandler), "test"))(i.t)
	defer func() { check.OK(i.t, a.Close(context.Background())) }()
	found := check.Must(a.Logs().Search(i.t.Context(), a.Workspace(), requests.SearchInput{Page: 1, PerPage: 1}))(i.t)
	c := check.Must(storage.OpenCatalog(i.t.Context(), i.cfg))(i.t)
	defer func() { check.OK(i.t, c.Close()) }()
	return found.Total, check.Must(c.Sequences.ReserveIDs(i.t.Context(), "request_log", 1))(i.t)
}

// TestBackupOfARunningServer backs up twice, with logs between, and restores both
// points, a time and a block, for each kind of catalog.
func TestBackupOfARunningServer(t *testing.T) {
	onEachCatalog(t, func(t *testing.T, newCatalog func() string) {
		i := install(t, newCatalog())
		target := filepath.Join(t.TempDir(), "backups")
		var first, second *storage.BackupResult
		var between time.Time
		(&shown{t: t}).run(i.cfg, func(send func(status int, method, path, body string) string) {
			first = i.backUp(target, storage.BackupOptions{})
			between = time.Now()
			for range 3 {
				send(http.StatusCreated, http.MethodPost, "/log-request", logText("later"))
			}
			second = i.backUp(target, storage.BackupOptions{Passphrase: "open sesame"})
			send(http.StatusCreated, http.MethodPost, "/log-request", logText("last"))
		})
		check.Equal(t, "incremental", len(second.Point.Journal[0].Parts), 2)
		check.Equal(t, "the key is left out", first.Point.Key == nil, true)

		want := func(what string, opts storage.RestoreOptions, logs int64) {
			t.Helper()
			opts.Source = target
			other, restored, err := i.restore(opts)
			check.OK(t, err)
			check.Equal(t, what+": key", restored.Key, opts.Passphrase != "")
			total, next := other.logged()
			check.Equal(t, what+": logs", total, logs)
			check.Equal(t, what+": ids go on", next > 5, true)
			check.Equal(t, what+": installation", other.agree(), i.agree())
			check.Equal(t, what+": entries", len(check.Must(os.ReadDir(filepath.Dir(other.cfg.Data)))(t)), 1)
		}
		want("the last point", storage.RestoreOptions{Passphrase: "open sesame"}, 4)
		if i.cfg.Catalog != "sqlite" {
			return
		}
		want("the first point", storage.RestoreOptions{Point: first.Point.ID}, 1)
		want("a time", storage.RestoreOptions{At: between.Format(time.RFC3339Nano), WithoutKey: true}, 1)
		want("a block", storage.RestoreOptions{At: first.Point.End}, 1)
	})
}

// TestBackupToABucket uses a service that speaks S3.
func TestBackupToABucket(t *testing.T) {
	server := blobtest.Serve(t, "shelf")
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": blobtest.Region, "AWS_ACCESS_KEY_ID": blobtest.AccessKey, "AWS_SECRET_ACCESS_KEY": blobtest.SecretKey,
	} {
		t.Setenv(name, value)
	}
	i := install(t, "sqlite")
	i.backUp("s3://shelf/ours", storage.BackupOptions{})
	other, _, err := i.restore(storage.RestoreOptions{Source: "s3://shelf/ours"})
	check.OK(t, err)
	total, _ := other.logged()
	check.Equal(t, "logs", total, 1)
	found := check.Must(storage.VerifyBackup(t.Context(), "s3://shelf/ours", func(_, _ int64) {}))(t)
	check.Equal(t, "points", len(found.Points), 1)

	server.Close()
	_, err = storage.Backup(t.Context(), i.cfg, storage.BackupOptions{Target: "s3://shelf/ours"})
	check.Equal(t, "a bucket that is away", err != nil, true)
	last := i.lastBackup(false)
	check.Equal(t, "the failure is noted", last.Error != "" && strings.HasPrefix(last.Target, "s3://shelf/ours"), true)
	check.Equal(t, "the success before", i.lastBackup(true).Error, "")
}

// TestRestoreRefuses what would overwrite something, or is incomplete, and leaves
// nothing behind.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	i := install(t, "sqlite")
	target := filepath.Join(t.TempDir(), "backups")
	point := i.backUp(target, storage.BackupOptions{Passphrase: "open sesame"}).Point
	data := filepath.Join(t.TempDir(), "data")
	refused := func(opts storage.RestoreOptions, text string) {
		t.Helper()
		if opts.Source == "" {
			opts.Source = target
		}
		opts.Data, opts.Progress = data, func(_, _ int64) {}
		_, err := storage.Restore(t.Context(), opts)
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
		if _, err := os.Stat(data + ".restoring"); err == nil {
			t.Errorf("%q leaves a folder behind", text)
		}
	}
	refused(storage.RestoreOptions{}, "give the passphrase with --passphrase-file")
	refused(storage.RestoreOptions{Passphrase: "open barley"}, "the passphrase is wrong")
	refused(storage.RestoreOptions{Point: "20200101T000000.000Z"}, "has no point 20200101T000000.000Z")
	refused(storage.RestoreOptions{At: "yesterday"}, `"yesterday" is neither a time`)
	refused(storage.RestoreOptions{At: "2999-01-01T00:00:00Z"}, "was made before 2999-01-01T00:00:00Z")
	refused(storage.RestoreOptions{At: "0:3", WithoutKey: true}, "no block that begins at 0:3")
	refused(storage.RestoreOptions{At: "7:0", WithoutKey: true}, "was made before 7:0")
	refused(storage.RestoreOptions{Source: t.TempDir()}, "has no backup")
	check.OK(t, os.WriteFile(filepath.Join(target, filepath.FromSlash(point.Catalog.Name)), []byte("short"), 0o600))
	refused(storage.RestoreOptions{WithoutKey: true}, "the backup is damaged")
	if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
		t.Error("something was restored")
	}
	check.OK(t, os.MkdirAll(data, 0o700))
	check.OK(t, os.WriteFile(filepath.Join(data, "mine"), []byte("kept"), 0o600))
	refused(storage.RestoreOptions{WithoutKey: true}, "is not empty")
	check.Equal(t, "what was there", string(check.Must(os.ReadFile(filepath.Join(data, "mine")))(t)), "kept")
}

// lastBackup returns the last backup that the catalog knows.
func (i installed) lastBackup(succeeded bool) *installation.Backup {
	i.t.Helper()
	c := check.Must(storage.OpenCatalog(i.t.Context(), i.cfg))(i.t)
	defer func() { check.OK(i.t, c.Close()) }()
	return check.Must(c.Installation.LastBackup(i.t.Context(), succeeded))(i.t)
}

// TestBackupWithoutLogs says so if the request logs are elsewhere.
func TestBackupWithoutLogs(t *testing.T) {
	t.Parallel()
	i := install(t, "sqlite")
	target := filepath.Join(t.TempDir(), "backups")
	i.cfg.Logs = "clickhouse://localhost/logs"
	point := i.backUp(target, storage.BackupOptions{}).Point
	check.Equal(t, "where the logs are", point.Elsewhere, "ClickHouse")
	check.Equal(t, "files of the journal", len(point.Journal), 0)

	i.cfg.Logs = "duckdb"
	_, err := storage.Backup(t.Context(), i.cfg, storage.BackupOptions{Target: i.path("backups")})
	check.Equal(t, "a target in the data folder is refused", err != nil && strings.Contains(err.Error(), "is in the data folder"), true)
}

// The outcome of the last backup is in the health details and the metrics of a server
// that runs.
func TestLastBackupIsShown(t *testing.T) {
	t.Parallel()
	i := install(t, "sqlite")
	a := check.Must(app.Open(context.Background(), i.cfg, slog.New(slog.DiscardHandler), "test"))(t)
	t.Cleanup(func() { check.OK(t, a.Close(context.Background())) })
	c := check.Must(storage.OpenCatalog(t.Context(), i.cfg))(t)
	t.Cleanup(func() { check.OK(t, c.Close()) })
	_, key, err := app.NewAccess(c).CreateKey(access.AsSystem(t.Context()), a.Workspace(), access.NewKeyInput{Roles: []access.Role{access.Administrator}})
	check.OK(t, err)
	read := func(path string) string {
		r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
		r.Header.Set("X-API-KEY", key)
		answer := httptest.NewRecorder()
		a.Handler().ServeHTTP(answer, r)
		check.Equal(t, path, answer.Code, http.StatusOK)
		return answer.Body.String()
	}
	shows := func(text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("no %s in %s", part, text)
			}
		}
	}
	shows(read("/api/admin/health"), `"backup":null`)
	shows(read("/metrics"), "promptuary_backup_last_run_timestamp_seconds 0\n", "promptuary_backup_last_run_complete 0\n")

	made := i.backUp(filepath.Join(t.TempDir(), "backups"), storage.BackupOptions{})
	shows(read("/api/admin/health"), `"outcome":"complete"`, `"error":null`, made.Point.ID)
	shows(read("/metrics"), "promptuary_backup_last_run_complete 1\n")

	if _, err := storage.Backup(t.Context(), i.cfg, storage.BackupOptions{Target: filepath.Join(i.cfg.Data, "inside")}); err == nil {
		t.Fatal("a backup into the data folder is made")
	}
	shows(read("/api/admin/health"), `"outcome":"failed"`, "is in the data folder", made.Point.ID)
	metrics := read("/metrics")
	shows(metrics, "promptuary_backup_last_run_complete 0\n")
	if strings.Contains(metrics, "promptuary_backup_last_point_timestamp_seconds 0\n") {
		t.Error("the last point is forgotten")
	}
}
