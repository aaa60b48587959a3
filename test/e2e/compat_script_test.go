package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// step is one request or command of a script. In a file it reads
//
//	### name
//	# as viewer                   the key to send: a saved value, "session" or
//	                              "nobody"; without it, testKey
//	# save id=folder.id           values of the answer to remember as $id
//	# until status SUCCESS        repeat until the member has this value
//	# volatile keys.*.last_used   members that differ from call to call
//	POST /path                    or RUN with the arguments of a command
//
//	{"the": "body"}
//
//	HTTP 201                      in files of answers
//	{"the": "answer"}
type step struct {
	name         string
	options      map[string]string
	method, path string
	body         string
	status       int
	answer       string
}

func readScript(t *testing.T, file string) []*step {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return parseSteps(t, string(text))
}

func parseSteps(t *testing.T, text string) []*step {
	t.Helper()
	var steps []*step
	for part := range strings.SplitSeq("\n"+text, "\n### ") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		s, err := parseStep(part)
		if err != nil {
			t.Fatalf("%q: %v", part, err)
		}
		steps = append(steps, s)
	}
	return steps
}

func parseStep(text string) (*step, error) {
	head, rest, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	s := &step{name: lines[0], options: map[string]string{}}
	for _, line := range lines[1:] {
		if option, ok := strings.CutPrefix(line, "# "); ok {
			key, value, _ := strings.Cut(option, " ")
			s.options[key] = value
			continue
		}
		s.method, s.path, _ = strings.Cut(line, " ")
	}
	if s.method == "" {
		return nil, errors.New("no request")
	}
	body, answer, found := strings.Cut("\n"+rest, "\nHTTP ")
	s.body = strings.TrimSpace(body)
	if !found {
		return s, nil
	}
	status, answer, _ := strings.Cut(answer, "\n")
	s.answer = strings.TrimSpace(answer)
	var err error
	s.status, err = strconv.Atoi(status)
	return s, err
}

func (s *step) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "### %s\n", s.name)
	for _, key := range []string{"as", "volatile"} {
		if value, ok := s.options[key]; ok {
			fmt.Fprintf(&text, "# %s %s\n", key, value)
		}
	}
	fmt.Fprintf(&text, "%s %s\n\n", s.method, s.path)
	if s.body != "" {
		fmt.Fprintf(&text, "%s\n\n", s.body)
	}
	fmt.Fprintf(&text, "HTTP %d\n%s\n\n", s.status, s.answer)
	return text.String()
}

// player runs steps on a data folder. It starts the server at the first
// request, so that earlier commands run on unmodified data.
type player struct {
	setup   setup
	program *program
	saved   map[string]string
	session []*http.Cookie
}

func newPlayer(s setup) *player { return &player{setup: s, saved: map[string]string{}} }

var savedName = regexp.MustCompile(`\$\w+`)

// fill replaces the names of saved values.
func (p *player) fill(t *testing.T, text string) string {
	t.Helper()
	return savedName.ReplaceAllStringFunc(text, func(name string) string {
		value, ok := p.saved[name[1:]]
		if !ok {
			t.Fatalf("no value was saved as %s", name)
		}
		return value
	})
}

// resolve returns the step with names replaced by saved values.
func (p *player) resolve(t *testing.T, s *step) *step {
	t.Helper()
	resolved := *s
	resolved.options = map[string]string{}
	for key, value := range s.options {
		resolved.options[key] = p.fill(t, value)
	}
	resolved.path, resolved.body = p.fill(t, s.path), p.fill(t, s.body)
	return &resolved
}

// play runs a step and records its response. A successful command has the
// status 200.
func (p *player) play(t *testing.T, s *step) {
	t.Helper()
	if s.method == "RUN" {
		r := p.setup.run(t, commandArguments(s.path)...)
		s.status, s.answer = 200+r.code, rows(r.stdout)
		return
	}
	if p.program == nil {
		p.program = p.setup.start(t)
	}
	want, until, waits := strings.Cut(s.options["until"], " ")
	a := p.send(t, s)
	if waits {
		eventually(t, func() error {
			if got := member(t, a.body, want); got != until {
				a = p.send(t, s)
				return fmt.Errorf("%s: %s is %q, want %q: %s", s.name, want, got, until, clip(a.body))
			}
			return nil
		})
	}
	volatile := strings.Fields(s.options["volatile"])
	if a.status >= 400 {
		volatile = append(volatile, "message") // its wording may change
	}
	s.status, s.answer = a.status, strings.TrimSpace(render(t, a.body, volatile))
	if s.options["save"] != "" && a.status < 300 {
		p.save(t, s, a)
	}
}

