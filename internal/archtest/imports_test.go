package archtest

import (
	"slices"
	"strings"
	"testing"
)

// domains contain the rules. They do not depend on HTTP, SQL or any store.
var domains = []string{"internal/entity", "internal/registry", "internal/folder", "internal/variableset", "internal/reqlog", "internal/access", "internal/prompt", "internal/template", "internal/envvar", "internal/audit",
	"internal/workflow", "internal/tool", "internal/dataset", "internal/eval", "internal/skill", "internal/step", "internal/job", "internal/playground", "internal/view", "internal/abtest", "internal/pricing", "internal/redact", "internal/trace", "internal/repricing", "internal/deletion", "internal/webhook", "internal/alert", "internal/export", "internal/exporter", "internal/importer"}

// versioned are the imports of a versioned kind.
var versioned = []string{"internal/access", "internal/entity", "internal/fault", "internal/jsontree", "internal/registry"}

// allowed lists the packages of the module that the files of a folder, except
// tests, may import besides the folder itself. Imports only go down. Every
// folder must be listed, and every new import is a decision.
var allowed = map[string][]string{
	// Commands parse flags and use the services of app.
	"cmd": {
		"internal/access", "internal/app", "internal/audit", "internal/blob", "internal/config", "internal/demo", "internal/catalog", "internal/script", "internal/prompt", "internal/registry", "internal/redact", "internal/reqlog", "internal/fault", "internal/guard", "internal/jsontree", "internal/alert", "internal/entity", "internal/export/target", "internal/exporter", "internal/webhook",
	},
	// app is the only package that may import all others.
	"internal/app": {"internal"},

	// api combines the families of operations. A family uses the kit, the
	// kernel and the domains; families do not import each other.
	"internal/api":          {"internal/rest"},
	"internal/api/kit":      append([]string{"internal/rest", "internal/fault", "internal/jsontree"}, domains...),
	"internal/api/logs":     append([]string{"internal/api/kit", "internal/blob", "internal/rest", "internal/fault", "internal/jsontree"}, domains...),
	"internal/api/registry": append([]string{"internal/api/kit", "internal/rest", "internal/fault", "internal/jsontree"}, domains...),
	"internal/api/work":     append([]string{"internal/guard", "internal/api/kit", "internal/live", "internal/rest", "internal/fault", "internal/jsontree"}, domains...),
	"internal/api/admin":    append([]string{"internal/api/kit", "internal/rest", "internal/fault", "internal/jsontree"}, domains...),
	"internal/rest":         {"internal/fault", "internal/jsontree"},
	// gRPC is a translation to HTTP.
	"internal/otlpgrpc": {},
	// Logs contain templates, so they share the rules of the registry. Callers
	// and permissions are needed everywhere.
	"internal/access": {"internal/entity", "internal/fault"},
	"internal/audit":  {"internal/access", "internal/entity"},
	"internal/reqlog": {"internal/ascii", "internal/guard", "internal/access", "internal/fair", "internal/fault", "internal/jsontree", "internal/pricing", "internal/template", "internal/provider", "internal/redact"},
	// Model calls of the server are logged.
	"internal/reqlog/record": {"internal/access", "internal/fault", "internal/provider", "internal/reqlog"},
	// Spans describe model calls, which become logs.
	"internal/trace": {"internal/fault", "internal/jsontree", "internal/provider", "internal/reqlog"},
	// Runs write traces of themselves.
	"internal/runtrace":              {"internal/access", "internal/fault", "internal/guard", "internal/jsontree", "internal/reqlog", "internal/trace"},
	"internal/runtrace/runtracetest": {"internal/access", "internal/check", "internal/reqlog", "internal/runtrace"},
	"internal/entity":                {"internal/fault"},
	"internal/registry":              {"internal/access", "internal/entity", "internal/fault"},
	"internal/folder":                {"internal/access", "internal/entity", "internal/fault", "internal/jsontree"},
	"internal/variableset":           versioned,
	"internal/envvar":                {"internal/access", "internal/entity", "internal/fault", "internal/secret"},
	// The catalog combines its stores, each of which implements interfaces of a
	// domain.
	"internal/catalog":        {},
	"internal/catalog/table":  {},
	"internal/catalog/engine": {"internal/catalog/table", "internal/access", "internal/audit", "internal/entity", "internal/fair", "internal/fault", "internal/jsontree"},
	// Stores tell webhooks about changes.
	"internal/catalog/webhooks":     {"internal/catalog/table", "internal/catalog/engine", "internal/access", "internal/audit", "internal/entity", "internal/fault", "internal/webhook"},
	"internal/catalog/alerts":       {"internal/catalog/table", "internal/catalog/engine", "internal/catalog/webhooks", "internal/alert", "internal/audit", "internal/entity", "internal/fault", "internal/webhook"},
	"internal/catalog/exports":      {"internal/catalog/table", "internal/catalog/engine", "internal/catalog/webhooks", "internal/audit", "internal/entity", "internal/exporter", "internal/fault", "internal/webhook"},
	"internal/catalog/entities":     {"internal/catalog/table", "internal/catalog/engine", "internal/catalog/webhooks", "internal/audit", "internal/entity", "internal/envvar", "internal/fault", "internal/skill"},
	"internal/catalog/accounts":     {"internal/catalog/table", "internal/catalog/engine", "internal/access", "internal/audit", "internal/entity", "internal/fault"},
	"internal/catalog/datasets":     {"internal/catalog/table", "internal/catalog/engine", "internal/catalog/entities", "internal/audit", "internal/dataset", "internal/entity", "internal/fault"},
	"internal/catalog/evaluations":  {"internal/catalog/table", "internal/catalog/engine", "internal/catalog/webhooks", "internal/catalog/entities", "internal/audit", "internal/dataset", "internal/entity", "internal/eval", "internal/fault"},
	"internal/catalog/installation": {"internal/catalog/table", "internal/catalog/engine", "internal/audit"},
	"internal/catalog/upgrade":      {"internal/catalog/table", "internal/catalog/engine", "internal/entity"},
	"internal/catalog/requests":     {"internal/catalog/table", "internal/catalog/engine", "internal/audit", "internal/deletion", "internal/export", "internal/fault", "internal/pricing", "internal/redact", "internal/repricing", "internal/reqlog", "internal/view", "internal/importer"},
	"internal/catalog/runs":         {"internal/catalog/table", "internal/catalog/engine", "internal/catalog/webhooks", "internal/eval", "internal/fault", "internal/job", "internal/jsontree", "internal/workflow"},
	"internal/catalog/catalogtest":  {"internal/catalog", "internal/check", "internal/entity"},
	"internal/catalog/storetest":    append([]string{"internal/catalog", "internal/catalog/catalogtest", "internal/check", "internal/fault", "internal/jsontree"}, domains...),
	// Prompts use templates, which use the renderer. Prompts implement
	// interfaces of logs and resolve tools.
	"internal/prompt":          append([]string{"internal/fair", "internal/provider", "internal/reqlog", "internal/template", "internal/tool"}, versioned...),
	"internal/template":        {"internal/fault", "internal/jsontree", "internal/template/render"},
	"internal/template/render": {"internal/fault", "internal/jsontree"},
	// Definitions use steps, runs use jobs; the workbench provides the
	// dependencies of steps.
	"internal/step":     {"internal/fault", "internal/jsontree", "internal/secret"}, // to seal credentials
	"internal/job":      {"internal/guard", "internal/access"},
	"internal/workflow": append([]string{"internal/guard", "internal/audit", "internal/job", "internal/plan", "internal/runtrace", "internal/step"}, versioned...),
	"internal/dataset":  {"internal/access", "internal/csvfile", "internal/entity", "internal/fair", "internal/fault", "internal/jsontree", "internal/reqlog", "internal/trace"},
	"internal/eval":     {"internal/guard", "internal/access", "internal/dataset", "internal/entity", "internal/fair", "internal/fault", "internal/job", "internal/jsontree", "internal/plan", "internal/registry", "internal/reqlog", "internal/runtrace", "internal/step"},
	"internal/skill":    versioned,
	// Alerts are about logs, and webhooks are told.
	// A/B tests are compared by their requests.
	"internal/abtest":  {"internal/access", "internal/entity", "internal/fault", "internal/job", "internal/prompt", "internal/reqlog", "internal/webhook"},
	"internal/alert":   {"internal/access", "internal/entity", "internal/fair", "internal/fault", "internal/job", "internal/reqlog", "internal/webhook"},
	"internal/webhook": {"internal/access", "internal/entity", "internal/fault", "internal/guard", "internal/job", "internal/secret"},
	// The network side of webhooks.
	"internal/webhook/send": {"internal/outbound", "internal/webhook"},
	"internal/view":         {"internal/access", "internal/fault", "internal/jsontree"},
	// Prices depend on the usage that providers report.
	"internal/pricing":   {"internal/access", "internal/fault", "internal/jsontree", "internal/provider", "internal/revised"},
	"internal/redact":    {"internal/access", "internal/fault", "internal/jsontree", "internal/revised"},
	"internal/revised":   {},
	"internal/deletion":  {"internal/access", "internal/audit", "internal/fault", "internal/job", "internal/jsontree", "internal/reqlog"},
	"internal/repricing": {"internal/access", "internal/audit", "internal/fault", "internal/job", "internal/jsontree", "internal/pricing", "internal/reqlog"},
	"internal/csvfile":   {},
	// Imports read the calls that other systems have logged as spans and tracked calls
	// are read.
	"internal/importer":        {"internal/access", "internal/audit", "internal/entity", "internal/fault", "internal/guard", "internal/importer/remote", "internal/importer/source", "internal/job", "internal/jsontree", "internal/reqlog", "internal/secret"},
	"internal/importer/remote": {"internal/jsontree", "internal/outbound"},
	// Objects of other servers are stored through the domains whose objects they are.
	"internal/importer/target": {"internal/dataset", "internal/entity", "internal/fault", "internal/folder", "internal/guard", "internal/importer", "internal/importer/remote", "internal/jsontree", "internal/prompt", "internal/registry", "internal/workflow"},
	"internal/importer/source": {"internal/csvfile", "internal/fault", "internal/jsontree", "internal/provider", "internal/reqlog", "internal/trace"},
	// Exports read from the domains; the formats of files know none of them.
	"internal/export":        {"internal/access", "internal/audit", "internal/dataset", "internal/entity", "internal/eval", "internal/fair", "internal/fault", "internal/jsontree", "internal/provider", "internal/reqlog"},
	"internal/export/format": {"internal/guard", "internal/jsontree"},
	"internal/export/target": {"internal/blob"},
	// Saved exports run in the background.
	"internal/exporter": {"internal/access", "internal/audit", "internal/blob", "internal/entity", "internal/export", "internal/fair", "internal/fault", "internal/job", "internal/reqlog", "internal/secret"},
	// The sandbox runs the code of tools.
	"internal/tool":     append([]string{"internal/script"}, versioned...),
	"internal/script":   {"internal/guard", "internal/fair", "internal/fault", "internal/jsontree"},
	"internal/outbound": {"internal/fault"},
	"internal/live":     {"internal/guard", "internal/fault", "internal/rest"},
	// Providers depend neither on the registry nor on logs.
	"internal/provider": {"internal/fault", "internal/jsontree", "internal/outbound"},
	"internal/workbench": {
		"internal/access", "internal/fault", "internal/jsontree", "internal/provider", "internal/outbound", "internal/prompt", "internal/registry", "internal/reqlog",
		"internal/runtrace", "internal/script", "internal/step", "internal/tool",
	},
	// The playground calls models like runs do.
	"internal/playground": {
		"internal/access", "internal/fault", "internal/guard", "internal/jsontree", "internal/provider", "internal/prompt", "internal/reqlog",
	},
	// Engines may share parts.
	"internal/logstore/clickhouse": {"internal/logstore", "internal/provider", "internal/reqlog", "internal/fault", "internal/guard", "internal/jsontree"},
	// The writer of queries runs none.
	"internal/logstore/logsql": {"internal/logstore/document", "internal/provider", "internal/reqlog"},
	"internal/logstore":        {"internal/ascii", "internal/guard", "internal/durable", "internal/provider", "internal/reqlog", "internal/fault", "internal/jsontree"},

	// The network side of the server knows nothing about what is served.
	"internal/edge": {},

	"internal/archtest": {},
	"internal/config":   {"internal/secret"}, // to validate the secret key
	"internal/demo":     {},
	// Demo data is created through the services.
	"internal/demo/registry": {
		"internal/access", "internal/dataset", "internal/demo", "internal/entity", "internal/envvar", "internal/eval", "internal/fault",
		"internal/folder", "internal/jsontree", "internal/prompt", "internal/registry", "internal/skill", "internal/tool", "internal/view", "internal/workflow",
	},
	// Queues refuse tasks in the words of fault.
	"internal/fair":     {"internal/fault"},
	"internal/fault":    {},
	"internal/plan":     {},
	"internal/ascii":    {},
	"internal/guard":    {},
	"internal/jsontree": {},
	// The shape reader reports problems as faults.
	"internal/jsontree/shape": {"internal/fault", "internal/jsontree"},
	// Only tests import these.
	"internal/check":   {"internal/fault", "internal/jsontree"},
	"internal/secret":  {"internal/durable"},
	"internal/durable": {},
	// Where exports and backups are written.
	"internal/blob":          {"internal/durable"},
	"internal/backup":        {"internal/blob", "internal/durable"},
	"internal/blob/blobtest": {"internal/check"},
	"internal/ui":            {},
	"scripts":                {},
	// Tests and benchmarks of the built program, which nothing imports.
	"test": {"internal/demo", "internal/fault", "internal/jsontree", "internal/redact", "internal/reqlog", "internal/trace"},
}

