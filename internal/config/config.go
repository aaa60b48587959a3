// Package config holds the configuration of the program. It merges defaults,
// an optional file, environment variables and flags; later sources override
// earlier ones.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Config holds every setting of an operator.
type Config struct {
	Addr    string
	Data    string
	Catalog string
	Logs    string

	// TLSCert and TLSKey are PEM files; without them the server speaks plain HTTP.
	TLSCert, TLSKey string
	// MetricsAddr is a second address that serves only the metrics, "" for none.
	MetricsAddr string
	// OTLPAddr is an address that serves OTLP over gRPC, "" for none.
	OTLPAddr string

	// MaxConnections and MaxConnectionsPerAddress limit open connections; 0
	// derives the limit from the number of file descriptors.
	MaxConnections           int
	MaxConnectionsPerAddress int
	// StallTimeout is how long a connection may make no progress in the middle
	// of a request or a response.
	StallTimeout time.Duration
	// TrustedProxies lists the reverse proxies whose headers are believed.
	TrustedProxies string

	SearchLimit  int
	SuggestLimit int
	MaxBody      int64
	BodyMemory   int64

	QueueLogs   int
	QueueBytes  int64
	MinFreeDisk int
	// JournalFileSize is the size at which the journal of request logs begins a
	// new file.
	JournalFileSize int64

	DuckDBMemory  int
	DuckDBThreads int
	// ScrubRate is how many bytes per second the background check reads.
	ScrubRate int64

	// PythonSteps is the interpreter that Python steps run with, "" for none.
	PythonSteps string
	// AllowTargets are hosts that may be called even though they are not public.
	// ExportFolders are folders that exports may be written to.
	AllowTargets, ExportFolders string
	// Jobs and WorkspaceJobs limit the number of concurrent runs.
	Jobs          int
	WorkspaceJobs int

	// SMTPAddr is the mail server, "" for none. The password has no flag.
	SMTPAddr, SMTPFrom, SMTPSecurity, SMTPUser, SMTPPassword string

	// OwnerEmail is the address of the owner created at the first start.
	OwnerEmail string

	LogLevel     string
	LogFormat    string
	DrainTimeout time.Duration

	// APIKey, if set, is a valid key for the default workspace at every start.
	// It has no flag because every user of the machine can see flags.
	APIKey string
	// SecretKey encrypts stored secrets. If it is empty, a file in the data
	// folder holds the key. It has no flag either.
	SecretKey string
}

// The values of the option logs.
const (
	// LogsEmbedded keeps the request logs in the data folder.
	LogsEmbedded = "duckdb"
	// LogsPerServer lets several servers share a catalog although each keeps
	// its own request logs. It is for tests: a search finds only the logs of
	// the server that it is sent to.
	LogsPerServer = "duckdb-per-server"
	clickHouse    = "clickhouse://"
)

// LogsShared reports whether the request logs are in a database that several
// servers can share.
func (c *Config) LogsShared() bool { return strings.HasPrefix(c.Logs, clickHouse) }

// SharesCatalog reports whether other servers may use the catalog at the same
// time: one that keeps the request logs itself must be alone, because each would
// show only a part of the logs.
func (c *Config) SharesCatalog() bool { return c.Catalog != "sqlite" && c.Logs != LogsEmbedded }

// Default returns the default configuration.
func Default() Config {
	return Config{
		Addr: "127.0.0.1:8080", Data: "./data", Catalog: "sqlite", Logs: LogsEmbedded, StallTimeout: 20 * time.Second,
		SearchLimit: 10, SuggestLimit: 10, MaxBody: 20 << 20, BodyMemory: 64 << 20,
		QueueLogs: 10_000, QueueBytes: 128 << 20, MinFreeDisk: 128, JournalFileSize: 256 << 20,
		DuckDBMemory: 512, ScrubRate: 4 << 20, OwnerEmail: "owner@localhost", SMTPSecurity: "starttls", Jobs: 2000, WorkspaceJobs: 1000,
		LogLevel: "info", LogFormat: "text", DrainTimeout: 30 * time.Second,
	}
}

// Option is one setting. Its flag is --name, its environment variable
// PROMPTUARY_NAME, and its key in the config file name.
type Option struct {
	Name  string
	Usage string
	// Type is what the help shows: string, int, size or duration.
	Type string
	// Secret options have no flag and are never printed.
	Secret bool
	set    func(c *Config, text string) error
	get    func(c *Config) string
}

// Get returns the value of the option in c as text.
func (o Option) Get(c *Config) string { return o.get(c) }

// Set parses text and stores it in c. The error does not name the option.
func (o Option) Set(c *Config, text string) error { return o.set(c, text) }

// EnvName returns the name of the environment variable of the option.
func (o Option) EnvName() string {
	return "PROMPTUARY_" + strings.ToUpper(strings.ReplaceAll(o.Name, "-", "_"))
}