func (p *player) save(t *testing.T, s *step, a answer) {
	t.Helper()
	for pair := range strings.FieldsSeq(s.options["save"]) {
		name, path, _ := strings.Cut(pair, "=")
		if p.saved[name] = member(t, a.body, path); p.saved[name] == "" {
			t.Fatalf("%s: no %s in %s", s.name, path, clip(a.body))
		}
	}
}

func (p *player) send(t *testing.T, s *step) answer {
	t.Helper()
	request, err := http.NewRequest(s.method, p.program.address+s.path, strings.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	if s.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	p.authenticate(request, s.options["as"])
	a, err := p.program.send(request)
	if err != nil {
		t.Fatal(err)
	}
	if cookies := (&http.Response{Header: a.header}).Cookies(); len(cookies) > 0 {
		p.session = cookies
	}
	return a
}

func (p *player) authenticate(request *http.Request, as string) {
	switch as {
	case "":
		request.Header.Set("X-API-KEY", testKey)
	case "nobody":
	case "session":
		for _, cookie := range p.session {
			request.AddCookie(cookie)
		}
	default:
		request.Header.Set("X-API-KEY", as)
	}
}

// rows returns the rows of a printed table, with one space between columns.
func rows(table string) string {
	var text []string
	for line := range strings.Lines(table) {
		text = append(text, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(text[min(1, len(text)):], "\n")
}

// commandArguments splits a command at spaces outside of single quotes.
func commandArguments(line string) []string {
	var args []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	return args
}

// member returns the text of a member of a JSON response, such as "items.0.id",
// or "".
func member(t *testing.T, body []byte, path string) string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, clip(body))
	}
	for name := range strings.SplitSeq(path, ".") {
		switch parent := value.(type) {
		case map[string]any:
			value = parent[name]
		case []any:
			index, err := strconv.Atoi(name)
			if err != nil || index >= len(parent) {
				return ""
			}
			value = parent[index]
		default:
			return ""
		}
	}
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// render returns JSON with one line per value, members in order and volatile
// values masked. Other texts are returned unchanged.
func render(t *testing.T, body []byte, volatile []string) string {
	t.Helper()
	if !json.Valid(body) {
		return string(body)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	r := &renderer{decoder: decoder, volatile: volatile}
	if err := r.value(nil); err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("%v in %s", err, clip(body))
	}
	return r.text.String()
}

type renderer struct {
	decoder  *json.Decoder
	volatile []string
	text     strings.Builder
}

// value writes the next value as lines of paths and scalars.
func (r *renderer) value(path []string) error {
	token, err := r.decoder.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		return r.members(path, "{}", func(int) (string, error) {
			name, err := r.decoder.Token()
			return fmt.Sprint(name), err
		})
	case json.Delim('['):
		return r.members(path, "[]", func(i int) (string, error) { return strconv.Itoa(i), nil })
	}
	if slices.ContainsFunc(r.volatile, func(pattern string) bool { return matches(pattern, path) }) {
		token = "…"
	}
	text, err := json.Marshal(token)
	if err == nil {
		fmt.Fprintf(&r.text, "%s: %s\n", strings.Join(path, "."), text)
	}
	return err
}

// members writes the members of an object or an array.
func (r *renderer) members(path []string, empty string, name func(int) (string, error)) error {
	count := 0
	for ; r.decoder.More(); count++ {
		next, err := name(count)
		if err == nil {
			err = r.value(append(path[:len(path):len(path)], next))
		}
		if err != nil {
			return err
		}
	}
	if count == 0 {
		fmt.Fprintf(&r.text, "%s: %s\n", strings.Join(path, "."), empty)
	}
	_, err := r.decoder.Token()
	return err
}

// matches reports whether a path matches a pattern, in which * matches one name
// and a leading "**." any number of names.
func matches(pattern string, path []string) bool {
	names := strings.Split(pattern, ".")
	if names[0] == "**" {
		names = names[1:]
		path = path[max(0, len(path)-len(names)):]
	}
	return slices.EqualFunc(names, path, func(name, actual string) bool { return name == "*" || name == actual })
}
