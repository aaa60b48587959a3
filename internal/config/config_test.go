package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "promptuary.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaultsAreValid(t *testing.T) {
	t.Parallel()
	c := Default()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

func TestEnvironmentOverridesFile(t *testing.T) {
	t.Parallel()
	path := write(t, "addr: 0.0.0.0:1\nsearch-limit: 3\nmax-body: 5MB\n")
	got, err := Load(path, []string{"PROMPTUARY_ADDR=127.0.0.1:2", "PROMPTUARY_DRAIN_TIMEOUT=5s", "PROMPTUARY_CONFIG=" + path, "OTHER=x"})
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Addr, want.SearchLimit, want.MaxBody, want.DrainTimeout = "127.0.0.1:2", 3, 5<<20, 5*time.Second
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadIgnoresClientVariables(t *testing.T) {
	t.Parallel()
	got, err := Load("", []string{"PROMPTUARY_SERVER=https://example.com", "PROMPTUARY_API_KEY=pl_12345678"})
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.APIKey = "pl_12345678"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file    string
		environ []string
		want    string
	}{
		"unknown variable":        {environ: []string{"PROMPTUARY_ADRESS=x"}, want: "PROMPTUARY_ADRESS"},
		"bad value of a variable": {environ: []string{"PROMPTUARY_SEARCH_LIMIT=ten"}, want: "PROMPTUARY_SEARCH_LIMIT: must be a whole number"},
		"bad size":                {environ: []string{"PROMPTUARY_MAX_BODY=-1MB"}, want: "PROMPTUARY_MAX_BODY: must be a size"},
		"bad duration":            {environ: []string{"PROMPTUARY_DRAIN_TIMEOUT=5"}, want: "PROMPTUARY_DRAIN_TIMEOUT: must be a duration"},
		"unknown key in the file": {file: "adress: x\n", want: `unknown option "adress"`},
		"list in the file":        {file: "addr: [a]\n", want: `"addr" must be a single value`},
		"file that is not YAML":   {file: "addr: [", want: "promptuary.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := ""
			if test.file != "" {
				path = write(t, test.file)
			}
			_, err := Load(path, test.environ)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want it to say %q", err, test.want)
			}
		})
	}
	if _, err := Load("/does/not/exist.yaml", nil); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("missing file: %v", err)
	}
}

func TestValidateNamesTheOption(t *testing.T) {
	t.Parallel()
	for option, spoil := range map[string]func(*Config){
		"addr":           func(c *Config) { c.Addr = "localhost" },
		"data":           func(c *Config) { c.Data = "" },
		"catalog":        func(c *Config) { c.Catalog = "mysql://x" },
		"logs":           func(c *Config) { c.Logs = "clickhouse" },
		"search-limit":   func(c *Config) { c.SearchLimit = -1 },
		"suggest-limit":  func(c *Config) { c.SuggestLimit = -1 },
		"max-body":       func(c *Config) { c.MaxBody = 1 },
		"body-memory":    func(c *Config) { c.BodyMemory = 1 },
		"queue-logs":     func(c *Config) { c.QueueLogs = 0 },
		"queue-bytes":    func(c *Config) { c.QueueBytes = 0 },
		"min-free-disk":  func(c *Config) { c.MinFreeDisk = -2 },
		"scrub-rate":     func(c *Config) { c.ScrubRate = -1 },
		"duckdb-memory":  func(c *Config) { c.DuckDBMemory = 1 },
		"owner-email":    func(c *Config) { c.OwnerEmail = "ann" },
		"log-level":      func(c *Config) { c.LogLevel = "loud" },
		"log-format":     func(c *Config) { c.LogFormat = "xml" },
		"drain-timeout":  func(c *Config) { c.DrainTimeout = 0 },
		"api-key":        func(c *Config) { c.APIKey = "secret" },
		"stall-timeout":  func(c *Config) { c.StallTimeout = 0 },
		"otlp-grpc-addr": func(c *Config) { c.OTLPAddr = "localhost" },
		"metrics-addr":   func(c *Config) { c.MetricsAddr = "localhost" },
		"tls-cert":       func(c *Config) { c.TLSKey = "key.pem" },
		"tls-key":        func(c *Config) { c.TLSCert = "cert.pem" },

		"journal-file-size":           func(c *Config) { c.JournalFileSize = 1 << 31 },
		"max-connections":             func(c *Config) { c.MaxConnections = -1 },
		"max-connections-per-address": func(c *Config) { c.MaxConnectionsPerAddress = -1 },
	} {
		c := Default()
		spoil(&c)
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), "option "+option+" ") {
			t.Errorf("spoilt %s: %v", option, err)
		}
	}
}

func TestOwnerEmail(t *testing.T) {
	t.Parallel()
	c, err := Load("", []string{"PROMPTUARY_OWNER_EMAIL=ann@example.com"})
	if err != nil || c.OwnerEmail != "ann@example.com" || c.Validate() != nil {
		t.Errorf("got %q, %v, %v", c.OwnerEmail, err, c.Validate())
	}
	for name, test := range map[string]struct {
		email string
		want  bool
	}{
		"without a dot": {"owner@localhost", true},
		"plus":          {"ann+work@example.com", true},
		"longest":       {strings.Repeat("a", 242) + "@example.com", true},
		"too long":      {strings.Repeat("a", 243) + "@example.com", false},
		"empty":         {"", false},
		"no address":    {"ann", false},
		"nobody":        {"@example.com", false},
		"nowhere":       {"ann@", false},
		"with a name":   {"Ann <ann@example.com>", false},
		"in brackets":   {"<ann@example.com>", false},
		"two":           {"ann@example.com,bob@example.com", false},
		"space":         {"ann@example.com ", false},
		"line break":    {"ann@example.com\n", false},
		"NUL":           {"ann\x00@example.com", false},
		"not in UTF-8":  {"ann\xff@example.com", false},
	} {
		c := Default()
		c.OwnerEmail = test.email
		if err := c.Validate(); (err == nil) != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOptionsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, o := range Options() {
		c := Default()
		before := o.Get(&c)
		if err := o.Set(&c, before); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
		if after := o.Get(&c); after != before {
			t.Errorf("%s: %q became %q", o.Name, before, after)
		}
	}
}

func TestDocumentationListsEveryOption(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	defaults := Default()
	for _, o := range Options() {
		value := "–" // no default
		if text := o.Get(&defaults); text != "" {
			value = "`" + text + "`"
		}
		row := "| `--" + o.Name + "` | `" + o.EnvName() + "` | " + value + " |"
		if o.Secret {
			row = "`" + o.EnvName() + "`"
		}
		if !strings.Contains(string(document), row) {
			t.Errorf("docs/configuration.md lacks %s", row)
		}
	}
}