// forbidden lists external packages that a folder must not import.
var forbidden = map[string][]string{
	"internal/reqlog":      {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/access":      {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/entity":      {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/registry":    {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/folder":      {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/variableset": {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/envvar":      {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/audit":       {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/step":        {"net/http", "database/sql", "log/slog", "os"},
	"internal/job":         {"net/http", "database/sql", "os", "github.com"},
	"internal/workflow":    {"net/http", "database/sql", "os", "github.com"},
	"internal/tool":        {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/dataset":     {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/eval":        {"net/http", "database/sql", "os", "github.com"},
	"internal/skill":       {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/trace":       {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/pricing":     {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/redact":      {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/revised":     {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/deletion":    {"net/http", "database/sql", "os", "github.com"},
	"internal/repricing":   {"net/http", "database/sql", "os", "github.com"},
	"internal/importer":    {"net/http", "database/sql", "log/slog", "os"},
	"internal/runtrace":    {"net/http", "database/sql", "os", "github.com"},
	"internal/view":        {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/export":      {"net/http", "database/sql", "log/slog", "os"},
	"internal/playground":  {"net/http", "database/sql", "os", "github.com"},
	"internal/durable":     {"net/http", "database/sql", "github.com"},
	"internal/secret":      {"net/http", "database/sql", "log/slog", "github.com"},
	"internal/prompt":      {"net/http", "database/sql", "log/slog", "os"},
	"internal/fault":       {"net/http", "database/sql", "github.com"},
	"internal/jsontree":    {"net/http", "database/sql", "encoding/json", "github.com"},

	"internal/jsontree/shape": {"net/http", "database/sql", "encoding/json", "github.com"},

	"internal/api":          {"net/http", "database/sql", "os"},
	"internal/api/kit":      {"database/sql", "os"},
	"internal/api/logs":     {"database/sql", "os"},
	"internal/api/registry": {"database/sql", "os"},
	"internal/api/work":     {"database/sql", "os"},
	"internal/api/admin":    {"database/sql", "os"},
	"internal/rest":         {"database/sql", "os"},
	"internal/catalog":      {"net/http"},
	"internal/logstore":     {"net/http"},
	// ClickHouse is spoken to over HTTP.
	"internal/logstore/clickhouse": {"database/sql"},
	"internal/logstore/logsql":     {"net/http", "database/sql", "context"},

	"internal/template":        {"net/http", "database/sql", "log/slog", "os", "github.com"},
	"internal/template/render": {"net/http", "database/sql", "log/slog", "os"},
}

// folderOf returns the entry of allowed that a package belongs to.
func folderOf(pkg string) (folder string, ok bool) {
	for name := range allowed {
		if below(pkg, name) && len(name) > len(folder) {
			folder, ok = name, true
		}
	}
	return folder, ok
}

func TestImports(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		folder, ok := folderOf(s.pkg)
		if !ok {
			t.Errorf("%s is in a folder without import rules", s.name)
			continue
		}
		if s.test {
			continue
		}
		for _, imported := range s.imports {
			inner, own := strings.CutPrefix(imported, module)
			if !own || below(inner, folder) {
				continue
			}
			if !slices.ContainsFunc(allowed[folder], func(other string) bool { return below(inner, other) }) {
				t.Errorf("%s imports %s, which %s must not import", s.name, inner, folder)
			}
		}
	}
}

func TestForeignImports(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		folder, _ := folderOf(s.pkg)
		if s.test {
			continue
		}
		for _, imported := range s.imports {
			if strings.HasPrefix(imported, module) {
				continue
			}
			if slices.ContainsFunc(forbidden[folder], func(other string) bool { return below(imported, other) }) {
				t.Errorf("%s imports %s, which is forbidden in %s", s.name, imported, folder)
			}
		}
	}
}

// TestOnlyCommandsImportApp also applies to tests.
func TestOnlyCommandsImportApp(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, imported := range s.imports {
			inner, own := strings.CutPrefix(imported, module)
			if own && below(inner, "cmd") || below(inner, "internal/app") && !below(s.pkg, "cmd") && !below(s.pkg, "internal/app") {
				t.Errorf("%s imports %s", s.name, inner)
			}
		}
	}
}

// TestOnlyAppOpensStores keeps engines behind their interfaces: only app, the
// commands for the catalog, and tests may import one.
func TestOnlyAppOpensStores(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || below(s.pkg, "internal/app") || below(s.pkg, "internal/logstore") {
			continue
		}
		for _, imported := range s.imports {
			if inner, own := strings.CutPrefix(imported, module); own && below(inner, "internal/logstore") {
				t.Errorf("%s imports %s", s.name, inner)
			}
		}
	}
}
