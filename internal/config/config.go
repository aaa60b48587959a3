// Package config is the program's configuration: one value made of defaults,
// an optional file, environment variables and flags, each overriding the one
// before.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/mail"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Config is everything an operator can set.
type Config struct {
	Addr    string
	Data    string
	Catalog string
	Logs    string

	SearchLimit  int
	SuggestLimit int
	MaxBody      int64
	BodyMemory   int64

	QueueLogs   int
	QueueBytes  int64
	MinFreeDisk int

	DuckDBMemory  int
	DuckDBThreads int

	// PythonSteps is the interpreter that Python steps run with, "" for none.
	PythonSteps string
	// AllowTargets names what may be called although it is not public.
	AllowTargets string
	// Jobs and WorkspaceJobs bound how many runs go on at once.
	Jobs          int
	WorkspaceJobs int

	// OwnerEmail is the address of the owner that a first start makes.
	OwnerEmail string

	LogLevel     string
	LogFormat    string
	DrainTimeout time.Duration

	// APIKey, when set, is valid for the default workspace at every start. It
	// has no flag, because flags can be seen by every user of the machine.
	APIKey string
	// SecretKey is what stored secrets are sealed with; when it is not set, the
	// key is in a file of the data folder. It has no flag either.
	SecretKey string
}

// Default returns the configuration without any setting.
func Default() Config {
	return Config{
		Addr: "127.0.0.1:8080", Data: "./data", Catalog: "sqlite", Logs: "duckdb",
		SearchLimit: 10, SuggestLimit: 10, MaxBody: 20 << 20, BodyMemory: 64 << 20,
		QueueLogs: 10_000, QueueBytes: 128 << 20, MinFreeDisk: 128,
		DuckDBMemory: 512, OwnerEmail: "owner@localhost", Jobs: 2000, WorkspaceJobs: 1000,
		LogLevel: "info", LogFormat: "text", DrainTimeout: 30 * time.Second,
	}
}

// Option is one setting: its flag is --name, its environment variable
// PROMPTUARY_NAME, its key in the file name.
type Option struct {
	Name  string
	Usage string
	// Secret options have no flag and are never printed.
	Secret bool
	set    func(c *Config, text string) error
	get    func(c *Config) string
}

// Get returns the option's value in c as text.
func (o Option) Get(c *Config) string { return o.get(c) }

// Set gives the option a value from text; the error names what is wrong with
// it, not the option.
func (o Option) Set(c *Config, text string) error { return o.set(c, text) }

// EnvName returns the name of the option's environment variable.
func (o Option) EnvName() string {
	return "PROMPTUARY_" + strings.ToUpper(strings.ReplaceAll(o.Name, "-", "_"))
}

// Options lists every setting.
func Options() []Option {
	return []Option{
		text("addr", "address to listen on", func(c *Config) *string { return &c.Addr }),
		text("data", "folder for all data", func(c *Config) *string { return &c.Data }),
		text("catalog", "where entities are kept: sqlite, or a postgres:// address", func(c *Config) *string { return &c.Catalog }),
		text("logs", "where request logs are kept: duckdb", func(c *Config) *string { return &c.Logs }),
		whole("search-limit", "searches a key may make in a minute, 0 for no limit", func(c *Config) *int { return &c.SearchLimit }),
		whole("suggest-limit", "suggestions a key may ask for in a minute, 0 for no limit", func(c *Config) *int { return &c.SuggestLimit }),
		size("max-body", "largest request body, such as 20MB", func(c *Config) *int64 { return &c.MaxBody }),
		size("body-memory", "memory that large request bodies under way may take together", func(c *Config) *int64 { return &c.BodyMemory }),
		whole("queue-logs", "request logs that may wait to be written", func(c *Config) *int { return &c.QueueLogs }),
		size("queue-bytes", "memory that waiting request logs may take", func(c *Config) *int64 { return &c.QueueBytes }),
		whole("min-free-disk", "MB that must stay free on the disk for request logs to be accepted, -1 for no check", func(c *Config) *int { return &c.MinFreeDisk }),
		whole("duckdb-memory", "MB of memory that DuckDB may use", func(c *Config) *int { return &c.DuckDBMemory }),
		whole("duckdb-threads", "threads that DuckDB may use, 0 for all cores", func(c *Config) *int { return &c.DuckDBThreads }),
		text("python-steps", "interpreter that Python steps run with, such as python3; without one they fail", func(c *Config) *string { return &c.PythonSteps }),
		text("allow-targets", "addresses, ranges and host names that steps and callbacks may call although they are not public, with commas", func(c *Config) *string { return &c.AllowTargets }),
		whole("jobs", "workflow runs that go on at once", func(c *Config) *int { return &c.Jobs }),
		whole("workspace-jobs", "workflow runs of one workspace that go on at once", func(c *Config) *int { return &c.WorkspaceJobs }),
		text("owner-email", "address of the owner that a first start makes", func(c *Config) *string { return &c.OwnerEmail }),
		text("log-level", "debug, info, warn or error", func(c *Config) *string { return &c.LogLevel }),
		text("log-format", "text or json", func(c *Config) *string { return &c.LogFormat }),
		duration("drain-timeout", "how long a stop waits for requests under way", func(c *Config) *time.Duration { return &c.DrainTimeout }),
		secret(text("api-key", "key that is valid for the default workspace at every start", func(c *Config) *string { return &c.APIKey })),
		secret(text("secret-key", "key that stored secrets are sealed with, instead of the file secret.key", func(c *Config) *string { return &c.SecretKey })),
	}
}

