package outbound

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const loopback = "127.0.0.0/8, ::1"

// reason returns the reason of a failed call.
func reason(t *testing.T, err error) Reason {
	t.Helper()
	var own *Error
	if !errors.As(err, &own) {
		t.Fatalf("got %v, want an Error", err)
	}
	return own.Reason
}

func TestAllowedTargets(t *testing.T) {
	t.Parallel()
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Seen", r.Header.Get("X-Api-Key"))
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.Copy(w, r.Body)
	}))
	for name, test := range map[string]struct {
		allow, host string
		ok          bool
	}{
		"range":                      {"127.0.0.0/8", "127.0.0.1", true},
		"address":                    {"127.0.0.2", "127.0.0.2", true},
		"its neighbour":              {"127.0.0.2", "127.0.0.1", false},
		"name by address":            {loopback, "models.example.com", true},
		"name":                       {"models.example.com", "models.example.com", true},
		"name in other case":         {"Models.Example.Com.", "MODELS.example.com", true},
		"name with dot":              {"models.example.com", "models.example.com.", true},
		"another name":               {"models.example.com", "example.com", false},
		"name below":                 {"example.com", "models.example.com", false},
		"the address of a name":      {"models.example.com", "127.0.0.1", false},
		"localhost by name":          {"localhost", "localhost", true},
		"localhost by range":         {loopback, "localhost", true},
		"everything":                 {"all", "127.0.0.1", true},
		"mapped, by the plain range": {"127.0.0.0/8", "[::ffff:127.0.0.1]", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, Options{Allow: allow(t, test.allow)})
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+test.host+":"+server.port, strings.NewReader("hello"))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Api-Key", "k")
			answer, err := c.Do(t.Context(), r)
			if !test.ok {
				if reason(t, err) != Refused {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || answer.Status != http.StatusTeapot || string(answer.Body) != "hello" || answer.Header.Get("X-Seen") != "k" {
				t.Errorf("got %d %q: %v", answer.Status, answer.Body, err)
			}
		})
	}
}

// TestMetadataNeedsItsOwnEntry checks only the rules and sends nothing.
func TestMetadataNeedsItsOwnEntry(t *testing.T) {
	t.Parallel()
	address := netip.MustParseAddr("169.254.169.254")
	for text, want := range map[string]bool{
		"all": false, "169.254.0.0/16": false, "metadata.internal": false, "169.254.169.254": true, "169.254.169.254/32": true,
	} {
		if got := allow(t, text).address(address, text == "metadata.internal"); got != want {
			t.Errorf("%s: got %t", text, got)
		}
	}
}

func TestParseAllowed(t *testing.T) {
	t.Parallel()
	got := allow(t, " 10.1.2.3/8,127.0.0.1 ,[::1],, Models.Internal. ,bücher.example")
	want := Allowed{
		Ranges: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128")},
		Hosts:  []string{"models.internal", "xn--bcher-kva.example"},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"10.0.0.0/33", "127.1", "0x7f000001", "http://a", "a:80", "*.example.com", "a b", "host/path"} {
		if got, err := ParseAllowed(text); err == nil {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}

func TestRebinding(t *testing.T) {
	t.Parallel()
	server := listen(t, http.NotFoundHandler())
	known, resolver := serveNames(t)
	c := newClient(t, Options{Allow: allow(t, "127.0.0.2"), Resolver: resolver})
	known.set("moving.example.com", "127.0.0.2")
	address := "http://moving.example.com:" + server.port
	if _, err := get(t, c, address); err != nil {
		t.Fatal(err)
	}
	c.Close()
	known.set("moving.example.com", "127.0.0.1")
	if _, err := get(t, c, address); reason(t, err) != Refused {
		t.Errorf("got %v", err)
	}
	if n := server.connections.Load(); n != 1 {
		t.Errorf("server got %d connections, want 0", n)
	}
	known.set("gone.example.com")
	if _, err := get(t, c, "http://gone.example.com"); reason(t, err) != Unreachable {
		t.Errorf("got %v", err)
	}
}

func TestIgnoresProxies(t *testing.T) {
	server := listen(t, http.NotFoundHandler())
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:"+server.port)
	}
	known, resolver := serveNames(t)
	known.set("gone.example.com")
	c := newClient(t, Options{Allow: allow(t, loopback), Resolver: resolver})
	if _, err := get(t, c, "http://gone.example.com"); err == nil {
		t.Error("no error")
	}
	if n := server.connections.Load(); n != 0 {
		t.Errorf("proxy got %d connections, want 0", n)
	}
}

func TestTruncatesLargeResponses(t *testing.T) {
	t.Parallel()
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/fits":
			_, _ = io.WriteString(w, strings.Repeat("a", 1000))
		case "/one-more":
			_, _ = io.WriteString(w, strings.Repeat("a", 1001))
		case "/endless":
			for err := error(nil); err == nil; {
				_, err = io.WriteString(w, strings.Repeat("a", 1000))
			}
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, strings.Repeat("a", 1<<20))
			_ = z.Close()
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("a", 2*maxHeader))
		}
	}))
	c := newClient(t, Options{Allow: allow(t, loopback), MaxBytes: 1000})
	base := "http://127.0.0.1:" + server.port
	if answer, err := get(t, c, base+"/fits"); err != nil || len(answer.Body) != 1000 {
		t.Errorf("got %d bytes: %v", len(answer.Body), err)
	}
	for _, path := range []string{"/one-more", "/endless", "/packed"} {
		answer, err := get(t, c, base+path)
		if reason(t, err) != TooLarge || err.Error() != "the answer has more than 1000 bytes" || len(answer.Body) != 1000 || answer.Status != 200 {
			t.Errorf("%s: got %d bytes: %v", path, len(answer.Body), err)
		}
	}
	if _, err := get(t, c, base+"/header"); reason(t, err) != Unreachable {
		t.Errorf("got %v", err)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			_, _ = io.WriteString(w, "begun")
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	}))
	c := newClient(t, Options{Allow: allow(t, loopback), Timeout: 50 * time.Millisecond})
	for _, path := range []string{"/header", "/body"} {
		if _, err := get(t, c, "http://127.0.0.1:"+server.port+path); reason(t, err) != TimedOut {
			t.Errorf("%s: got %v", path, err)
		}
	}
	patient := newClient(t, Options{Allow: allow(t, loopback)})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+server.port, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := patient.Do(short, r); reason(t, err) != TimedOut {
		t.Errorf("got %v", err)
	}
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := patient.Do(given, r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestErrorsHideResponses calls a server that does not speak HTTP.
func TestErrorsHideResponses(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = fmt.Fprint(conn, "SSH-2.0-hush\r\n")
			_ = conn.Close()
		}
	}()
	c := newClient(t, Options{Allow: allow(t, loopback)})
	_, err = get(t, c, "http://user.example.com:"+listener.Addr().String()[len("127.0.0.1:"):]+"/?key=hush")
	if reason(t, err) != Unreachable || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("got %v", err)
	}
	encrypted := httptest.NewUnstartedServer(http.NotFoundHandler())
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0)
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	if _, err := get(t, c, encrypted.URL); reason(t, err) != Unreachable || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("got %v", err)
	}
}

func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) }))
	c := newClient(t, Options{Allow: allow(t, loopback)})
	var calls sync.WaitGroup
	for i := range 50 {
		calls.Go(func() {
			path := fmt.Sprint("/", i)
			if answer, err := get(t, c, "http://127.0.0.1:"+server.port+path); err != nil || string(answer.Body) != path {
				t.Errorf("%s: got %q: %v", path, answer.Body, err)
			}
		})
	}
	calls.Wait()
}
