package api_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata/cases")

// TestCases runs the exchanges of every file in testdata/cases, each file
// against its own server. In a file, "### name" starts an exchange:
//
//	### name of the exchange
//	# as away          the caller: home (the default), away or nobody
//	# with log         merge the body into a definition; "$absent" removes a
//	                   member
//	# save first       save the id in the response as $first;
//	                   "v=prompt_version_id" saves another member as $v
//	# later 1h         advance the clock before the exchange
//	# deleted first    delete the entity $first before the exchange
//	# await 200        repeat the exchange until it has this status
//	# until status X   repeat the exchange until the member has this value; dots
//	                   separate the names of nested members
//	# show score tags  compare only these members of a success; items.id is
//	                   the list of the ids of all items
//	POST /log-request
//	Header: value
//
//	{"the": "body"}
//
//	HTTP 201
//	{"the": "response"}
//
// "### define log" names a body instead. With -update the responses are written
// into the files.
func TestCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/cases/*.http")
	check.OK(t, err)
	if len(files) == 0 {
		t.Fatal("there are no cases")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".http"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			check.OK(t, err)
			script := parseScript(t, string(text))
			script.run(t, newWorld(t, settings{maxBody: 1 << 20}))
			if *update {
				check.OK(t, os.WriteFile(file, []byte(script.String()), 0o644))
			}
		})
	}
}

type script struct {
	preface   string
	exchanges []*exchange
	defined   map[string]string
	saved     map[string]int64
}

type exchange struct {
	name    string
	head    string // everything above the response, as in the file
	options map[string]string
	method  string
	path    string
	headers []string
	body    string
	status  int
	answer  string
}

var (
	statusLine  = regexp.MustCompile(`(?m)^HTTP ([0-9]{3})$`)
	requestLine = regexp.MustCompile(`^([A-Z]+) (/\S*)$`)
)

func parseScript(t *testing.T, text string) *script {
	t.Helper()
	s := &script{defined: map[string]string{}, saved: map[string]int64{}}
	parts := strings.Split("\n"+text, "\n### ")
	s.preface = strings.TrimSpace(parts[0])
	names := map[string]bool{}
	for _, part := range parts[1:] {
		x := parseExchange(t, part)
		if names[x.name] {
			t.Fatalf("two exchanges are called %q", x.name)
		}
		names[x.name] = true
		s.exchanges = append(s.exchanges, x)
	}
	return s
}

func parseExchange(t *testing.T, text string) *exchange {
	t.Helper()
	x := &exchange{options: map[string]string{}, head: strings.TrimSpace(text)}
	if at := statusLine.FindStringSubmatchIndex(text); at != nil {
		x.head = strings.TrimSpace(text[:at[0]])
		x.status, _ = strconv.Atoi(text[at[2]:at[3]])
		x.answer = strings.TrimSpace(text[at[1]:])
	}
	name, rest, _ := strings.Cut(x.head, "\n")
	x.name = strings.TrimSpace(name)
	if strings.HasPrefix(x.name, "define ") {
		x.body = rest
		return x
	}
	head, body, _ := strings.Cut(rest, "\n\n")
	x.body = strings.TrimSpace(body)
	for line := range strings.SplitSeq(head, "\n") {
		if option, ok := strings.CutPrefix(line, "# "); ok {
			key, value, _ := strings.Cut(option, " ")
			x.options[key] = value
		} else if found := requestLine.FindStringSubmatch(line); found != nil {
			x.method, x.path = found[1], found[2]
		} else {
			x.headers = append(x.headers, line)
		}
	}
	if x.method == "" {
		t.Fatalf("%s has no request line", x.name)
	}
	return x
}

// String returns the script in the form of a file.
func (s *script) String() string {
	var out strings.Builder
	out.WriteString(s.preface)
	for _, x := range s.exchanges {
		out.WriteString("\n\n### " + x.head)
		if x.status != 0 {
			fmt.Fprintf(&out, "\n\nHTTP %d\n%s", x.status, x.answer)
		}
	}
	return out.String() + "\n"
}

func (s *script) run(t *testing.T, w *world) {
	document := newDocument(t, w)
	for _, x := range s.exchanges {
		if name, ok := strings.CutPrefix(x.name, "define "); ok {
			s.defined[name] = x.body
			continue
		}
		ok := t.Run(x.name, func(t *testing.T) { s.exchange(t, w, document, x) })
		if !ok && x.options["save"] != "" && !*update {
			t.Fatalf("later exchanges need what %q saves", x.name)
		}
	}
}

func (s *script) exchange(t *testing.T, w *world, document *document, x *exchange) {
	who := "home"
	if as, ok := x.options["as"]; ok {
		who = as
	}
	s.prepare(t, w, x)
	body := w.expand(s.fill(s.merge(t, x)))
	path := w.expand(s.fill(x.path))
	got, err := w.send(who, x.method, path, []byte(body), x.headers...)
	check.OK(t, err)
	for end := time.Now().Add(20 * time.Second); !x.awaited(got) && time.Now().Before(end); {
		got, err = w.send(who, x.method, path, []byte(body), x.headers...)
		check.OK(t, err)
	}
	document.checkAnswer(t, x.method, path, got)
	var tree jsontree.Value
	if got.status != http.StatusNoContent {
		tree, err = jsontree.Parse(got.body)
		check.OK(t, err)
	}
	for name := range strings.FieldsSeq(x.options["save"]) {
		s.save(name, tree)
	}
	answer := ""
	if tree.Kind() != jsontree.Absent {
		answer = s.render(tree, "", "", 0)
	}
	if show := x.options["show"]; show != "" && got.status < http.StatusBadRequest {
		answer = s.some(tree, strings.Fields(show))
	}
	if *update {
		x.status, x.answer = got.status, answer
		return
	}
	if got.status != x.status {
		t.Errorf("status = %d, want %d", got.status, x.status)
	}
	if diff := cmp.Diff(strings.Split(x.answer, "\n"), strings.Split(answer, "\n")); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

// awaited reports whether a response is the one that the exchange waits for.
func (x *exchange) awaited(got reply) bool {
	if status := x.options["await"]; status != "" && strconv.Itoa(got.status) != status {
		return false
	}
	key, text, repeated := strings.Cut(x.options["until"], " ")
	if !repeated {
		return true
	}
	tree, err := jsontree.Parse(got.body)
	for name := range strings.SplitSeq(key, ".") {
		tree = tree.Get(name)
	}
	return err == nil && tree.Str() == text
}

// prepare does what must happen before the exchange.
func (s *script) prepare(t *testing.T, w *world, x *exchange) {
	t.Helper()
	if text := x.options["later"]; text != "" {
		by, err := time.ParseDuration(text)
		check.OK(t, err)
		w.clock.Advance(by)
	}
	if name := x.options["deleted"]; name != "" {
		_, err := w.catalog.Entities.SoftDelete(context.Background(), home, []int64{s.saved[name]})
		check.OK(t, err)
	}
}

// merge returns the body merged into the definition that it extends.
func (s *script) merge(t *testing.T, x *exchange) string {
	t.Helper()
	name, ok := x.options["with"]
	if !ok {
		return x.body
	}
	base, err := jsontree.Parse([]byte(s.defined[name]))
	check.OK(t, err)
	text := x.body
	if text == "" {
		text = "{}"
	}
	own, err := jsontree.Parse([]byte(text))
	check.OK(t, err)
	var members []string
	for key, value := range base.Members() {
		if own.Get(key).Kind() == jsontree.Absent {
			members = append(members, strconv.Quote(key)+":"+string(value.Raw()))
		}
	}
	for _, value := range own.Members() {
		if value.Str() != "$absent" {
			members = append(members, string(value.RawKey())+":"+string(value.Raw()))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// fill replaces names by saved ids: "$name" by the number, "$name.text" by a
// string of digits.
func (s *script) fill(text string) string {
	for name, id := range s.saved {
		digits := strconv.FormatInt(id, 10)
		text = strings.ReplaceAll(text, `"$`+name+`.text"`, `"`+digits+`"`)
		text = strings.ReplaceAll(text, `"$`+name+`"`, digits)
		text = regexp.MustCompile(`\$`+name+`\b`).ReplaceAllString(text, digits)
	}
	return text
}

func (s *script) save(name string, answer jsontree.Value) {
	if name, path, ok := strings.Cut(name, "="); ok {
		for key := range strings.SplitSeq(path, ".") {
			answer = member(answer, key)
		}
		s.saved[name], _ = answer.Int()
		return
	}
	for _, key := range []string{"request_id", "id"} {
		if id, ok := answer.Get(key).Int(); ok {
			s.saved[name] = id
		}
	}
}

// member returns the member of an object, or the element of a list at the
// index in key.
func member(v jsontree.Value, key string) jsontree.Value {
	for i, element := range v.Elems() {
		if strconv.Itoa(i) == key {
			return element
		}
	}
	return v.Get(key)
}
