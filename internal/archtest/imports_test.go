package archtest

import (
	"slices"
	"strings"
	"testing"
)

// layers lists folders from the bottom up: a package may import packages of its own
// layer and of those below. The longest folder that contains a package decides.
var layers = []struct {
	name    string
	folders []string
}{
	{"base: knows nothing of the product", []string{
		"internal/archtest", "internal/ascii", "internal/backup", "internal/blob", "internal/check", "internal/config", "internal/csvfile",
		"internal/durable", "internal/edge", "internal/export/format", "internal/export/target", "internal/fair", "internal/fault",
		"internal/guard", "internal/importer/remote", "internal/jsontree", "internal/otlpgrpc", "internal/outbound", "internal/plan",
		"internal/revised", "internal/script", "internal/secret", "internal/ui", "scripts",
	}},
	{"shared: who may do what, what is managed, and how models are called", []string{
		"internal/access", "internal/audit", "internal/entity", "internal/job",
		"internal/provider", "internal/registry", "internal/step", "internal/template",
	}},
	{"logs: requests and spans", []string{
		"internal/demo", "internal/pricing", "internal/redact", "internal/reqlog", "internal/runtrace", "internal/trace",
	}},
	{"work: what people do with requests and models", []string{
		"internal/abtest", "internal/alert", "internal/dataset", "internal/deletion", "internal/demo/registry", "internal/envvar", "internal/eval",
		"internal/export", "internal/exporter", "internal/folder", "internal/importer", "internal/playground", "internal/prompt",
		"internal/repricing", "internal/skill", "internal/tool", "internal/variableset", "internal/view", "internal/webhook",
		"internal/workbench", "internal/workflow",
	}},
	{"edges: stores below the rules' interfaces, and the API above the rules", []string{
		"internal/api", "internal/catalog", "internal/live", "internal/logstore", "internal/rest",
	}},
	{"program", []string{"internal/app"}},
	{"commands and tests of the built program", []string{"cmd", "test"}},
}

// layerOf returns the index of the layer of a package, or -1.
func layerOf(pkg string) int {
	layer, longest := -1, 0
	for i, l := range layers {
		for _, folder := range l.folders {
			if below(pkg, folder) && len(folder) > longest {
				layer, longest = i, len(folder)
			}
		}
	}
	return layer
}

// The layers that contain the rules of the product.
const shared, work = 1, 3

// rules matches the packages that contain rules.
func rules(pkg string) bool {
	layer := layerOf(pkg)
	return layer >= shared && layer <= work
}

// in matches the packages below any of the folders.
func in(folders ...string) func(string) bool {
	return func(pkg string) bool {
		return slices.ContainsFunc(folders, func(folder string) bool { return below(pkg, folder) })
	}
}

// never is a prohibition: no package in from imports one of the packages in to.
// Packages of this module are named from its root.
type never struct {
	why      string
	from, to func(string) bool
	// except lists packages in from that may, with the reason.
	except map[string]string
}

// siblings returns prohibitions that keep the folders apart.
func siblings(why string, folders ...string) (list []never) {
	for i, folder := range folders {
		others := slices.Delete(slices.Clone(folders), i, i+1)
		list = append(list, never{why: why, from: in(folder), to: in(others...)})
	}
	return list
}

// foreign matches packages that are neither of this module nor of the standard
// library, nor one of its extensions.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && !below(path, "golang.org/x")
}

