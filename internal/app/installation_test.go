package app_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/secret"
)

// installed is an installation for tests.
type installed struct {
	t   *testing.T
	cfg config.Config
}

// install starts the program on a new data folder and logs a request.
func install(t *testing.T, catalog string) installed {
	t.Helper()
	i := installed{t, config.Default()}
	i.cfg.Data, i.cfg.APIKey, i.cfg.Catalog = t.TempDir(), apiKey, catalog
	(&shown{t: t}).run(i.cfg, func(send func(status int, method, path, body string) string) {
		send(http.StatusCreated, http.MethodPost, "/log-request", `{"provider":"openai","model":"gpt-4o",
"input":{"type":"completion","content":[{"type":"text","text":"private"}]},
"output":{"type":"completion","content":[{"type":"text","text":"words"}]},
"request_start_time":"2026-01-01T12:00:00Z","request_end_time":"2026-01-01T12:00:01Z"}`)
	})
	return i
}

func (i installed) path(name string) string { return filepath.Join(i.cfg.Data, name) }

// dsn returns the address of the catalog.
func (i installed) dsn() string {
	if i.cfg.Catalog == "sqlite" {
		return "sqlite:" + i.path("catalog.db")
	}
	return i.cfg.Catalog
}

// open starts and stops the program.
func (i installed) open() error {
	a, err := app.Open(context.Background(), i.cfg, slog.New(slog.DiscardHandler), "test")
	if err != nil {
		return err
	}
	return a.Close(context.Background())
}

// refused fails the test unless the start is refused with the texts.
func (i installed) refused(texts ...string) {
	i.t.Helper()
	err := i.open()
	if err == nil {
		i.t.Fatal("the program started")
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			i.t.Errorf("the error is %q, want %q in it", err, text)
		}
	}
}

// ids returns the id of the installation in the catalog, the logs and the key.
func (i installed) ids() [3]string {
	i.t.Helper()
	c := check.Must(storage.OpenCatalog(i.t.Context(), i.cfg))(i.t)
	defer func() { check.OK(i.t, c.Close()) }()
	id, _, err := c.Installation.ID(i.t.Context())
	check.OK(i.t, err)
	logs := strings.TrimSpace(string(check.Must(os.ReadFile(i.path("logs/installation")))(i.t)))
	return [3]string{id, logs, check.Must(secret.KeyInstallation(i.path("secret.key")))(i.t)}
}

// agree fails the test unless all parts have one id, which it returns.
func (i installed) agree() string {
	i.t.Helper()
	ids := i.ids()
	if ids[0] == "" || ids[1] != ids[0] || ids[2] != ids[0] {
		i.t.Fatalf("catalog, logs and key have the ids %q, want one id", ids)
	}
	return ids[0]
}

// forget removes the id from the catalog, the logs or the key.
func (i installed) forget(part string) {
	i.t.Helper()
	switch part {
	case "catalog":
		check.Must(catalogtest.Raw(i.t, i.dsn()).Exec(`UPDATE installation SET id = ''`))(i.t)
	case "logs":
		check.OK(i.t, os.Remove(i.path("logs/installation")))
	case "key":
		line, _, _ := strings.Cut(string(check.Must(os.ReadFile(i.path("secret.key")))(i.t)), "\n")
		check.OK(i.t, os.WriteFile(i.path("secret.key"), []byte(line+"\n"), 0o600))
	}
}

// onEachCatalog runs a test with the option of each kind of catalog.
func onEachCatalog(t *testing.T, test func(t *testing.T, newCatalog func() string)) {
	t.Parallel()
	for name, catalog := range map[string]func(testing.TB) string{
		"SQLite": func(testing.TB) string { return "sqlite" }, "PostgreSQL": catalogtest.PostgreSQL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, func() string { return catalog(t) })
		})
	}
}

