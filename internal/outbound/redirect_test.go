package outbound

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRedirectsToClosedTargets starts at an allowed address, 127.0.0.2.
func TestRedirectsToClosedTargets(t *testing.T) {
	t.Parallel()
	inner := listen(t, http.NotFoundHandler())
	var location string
	outer := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", location)
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	c := newClient(t, Options{Allow: allow(t, "127.0.0.2")})
	for name, to := range map[string]string{
		"loopback": "http://127.0.0.1:PORT/", "name": "http://inner.example.com:PORT/", "same host, other address": "//127.0.0.1:PORT/",
		"localhost": "http://localhost:PORT/", "IPv6": "http://[::1]:PORT/", "decimal": "http://2130706433:PORT/", "user": "http://a:b@127.0.0.2:PORT/",
		"file": "file:///etc/passwd", "gopher": "gopher://127.0.0.2:PORT/", "metadata": "http://169.254.169.254/", "script": "javascript:alert(1)",
	} {
		location = strings.ReplaceAll(to, "PORT", inner.port)
		_, err := get(t, c, "http://127.0.0.2:"+outer.port)
		if reason(t, err) != Refused {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if n := inner.connections.Load(); n != 0 {
		t.Errorf("server got %d connections, want 0", n)
	}
	location = "http://127.0.0.2:" + inner.port
	if answer, err := get(t, c, "http://127.0.0.2:"+outer.port); err != nil || answer.Status != http.StatusNotFound {
		t.Errorf("an allowed redirect: got %d, %v", answer.Status, err)
	}
}

func TestRedirectsDropSecrets(t *testing.T) {
	t.Parallel()
	type seen struct{ Path, Key, Authorization, Cookie, Custom, Referer, Agent, Body string }
	var got []seen
	var base, other string
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h := r.Header
		got = append(got, seen{r.Host + r.URL.Path, h.Get("X-Api-Key"), h.Get("Authorization"), h.Get("Cookie"), h.Get("My-Token"), h.Get("Referer"), h.Get("User-Agent"), string(body)})
		switch r.URL.Path {
		case "/1":
			http.Redirect(w, r, "/2?key=k", http.StatusPermanentRedirect)
		case "/2":
			http.Redirect(w, r, other+"/3", http.StatusPermanentRedirect)
		case "/3":
			http.Redirect(w, r, base+"/4", http.StatusPermanentRedirect)
		}
	}))
	base, other = "http://127.0.0.1:"+server.port, "http://127.0.0.2:"+server.port
	c := newClient(t, Options{Allow: allow(t, loopback)})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/1", strings.NewReader("b"))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"X-API-KEY": "k", "Authorization": "a", "Cookie": "c", "My-Token": "m", "User-Agent": "u"} {
		r.Header.Set(name, value)
	}
	if _, err := c.Do(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	own, foreign := strings.TrimPrefix(base, "http://"), strings.TrimPrefix(other, "http://")
	want := []seen{
		{own + "/1", "k", "a", "c", "m", "", "u", "b"},
		{own + "/2", "k", "a", "c", "m", "", "u", "b"},
		{foreign + "/3", "", "", "", "", "", "u", "b"},
		{own + "/4", "", "", "", "", "", "u", "b"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRedirectLimit(t *testing.T) {
	t.Parallel()
	calls := 0
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		http.Redirect(w, r, "/", http.StatusFound)
	}))
	for limit, want := range map[int]int{0: 1 + defaultRedirects, 2: 3, -1: 1} {
		calls = 0
		c := newClient(t, Options{Allow: allow(t, loopback), MaxRedirects: limit})
		if _, err := get(t, c, "http://127.0.0.1:"+server.port); reason(t, err) != Refused || calls != want {
			t.Errorf("%d redirects: %d calls, %v", limit, calls, err)
		}
	}
}

func TestRejectsRedirectsToPlainHTTP(t *testing.T) {
	t.Parallel()
	inner := listen(t, http.NotFoundHandler())
	outer := httptest.NewTLSServer(http.RedirectHandler("http://127.0.0.1:"+inner.port, http.StatusFound))
	t.Cleanup(outer.Close)
	c := newClient(t, Options{Allow: allow(t, loopback)})
	c.transport.TLSClientConfig = outer.Client().Transport.(*http.Transport).TLSClientConfig
	if _, err := get(t, c, outer.URL); reason(t, err) != Refused || !strings.Contains(err.Error(), "encryption") {
		t.Errorf("got %v", err)
	}
	if n := inner.connections.Load(); n != 0 {
		t.Errorf("server got %d connections, want 0", n)
	}
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	same := [][2]string{{"http://a.example", "https://A.example"}, {"http://a.example:80", "https://a.example.:443"}, {"http://a.example:1/x", "http://a.example:1/y"}}
	for _, pair := range same {
		if a, b := originOf(t, pair[0]), originOf(t, pair[1]); a != b {
			t.Errorf("%s is not %s", a, b)
		}
	}
	for _, pair := range [][2]string{{"http://a.example", "http://b.a.example"}, {"http://a.example:1", "http://a.example:2"}, {"http://a.example", "http://a.example:443"}} {
		if a, b := originOf(t, pair[0]), originOf(t, pair[1]); a == b {
			t.Errorf("%s is %s", pair[0], pair[1])
		}
	}
}

func originOf(t *testing.T, text string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, text, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return origin(r.URL)
}