func text(name, usage string, field func(*Config) *string) Option {
	return Option{
		Name: name, Usage: usage,
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
		Name: name, Usage: usage,
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
		Name: name, Usage: usage,
		set: func(c *Config, text string) (err error) { *field(c), err = parseSize(text); return err },
		get: func(c *Config) string { return formatSize(*field(c)) },
	}
}

func duration(name, usage string, field func(*Config) *time.Duration) Option {
	return Option{
		Name: name, Usage: usage,
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

// units are powers of 1024, the longest name first.
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

// Load merges the file, when path is not "", and the environment into the
// defaults. Flags are set by the caller afterwards, then Validate is called.
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
		if !strings.HasPrefix(name, "PROMPTUARY_") || name == ConfigEnv || name == ServerEnv {
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

// The environment variables that are no options.
const (
	// ConfigEnv names the config file.
	ConfigEnv = "PROMPTUARY_CONFIG"
	// ServerEnv is the address of the server that commands talk to as clients.
	// Servers and other commands started beside them do not read it.
	ServerEnv = "PROMPTUARY_SERVER"
)

// Validate returns an error that names the first option with an impossible
// value.
func (c *Config) Validate() error {
	checks := []struct {
		option string
		ok     bool
		rule   string
	}{
		{"addr", validAddr(c.Addr), "must be host:port"},
		{"data", c.Data != "", "must name a folder"},
		{"catalog", c.Catalog == "sqlite" || strings.HasPrefix(c.Catalog, "postgres://") || strings.HasPrefix(c.Catalog, "postgresql://"), "must be sqlite or a postgres:// address"},
		{"logs", c.Logs == "duckdb", "must be duckdb"},
		{"search-limit", c.SearchLimit >= 0, "must not be negative"},
		{"jobs", c.Jobs > 0, "must be positive"},
		{"workspace-jobs", c.WorkspaceJobs > 0, "must be positive"},
		{"suggest-limit", c.SuggestLimit >= 0, "must not be negative"},
		{"max-body", c.MaxBody >= 1<<10 && c.MaxBody <= 1<<30, "must be from 1KB to 1GB"},
		{"body-memory", c.BodyMemory >= 1<<20, "must be at least 1MB"},
		{"queue-logs", c.QueueLogs >= 1, "must be at least 1"},
		{"queue-bytes", c.QueueBytes >= 1<<20, "must be at least 1MB"},
		{"min-free-disk", c.MinFreeDisk >= -1, "must be -1 or more"},
		{"duckdb-memory", c.DuckDBMemory >= 64, "must be at least 64"},
		{"duckdb-threads", c.DuckDBThreads >= 0, "must not be negative"},
		{"owner-email", validEmail(c.OwnerEmail), "must be an email address, such as ann@example.com"},
		{"log-level", slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel), "must be debug, info, warn or error"},
		{"log-format", c.LogFormat == "text" || c.LogFormat == "json", "must be text or json"},
		{"drain-timeout", c.DrainTimeout > 0, "must be positive"},
		{"api-key", c.APIKey == "" || (strings.HasPrefix(c.APIKey, "pl_") && len(c.APIKey) >= 8), "must start with pl_ and have at least 8 characters"},
		{"secret-key", c.SecretKey == "" || validKey(c.SecretKey), "must be 32 bytes in base64 or hex (PROMPTUARY_SECRET_KEY), as openssl rand -base64 32 prints them"},
	}
	for _, check := range checks {
		if !check.ok {
			return fmt.Errorf("option %s %s", check.option, check.rule)
		}
	}
	return nil
}

// validEmail reports whether the text is an address and nothing else.
func validEmail(text string) bool {
	parsed, err := mail.ParseAddress(text)
	return err == nil && parsed.Address == text && len(text) <= 254
}

func validAddr(addr string) bool {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	n, err := strconv.Atoi(port)
	return err == nil && n >= 0 && n <= 65535
}
