package config

import (
	"fmt"
	"net"
	"net/mail"
	"slices"
	"strconv"
	"strings"
)

// Validate returns an error that names the first option with an invalid value.
func (c *Config) Validate() error {
	checks := []struct {
		option string
		ok     bool
		rule   string
	}{
		{"addr", validAddr(c.Addr), "must be host:port"},
		{"data", c.Data != "", "must name a folder"},
		{"catalog", c.Catalog == "sqlite" || strings.HasPrefix(c.Catalog, "postgres://") || strings.HasPrefix(c.Catalog, "postgresql://"), "must be sqlite or a postgres:// address"},
		{"logs", c.Logs == LogsEmbedded || c.Logs == LogsPerServer || c.LogsShared(), "must be duckdb or a clickhouse:// address"},
		{"tls-cert", c.TLSCert != "" || c.TLSKey == "", "is required with tls-key"},
		{"tls-key", c.TLSKey != "" || c.TLSCert == "", "is required with tls-cert"},
		{"metrics-addr", c.MetricsAddr == "" || validAddr(c.MetricsAddr), "must be host:port"},
		{"otlp-grpc-addr", c.OTLPAddr == "" || validAddr(c.OTLPAddr), "must be host:port"},
		{"max-connections", c.MaxConnections >= 0, "must not be negative"},
		{"max-connections-per-address", c.MaxConnectionsPerAddress >= 0, "must not be negative"},
		{"stall-timeout", c.StallTimeout > 0, "must be positive"},
		{"search-limit", c.SearchLimit >= 0, "must not be negative"},
		{"jobs", c.Jobs > 0, "must be positive"},
		{"workspace-jobs", c.WorkspaceJobs > 0, "must be positive"},
		{"suggest-limit", c.SuggestLimit >= 0, "must not be negative"},
		{"max-body", c.MaxBody >= 1<<10 && c.MaxBody <= 1<<30, "must be from 1KB to 1GB"},
		{"body-memory", c.BodyMemory >= 1<<20, "must be at least 1MB"},
		{"queue-logs", c.QueueLogs >= 1, "must be at least 1"},
		{"queue-bytes", c.QueueBytes >= 1<<20, "must be at least 1MB"},
		{"min-free-disk", c.MinFreeDisk >= -1, "must be -1 or more"},
		{"journal-file-size", c.JournalFileSize >= 4<<10 && c.JournalFileSize <= 1<<30, "must be from 4KB to 1GB"},
		{"duckdb-memory", c.DuckDBMemory >= 64, "must be at least 64"},
		{"duckdb-threads", c.DuckDBThreads >= 0, "must not be negative"},
		{"scrub-rate", c.ScrubRate >= 0, "must not be negative"},
		{"smtp-addr", c.SMTPAddr == "" || validAddr(c.SMTPAddr), "must be host:port"},
		{"smtp-from", c.SMTPAddr == "" || validEmail(c.SMTPFrom), "must be an email address with smtp-addr, such as promptuary@example.com"},
		{"smtp-security", slices.Contains([]string{"starttls", "tls", "none"}, c.SMTPSecurity), "must be starttls, tls or none"},
		{"smtp-password", c.SMTPPassword == "" || c.SMTPUser != "", "needs smtp-user"},
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

// validEmail reports whether text is a bare email address.
func validEmail(text string) bool {
	parsed, err := mail.ParseAddress(text)
	return err == nil && parsed.Address == text && len(text) <= 254
}

func validAddr(addr string) bool {
	_, port, err := net.SplitHostPort(addr)
	n, numberErr := strconv.Atoi(port)
	return err == nil && numberErr == nil && n >= 0 && n <= 65535
}
