package e2e

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	t.Parallel()
	got := setup{}.run(t, "version").must(t)
	want := regexp.MustCompile(`^promptuary \S+\nSQLite \d+\.\d+\S*\nDuckDB v\d+\.\d+\S*\ngo\S+ \w+/\w+\n$`)
	if !want.MatchString(got) {
		t.Errorf("version printed\n%swant lines that match %s", got, want)
	}
}

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConfigurationErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		env  []string
		file string // content of a config file
		want string
	}{
		{name: "unknown command", args: []string{"sreve"}, want: "sreve"},
		{name: "unknown flag", args: []string{"serve", "--colour", "red"}, want: "--colour"},
		{name: "argument where none is taken", args: []string{"serve", "now"}, want: "now"},
		{name: "flag that is no number", args: []string{"serve", "--queue-logs", "many"}, want: "option --queue-logs: must be a whole number"},
		{name: "flag that is no size", args: []string{"serve", "--max-body", "big"}, want: "option --max-body: must be a size"},
		{name: "flag that is no duration", args: []string{"serve", "--drain-timeout", "soon"}, want: "option --drain-timeout: must be a duration"},
		{name: "impossible value", args: []string{"serve", "--queue-logs", "0"}, want: "option queue-logs must be at least 1"},
		{name: "impossible address", args: []string{"serve", "--addr", "localhost"}, want: "option addr must be host:port"},
		{name: "unknown catalog", args: []string{"serve", "--catalog", "mysql://"}, want: "option catalog must be"},
		{name: "unknown log store", args: []string{"serve", "--logs", "tape"}, want: "option logs must be"},
		{name: "owner without an address", args: []string{"serve", "--owner-email", "ann"}, want: "option owner-email must be an email address"},
		{name: "unknown log level", args: []string{"serve", "--log-level", "chatty"}, want: "option log-level must be"},
		{name: "flag of another command", args: []string{"key", "list", "--addr", "127.0.0.1:0"}, want: "unknown flag: --addr"},
		{name: "no flag for secrets", args: []string{"serve", "--api-key", testKey}, want: "--api-key"},
		{name: "unknown variable", args: []string{"serve"}, env: []string{"PROMPTUARY_COLOUR=red"}, want: "PROMPTUARY_COLOUR"},
		{name: "impossible variable", args: []string{"serve"}, env: []string{"PROMPTUARY_SEARCH_LIMIT=some"}, want: "PROMPTUARY_SEARCH_LIMIT: must be a whole number"},
		{name: "key without its prefix", args: []string{"serve"}, env: []string{"PROMPTUARY_API_KEY=secret-secret"}, want: "option api-key must start with pl_"},
		{name: "no such file", args: []string{"serve", "--config", "/no/such/file.yaml"}, want: "/no/such/file.yaml does not exist"},
		{name: "file that is no YAML", args: []string{"serve"}, file: "addr: [", want: "config.yaml"},
		{name: "file with an unknown option", args: []string{"serve"}, file: "colour: red", want: `config.yaml: unknown option "colour"`},
		{name: "file with an impossible value", args: []string{"serve"}, file: "queue-bytes: lots", want: `config.yaml: option "queue-bytes": must be a size`},
		{name: "file with a list", args: []string{"serve"}, file: "addr: [a, b]", want: `option "addr" must be a single value`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := setup{env: test.env}
			args := test.args
			if test.file != "" {
				args = append(args, "--config", writeFile(t, "config.yaml", test.file))
			}
			got := s.run(t, args...)
			if err := checkRefused(got, test.want); err != nil {
				t.Error(err)
			}
			if strings.Count(got.stderr, "option ") > 1 {
				t.Errorf("an error is reported twice: %s", got.stderr)
			}
			if strings.Contains(got.stderr, "secret-secret") {
				t.Errorf("the message contains the secret: %s", got.stderr)
			}
		})
	}
}

// TestConfigurationPrecedence distinguishes the sources by their maximum body
// size: 1, 2 or 4 KB.
func TestConfigurationPrecedence(t *testing.T) {
	t.Parallel()
	const file, env, flag = "max-body: 1KB\nlog-format: json\n", "PROMPTUARY_MAX_BODY=2KB", "4KB"
	tests := []struct {
		name    string
		setup   setup
		allowed int // KB
	}{
		{"file", setup{}, 1},
		{"variable over file", setup{env: []string{env}}, 2},
		{"flag over variable", setup{env: []string{env}, args: []string{"--max-body", flag}}, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := test.setup
			s.data = t.TempDir()
			s.env = append(s.env, "PROMPTUARY_CONFIG="+writeFile(t, "config.yaml", file))
			p := s.start(t)
			for _, size := range []int{1, 2, 4} {
				want := http.StatusOK
				if size > test.allowed {
					want = http.StatusRequestEntityTooLarge
				}
				p.post(t, searchPath, object{"q": strings.Repeat(" ", size<<10-10)}, want)
			}
			p.stop()
			if !strings.HasPrefix(p.stderr.String(), "{") {
				t.Errorf("the server logs %q, want JSON as configured in the file", p.stderr)
			}
		})
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	first := start(t, data)
	for _, command := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"demo", "--n", "1"}} {
		got := setup{data: data}.run(t, command...)
		if err := checkRefused(got, "data folder "+data+" is in use by another promptuary process"); err != nil {
			t.Errorf("%s: %v", command[0], err)
		}
	}
	id := first.log(t, entry{word: "zqfirst1", tokens: 1})
	if err := first.checkStored(entry{word: "zqfirst1", tokens: 1}, id); err != nil {
		t.Errorf("the first process no longer works: %v", err)
	}
	first.stop()
	start(t, data) // the lock is released with its process
}

func TestAddressInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	s := setup{data: t.TempDir(), noKey: true}
	for _, flag := range []string{"--addr", "--metrics-addr", "--otlp-grpc-addr"} {
		got := s.run(t, "serve", "--addr", "127.0.0.1:0", flag, listener.Addr().String())
		if err := checkRefused(got, "listen on "+listener.Addr().String()); err != nil {
			t.Errorf("%s: %v", flag, err)
		}
	}
	// Nothing was created that only a start that serves can show.
	p := s.start(t)
	waitGreeting(t, p, 2)
	token := p.printedLink(t)
	if !printedKey.MatchString(p.stdout.String()) {
		t.Errorf("no key was printed:\n%s", p.stdout)
	}
	p.signIn(t, object{"token": token}, http.StatusOK)
}