// Options returns every setting.
func Options() []Option {
	return []Option{
		text("addr", "address to listen on", func(c *Config) *string { return &c.Addr }),
		text("data", "data folder", func(c *Config) *string { return &c.Data }),
		text("catalog", "catalog database: sqlite or a postgres:// URL", func(c *Config) *string { return &c.Catalog }),
		text("logs", "request log store: duckdb or clickhouse://user:password@host:port/database (duckdb-per-server only for tests of several servers)", func(c *Config) *string { return &c.Logs }),
		text("tls-cert", "PEM file with the TLS certificate; it is reloaded when it changes", func(c *Config) *string { return &c.TLSCert }),
		text("tls-key", "PEM file with the key of the TLS certificate", func(c *Config) *string { return &c.TLSKey }),
		text("metrics-addr", "address to serve /metrics on without a key; without it, /metrics is on the main address and needs a key with the permission ADMIN", func(c *Config) *string { return &c.MetricsAddr }),
		text("otlp-grpc-addr", "address to serve OTLP over gRPC on; without it, OTLP is served over HTTP only", func(c *Config) *string { return &c.OTLPAddr }),
		whole("max-connections", "maximum number of open connections, 0 to derive it from the limit of open files", func(c *Config) *int { return &c.MaxConnections }),
		whole("max-connections-per-address", "maximum number of open connections per client address, 0 for half of max-connections", func(c *Config) *int { return &c.MaxConnectionsPerAddress }),
		duration("stall-timeout", "how long a client may stall while it sends a request or receives a response", func(c *Config) *time.Duration { return &c.StallTimeout }),
		text("trusted-proxies", "comma-separated addresses and CIDR ranges of reverse proxies whose X-Forwarded-For header is trusted", func(c *Config) *string { return &c.TrustedProxies }),
		whole("search-limit", "searches per key and minute, 0 for no limit", func(c *Config) *int { return &c.SearchLimit }),
		whole("suggest-limit", "suggestions per key and minute, 0 for no limit", func(c *Config) *int { return &c.SuggestLimit }),
		size("max-body", "maximum size of a request body", func(c *Config) *int64 { return &c.MaxBody }),
		size("body-memory", "maximum memory for large request bodies being processed", func(c *Config) *int64 { return &c.BodyMemory }),
		whole("queue-logs", "maximum number of request logs waiting to be written", func(c *Config) *int { return &c.QueueLogs }),
		size("queue-bytes", "maximum memory for request logs waiting to be written", func(c *Config) *int64 { return &c.QueueBytes }),
		whole("min-free-disk", "reject request logs when fewer MB are free on the disk, -1 for no check", func(c *Config) *int { return &c.MinFreeDisk }),
		size("journal-file-size", "size at which the journal of request logs begins a new file", func(c *Config) *int64 { return &c.JournalFileSize }),
		whole("duckdb-memory", "memory limit of DuckDB in MB", func(c *Config) *int { return &c.DuckDBMemory }),
		whole("duckdb-threads", "number of DuckDB threads, 0 for all cores", func(c *Config) *int { return &c.DuckDBThreads }),
		size("scrub-rate", "bytes per second that the background check of stored request logs reads, 0 for no check of logs and catalog", func(c *Config) *int64 { return &c.ScrubRate }),
		text("python-steps", "interpreter for Python steps, such as python3; without one they fail", func(c *Config) *string { return &c.PythonSteps }),
		text("allow-targets", "comma-separated addresses, ranges and host names that steps and callbacks may call even though they are not public", func(c *Config) *string { return &c.AllowTargets }),
		text("export-folders", "comma-separated folders of the server that saved exports may be written to; without them, only to buckets", func(c *Config) *string { return &c.ExportFolders }),
		whole("jobs", "maximum number of concurrent runs", func(c *Config) *int { return &c.Jobs }),
		whole("workspace-jobs", "maximum number of concurrent runs per workspace", func(c *Config) *int { return &c.WorkspaceJobs }),
		text("smtp-addr", "host:port of the mail server for webhooks that send e-mail; without it they cannot be created", func(c *Config) *string { return &c.SMTPAddr }),
		text("smtp-from", "e-mail address of the sender", func(c *Config) *string { return &c.SMTPFrom }),
		text("smtp-security", "encryption of connections to the mail server: starttls, tls or none", func(c *Config) *string { return &c.SMTPSecurity }),
		text("smtp-user", "user to sign in to the mail server with", func(c *Config) *string { return &c.SMTPUser }),
		text("owner-email", "email address of the owner created at the first start", func(c *Config) *string { return &c.OwnerEmail }),
		text("log-level", "log level: debug, info, warn or error", func(c *Config) *string { return &c.LogLevel }),
		text("log-format", "log format: text or json", func(c *Config) *string { return &c.LogFormat }),
		duration("drain-timeout", "how long to wait for requests in progress when stopping", func(c *Config) *time.Duration { return &c.DrainTimeout }),
		secret(text("api-key", "API key for the default workspace that is valid at every start", func(c *Config) *string { return &c.APIKey })),
		secret(text("smtp-password", "password to sign in to the mail server with", func(c *Config) *string { return &c.SMTPPassword })),
		secret(text("secret-key", "key that encrypts stored secrets, instead of the file secret.key", func(c *Config) *string { return &c.SecretKey })),
	}
}

