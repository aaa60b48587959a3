package live_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/live"
)

// moved returns a clock with an offset.
func moved(by time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(by) }
}

func TestBadTokens(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	s := serve(t, live.Options{Messages: d})
	other := serve(t, live.Options{Messages: d, Key: bytes.Repeat([]byte{2}, 32)})
	past := serve(t, live.Options{Messages: d, Clock: moved(-time.Hour)})
	good := s.Token(home, channel).Token
	said, proof, _ := strings.Cut(good, ".")
	elsewhere, _, _ := strings.Cut(s.Token(away, channel).Token, ".")
	cases := map[string]string{
		"foreign token":         "eyJhbGciOiJub25lIn0.e30.",
		"dot":                   ".",
		"without signature":     said,
		"empty signature":       said + ".",
		"other signature":       said + "." + strings.Repeat("A", len(proof)),
		"other content":         elsewhere + "." + proof,
		"additional part":       good + ".x",
		"other encoding":        good + "=",
		"signed by another key": other.Token(home, channel).Token,
		"expired":               past.Token(home, channel).Token,
		"long":                  strings.Repeat("A", 5000),
		"not ASCII":             "\u2028\x00é." + proof,
	}
	for name, token := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := s.dial(t).do("connect", map[string]any{"token": token}); r.code() != 109 {
				t.Errorf("connect: %+v, want error 109", r)
			}
		})
	}
}

func TestTokenIsValidUntilExpiry(t *testing.T) {
	t.Parallel()
	d := newDesk()
	s := serve(t, live.Options{Messages: d})
	earlier := serve(t, live.Options{Messages: d, Clock: moved(-59 * time.Minute)})
	if r := s.dial(t).do("connect", map[string]any{"token": earlier.Token(home, "a").Token}); r.Connect == nil {
		t.Errorf("connect: %+v", r)
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	s := serve(t, live.Options{Messages: newDesk(), Clock: func() time.Time { return now }})
	got := s.Token(home, "a b")
	if got.Token == "" {
		t.Error("the token is empty")
	}
	got.Token = ""
	want := live.Token{
		Issued: now, Expires: now.Add(time.Hour), ClientID: "workspace-7", Capability: map[string][]string{"a b": {"subscribe"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("token (-want +got):\n%s", diff)
	}
	if r := s.connect(t, home, "a b").subscribe("a b"); r.code() != 102 { // the whole name was preserved
		t.Errorf("subscribe: %+v, want error 102", r)
	}
}

func TestClosesInvalidConnections(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk()})
	good := s.Token(home, "a").Token
	cases := []struct {
		name   string
		frames []string
		code   int
	}{
		{"no token", []string{`{"id":1,"connect":{}}`}, 3500},
		{"not connected", []string{`{"id":1,"subscribe":{"channel":"a"}}`}, 3501},
		{"no JSON", []string{`{`}, 3501},
		{"empty", []string{``}, 3501},
		{"deep", []string{strings.Repeat("[", 4000)}, 3501},
		{"two tokens", []string{`{"id":1,"connect":{"token":"` + good + `"}}`, `{"id":2,"connect":{"token":"` + good + `"}}`}, 3501},
		{"message", []string{`{"id":1,"connect":{"token":"` + good + `"}}`, `{"send":{"data":{}}}`}, 3508},
		{"pong without ping", []string{`{"id":1,"connect":{"token":"` + good + `"}}`, `{}`}, 3501},
		{"too large", []string{`{"id":1,"connect":{"token":"` + strings.Repeat("A", 10_000) + `"}}`}, websocket.CloseMessageTooBig},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			far := s.dial(t)
			for _, frame := range c.frames {
				check.OK(t, far.conn.WriteMessage(websocket.TextMessage, []byte(frame)))
			}
			if code := far.closed(); code != c.code {
				t.Errorf("close code = %d, want %d", code, c.code)
			}
		})
	}
}

func TestRejectsCommands(t *testing.T) {
	t.Parallel()
	const channel, foreign = "workflow_updates:42", "workflow_updates:43"
	d := newDesk()
	d.set(home, channel, "")
	d.set(home, foreign, message("foreign"))
	d.set(away, "workflow_updates:44", message("theirs"))
	s := serve(t, live.Options{Messages: d})
	type arguments map[string]any
	cases := []struct {
		name, channel, method string
		arguments             arguments
		code                  int
	}{
		{"channel of another token", channel, "subscribe", arguments{"channel": foreign}, 103},
		{"other case", channel, "subscribe", arguments{"channel": strings.ToUpper(channel)}, 103},
		{"channel of another workspace", "workflow_updates:44", "subscribe", arguments{"channel": "workflow_updates:44"}, 102},
		{"unknown channel", "news", "subscribe", arguments{"channel": "news"}, 102},
		{"very long name", channel, "subscribe", arguments{"channel": strings.Repeat("a", 3000)}, 107},
		{"publication", channel, "publish", arguments{"channel": channel, "data": arguments{}}, 108},
		{"presence", channel, "presence", arguments{"channel": channel}, 108},
		{"history", channel, "history", arguments{"channel": channel}, 108},
		{"call", channel, "rpc", arguments{"method": "a"}, 108},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			far := s.connect(t, home, c.channel)
			if c.channel == channel {
				far.subscribe(channel)
			}
			if r := far.do(c.method, c.arguments); r.code() != c.code {
				t.Errorf("reply = %+v, want error %d", r, c.code)
			}
		})
	}
}

func TestRejectsSecondSubscription(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, "")
	s := serve(t, live.Options{Messages: d})
	c := s.connect(t, home, channel)
	c.subscribe(channel)
	if r := c.subscribe(channel); r.code() != 105 {
		t.Errorf("reply = %+v, want error 105", r)
	}
	d.set(home, channel, message("done"))
	s.Ended(home, channel)
	c.expect(channel, message("done"))
}

func TestInternalErrorsAreTemporary(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, message("done"))
	s := serve(t, live.Options{Messages: d})
	c := s.connect(t, home, channel)
	for _, broken := range []bool{false, true} {
		d.change(errors.New("store unavailable"), broken)
		if r := c.subscribe(channel); r.code() != 100 || !r.Error.Temporary {
			t.Errorf("reply = %+v, want the temporary error 100", r)
		}
	}
	d.change(nil, false)
	c.subscribe(channel)
	c.expect(channel, message("done"))
}

func TestRejectsPlainRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk()})
	answer, err := http.Get(s.url)
	check.OK(t, err)
	body, err := io.ReadAll(answer.Body)
	check.OK(t, err)
	check.OK(t, answer.Body.Close())
	want := `{"success":false,"message":"This address accepts only WebSocket connections","error":"bad_request"}`
	if diff := cmp.Diff([]any{http.StatusBadRequest, want}, []any{answer.StatusCode, string(body)}); diff != "" {
		t.Errorf("response (-want +got):\n%s", diff)
	}
}

func TestRejectsOptions(t *testing.T) {
	t.Parallel()
	cases := map[string]live.Options{
		"no messages":          {Key: key},
		"short key":            {Key: key[1:], Messages: newDesk()},
		"negative poll":        {Key: key, Messages: newDesk(), Poll: -1},
		"negative connections": {Key: key, Messages: newDesk(), Connections: -1},
	}
	for name, options := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := live.New(options); err == nil {
				t.Error("New succeeded, want an error")
			}
		})
	}
}