var nevers = slices.Concat([]never{
	{
		why: "rules depend neither on HTTP nor on SQL nor on files", from: rules, to: in("net/http", "database/sql", "os"),
		except: map[string]string{
			"internal/provider":              "the calls of providers are HTTP",
			"internal/provider/anthropic":    "the calls of providers are HTTP",
			"internal/provider/client":       "the calls of providers are HTTP",
			"internal/provider/google":       "the calls of providers are HTTP",
			"internal/provider/openai":       "the calls of providers are HTTP",
			"internal/provider/providertest": "it stands in for a provider",
			"internal/webhook/send":          "deliveries are HTTP",
			"internal/workbench":             "steps call addresses",
		},
	},
	{
		why: "rules are this project's own code", from: rules, to: foreign,
		except: map[string]string{
			"internal/importer":              "files are compressed",
			"internal/importer/source":       "files are compressed",
			"internal/provider/providertest": "it compares",
			"internal/step":                  "steps evaluate JSONPath, XPath and regular expressions of other languages",
			"internal/trace":                 "OpenTelemetry's protocol",
		},
	},
	{why: "the API reaches stores through the rules", from: in("internal/api", "internal/rest", "internal/live"), to: in("internal/catalog", "internal/logstore", "database/sql", "os")},
	{why: "stores know no HTTP API", from: in("internal/catalog", "internal/logstore"), to: in("internal/api", "internal/rest", "internal/live")},
	{why: "the stores are independent of each other", from: in("internal/catalog"), to: in("internal/logstore", "net/http")},
	{why: "the stores are independent of each other", from: in("internal/logstore"), to: in("internal/catalog")},
	{why: "the embedded engine works without a network", from: in("internal/logstore/embedded"), to: in("net/http")},
	{why: "engines do not use each other", from: in("internal/logstore/embedded"), to: in("internal/logstore/clickhouse")},
	{why: "engines do not use each other", from: in("internal/logstore/clickhouse"), to: in("internal/logstore/embedded")},
	{why: "the writer of queries runs none", from: in("internal/logstore/logsql"), to: in("net/http", "database/sql", "context")},
	{why: "the tree keeps the bytes that it was parsed from", from: in("internal/jsontree"), to: in("encoding/json")},
	{why: "only commands use the assembled program", from: func(pkg string) bool { return !in("internal/app", "cmd")(pkg) }, to: in("internal/app")},
	{why: "commands are the top", from: func(string) bool { return true }, to: in("cmd")},
	{
		why:  "the program does not contain test code",
		from: func(pkg string) bool { return !forTests(pkg) && !below(pkg, "test") }, to: forTests,
	},
},
	siblings("families share the kit", families()...),
)

// families returns the folders of the families of operations: those below
// internal/api that others of them do not share.
func families() (list []string) {
	all, _ := readAll() // TestImports reports the error
	for _, s := range all {
		if rest, ok := strings.CutPrefix(s.pkg, "internal/api/"); ok && rest != "kit" && !strings.Contains(rest, "/") && !slices.Contains(list, s.pkg) {
			list = append(list, s.pkg)
		}
	}
	return list
}

// TestImports checks that imports only go down the layers, and the prohibitions.
// Tests may import anything but the program.
func TestImports(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, s := range sources(t) {
		layer := layerOf(s.pkg)
		if layer < 0 {
			t.Errorf("%s is in no layer", s.pkg)
		}
		if s.test {
			continue
		}
		for _, path := range s.imports {
			path, own := strings.CutPrefix(path, module)
			if own && layerOf(path) > layer && !forTests(s.pkg) {
				t.Errorf("%s imports %s of a layer above", s.name, path)
			}
			for i, rule := range nevers {
				switch {
				case !rule.from(s.pkg) || !rule.to(path):
				case rule.except[s.pkg] != "":
					used[key(i, s.pkg)] = true
				default:
					t.Errorf("%s imports %s: %s", s.name, path, rule.why)
				}
			}
		}
	}
	for i, rule := range nevers {
		for pkg := range rule.except {
			if !used[key(i, pkg)] {
				t.Errorf("%s is excepted from %q without need", pkg, rule.why)
			}
		}
	}
}

func key(rule int, pkg string) string { return string(rune('a'+rule)) + pkg }

// TestTestsUseNoProgram checks that tests other than its own do not import the program.
func TestTestsUseNoProgram(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, path := range s.imports {
			if inner, own := strings.CutPrefix(path, module); s.test && own && below(inner, "internal/app") && !in("cmd", "internal/app")(s.pkg) {
				t.Errorf("%s imports %s", s.name, inner)
			}
		}
	}
}
