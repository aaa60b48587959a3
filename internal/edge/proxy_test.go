package edge_test

import (
	"net/http/httptest"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/edge"
)

func TestClient(t *testing.T) {
	t.Parallel()
	const proxies = "10.0.0.0/8, ::1,192.0.2.7"
	for name, test := range map[string]struct {
		trusted, peer string
		forwarded     []string
		want          string
	}{
		"direct":                         {"", "203.0.113.5:1234", nil, "203.0.113.5"},
		"header of an untrusted peer":    {proxies, "203.0.113.5:1234", []string{"198.51.100.1"}, "203.0.113.5"},
		"no proxy is trusted":            {"", "10.0.0.1:1234", []string{"198.51.100.1"}, "10.0.0.1"},
		"through a proxy":                {proxies, "10.0.0.1:1234", []string{"198.51.100.1"}, "198.51.100.1"},
		"forged beginning":               {proxies, "10.0.0.1:1234", []string{"1.2.3.4, 198.51.100.1"}, "198.51.100.1"},
		"forged beginning, two headers":  {proxies, "10.0.0.1:1234", []string{"1.2.3.4", "198.51.100.1"}, "198.51.100.1"},
		"through two proxies":            {proxies, "10.0.0.1:1234", []string{"198.51.100.1, 192.0.2.7"}, "198.51.100.1"},
		"a proxy without a header":       {proxies, "10.0.0.1:1234", nil, "10.0.0.1"},
		"a header that is not addresses": {proxies, "10.0.0.1:1234", []string{"198.51.100.1, unknown"}, "10.0.0.1"},
		"with a port":                    {proxies, "10.0.0.1:1234", []string{"198.51.100.1:99"}, "198.51.100.1"},
		"IPv6":                           {proxies, "[::1]:1234", []string{"2001:db8::5"}, "2001:db8::5"},
		"IPv4 in IPv6":                   {proxies, "[::ffff:10.0.0.1]:1234", []string{"198.51.100.1"}, "198.51.100.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trusted, err := edge.ParseProxies(test.trusted)
			check.OK(t, err)
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = test.peer
			r.Header["X-Forwarded-For"] = test.forwarded
			check.Equal(t, "client", trusted.Client(r).String(), test.want)
		})
	}
}

func TestParseProxiesRejects(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"proxy.example.com", "10.0.0.0/33", "10.0.0.1;10.0.0.2"} {
		if got, err := edge.ParseProxies(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

func TestDescriptorsAreReserved(t *testing.T) {
	t.Parallel()
	for descriptors, want := range map[int]int{256: 128, 1024: 512, 4096: 2048, 20_000: 8192, 1 << 20: 8192} {
		check.Equal(t, "default of connections", edge.DefaultTotal(descriptors), want)
		if left := descriptors - edge.Available(descriptors); left < min(descriptors/2, 2048) {
			t.Errorf("%d of %d descriptors are reserved", left, descriptors)
		}
	}
}