func text(name, usage string, field func(*Config) *string) Option {
	return Option{
		Name: name, Usage: usage, Type: "string",
		set: func(c *Config, text string) error { *field(c) = text; return nil },
		get: func(c *Config) string { return *field(c) },
	}
}

func secret(o Option) Option {
	o.Secret = true
	return o
}

func whole(name, usage string, field func(*Config) *int) Option {
	return Option{
		Name: name, Usage: usage, Type: "int",
		set: func(c *Config, text string) error {
			n, err := strconv.Atoi(text)
			if err != nil {
				return errors.New("must be a whole number")
			}
			*field(c) = n
			return nil
		},
		get: func(c *Config) string { return strconv.Itoa(*field(c)) },
	}
}

func size(name, usage string, field func(*Config) *int64) Option {
	return Option{
		Name: name, Usage: usage, Type: "size",
		set: func(c *Config, text string) (err error) { *field(c), err = parseSize(text); return err },
		get: func(c *Config) string { return formatSize(*field(c)) },
	}
}

func duration(name, usage string, field func(*Config) *time.Duration) Option {
	return Option{
		Name: name, Usage: usage, Type: "duration",
		set: func(c *Config, text string) error {
			d, err := time.ParseDuration(text)
			if err != nil {
				return errors.New("must be a duration such as 30s")
			}
			*field(c) = d
			return nil
		},
		get: func(c *Config) string { return field(c).String() },
	}
}

// units lists powers of 1024, longest name first.
var units = []struct {
	name  string
	bytes int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"B", 1}}

func parseSize(text string) (int64, error) {
	digits, factor := strings.ToUpper(strings.TrimSpace(text)), int64(1)
	for _, unit := range units {
		if rest, ok := strings.CutSuffix(digits, unit.name); ok {
			digits, factor = strings.TrimSpace(rest), unit.bytes
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 40)
	if err != nil || n < 0 {
		return 0, errors.New("must be a size such as 20MB")
	}
	return n * factor, nil
}

func formatSize(bytes int64) string {
	for _, unit := range units {
		if bytes > 0 && bytes%unit.bytes == 0 {
			return strconv.FormatInt(bytes/unit.bytes, 10) + unit.name
		}
	}
	return "0"
}

// Load merges the file at path, unless path is empty, and the environment into
// the defaults. The caller then sets the flags and calls Validate.
func Load(path string, environ []string) (Config, error) {
	c := Default()
	if path != "" {
		if err := c.loadFile(path); err != nil {
			return c, err
		}
	}
	return c, c.loadEnvironment(environ)
}

func (c *Config) loadFile(path string) error {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("config file %s does not exist", path)
	}
	if err != nil {
		return fmt.Errorf("read config file: %w", err)
	}
	var values map[string]yaml.Node
	if err := yaml.Unmarshal(content, &values); err != nil {
		return fmt.Errorf("config file %s: %w", path, err)
	}
	options := Options()
	for name, value := range values {
		at := slices.IndexFunc(options, func(o Option) bool { return o.Name == name })
		if at < 0 {
			return fmt.Errorf("config file %s: unknown option %q", path, name)
		}
		if value.Kind != yaml.ScalarNode {
			return fmt.Errorf("config file %s: option %q must be a single value", path, name)
		}
		if err := options[at].Set(c, value.Value); err != nil {
			return fmt.Errorf("config file %s: option %q: %w", path, name, err)
		}
	}
	return nil
}

func (c *Config) loadEnvironment(environ []string) error {
	known := map[string]Option{}
	for _, o := range Options() {
		known[o.EnvName()] = o
	}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "PROMPTUARY_") || slices.Contains([]string{ConfigEnv, ServerEnv, PassphraseEnv}, name) {
			continue
		}
		o, ok := known[name]
		if !ok {
			return fmt.Errorf("environment variable %s is not an option of promptuary", name)
		}
		if err := o.Set(c, value); err != nil {
			return fmt.Errorf("environment variable %s: %w", name, err)
		}
	}
	return nil
}

// Environment variables that are not options.
const (
	// ConfigEnv names the config file.
	ConfigEnv = "PROMPTUARY_CONFIG"
	// ServerEnv is the address of the server for commands that are clients of
	// one. Other commands ignore it.
	ServerEnv = "PROMPTUARY_SERVER"
	// PassphraseEnv is the passphrase for the secret key in backups. Commands other
	// than backup and restore ignore it.
	PassphraseEnv = "PROMPTUARY_BACKUP_PASSPHRASE"
)