// TestRefusesMissingCatalogBesideLogs loses the catalog. A new one would give
// the logs of its tenants to new ones.
func TestRefusesMissingCatalogBesideLogs(t *testing.T) {
	t.Parallel()
	i := install(t, "sqlite")
	content := check.Must(os.ReadFile(i.path("catalog.db")))(t)
	check.OK(t, os.Remove(i.path("catalog.db")))
	i.refused("catalog.db is missing", "restore the catalog from a backup", "choose another data folder")
	if err := check.Failure(storage.OpenCatalog(t.Context(), i.cfg)); err == nil {
		t.Error("a command opened a new catalog")
	}
	if left, _ := filepath.Glob(i.path("catalog.db*")); left != nil {
		t.Errorf("the refused start left %v, over which a backup would be restored", left)
	}
	check.OK(t, os.WriteFile(i.path("catalog.db"), content, 0o600))
	check.OK(t, i.open())
}

func TestRefusesEmptyCatalogBesideLogs(t *testing.T) {
	t.Parallel()
	i := install(t, catalogtest.PostgreSQL(t))
	own := i.cfg.Catalog
	i.cfg.Catalog = catalogtest.PostgreSQL(t)
	i.refused("the catalog is empty", "restore the catalog from a backup")
	// Commands such as "key create" create a workspace, but no installation.
	c := catalogtest.Open(t, i.cfg.Catalog)
	check.Must(c.Accounts.EnsureDefaultWorkspace(t.Context()))(t)
	i.refused("the catalog is empty")
	for _, part := range []string{"logs", "key"} {
		i.forget(part)
		i.refused("the catalog is empty")
	}
	i.cfg.Catalog = own
	i.refused("do not name their installation")
}

func TestRefusesDataOfAnotherInstallation(t *testing.T) {
	onEachCatalog(t, func(t *testing.T, newCatalog func() string) {
		one, other := install(t, newCatalog()), install(t, newCatalog())
		id, otherID := one.agree(), other.agree()
		if id == otherID {
			t.Fatal("two installations have one id")
		}
		own := check.Must(os.ReadFile(one.path("secret.key")))(t)
		check.OK(t, os.WriteFile(one.path("secret.key"), check.Must(os.ReadFile(other.path("secret.key")))(t), 0o600))
		one.refused("the secret key in "+one.path("secret.key"), id, otherID)
		check.OK(t, os.WriteFile(one.path("secret.key"), own, 0o600))
		check.OK(t, one.open())

		check.OK(t, os.Rename(one.path("logs"), one.path("own-logs")))
		check.OK(t, os.CopyFS(one.path("logs"), os.DirFS(other.path("logs"))))
		one.refused("the request logs in "+one.path("logs"), id, otherID)
	})
}

// TestBindsDataOfEarlierVersions starts on data without ids, and on what a crash
// of such a start leaves behind.
func TestBindsDataOfEarlierVersions(t *testing.T) {
	onEachCatalog(t, func(t *testing.T, newCatalog func() string) {
		i := install(t, newCatalog())
		for _, parts := range [][]string{{"key", "logs", "catalog"}, {"key", "catalog"}, {"catalog"}, {"key"}} {
			before := i.agree()
			for _, part := range parts {
				i.forget(part)
			}
			check.OK(t, i.open())
			if after := i.agree(); len(parts) < 3 && after != before {
				t.Errorf("without the ids in %v the installation %s became %s", parts, before, after)
			}
		}
	})
}

func TestCompletesInterruptedFirstStart(t *testing.T) {
	onEachCatalog(t, func(t *testing.T, newCatalog func() string) {
		i := installed{t, config.Default()}
		i.cfg.Data, i.cfg.APIKey, i.cfg.Catalog = t.TempDir(), apiKey, newCatalog()
		check.OK(t, i.open())
		id := i.agree()
		i.forget("logs")
		check.OK(t, os.Remove(i.path("secret.key")))
		check.OK(t, i.open())
		check.Equal(t, "installation", i.agree(), id)
	})
}

// TestRefusesLogsWithoutInstallation puts logs of an earlier version beside a
// catalog that is bound to its own.
func TestRefusesLogsWithoutInstallation(t *testing.T) {
	t.Parallel()
	i := install(t, "sqlite")
	id := i.agree()
	i.forget("logs")
	i.refused("do not name their installation", "write "+id+" to "+i.path("logs/installation"))
	check.OK(t, os.WriteFile(i.path("logs/installation"), []byte(id+"\n"), 0o600))
	check.OK(t, i.open())
}
