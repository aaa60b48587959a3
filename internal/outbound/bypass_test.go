package outbound

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// bypasses are notations for the local machine and other closed targets. PORT
// stands for the port of a server. Names resolve to loopback.
var bypasses = map[string]string{
	"plain":                        "http://127.0.0.1:PORT/",
	"another of the range":         "http://127.0.0.2:PORT/",
	"end of the range":             "http://127.255.255.254:PORT/",
	"encrypted":                    "https://127.0.0.1:PORT/",
	"upper case scheme":            "HTTP://127.0.0.1:PORT/",
	"mixed case scheme":            "hTTp://localhost:PORT/",
	"decimal":                      "http://2130706433:PORT/",
	"octal":                        "http://0177.0.0.1:PORT/",
	"octal of all":                 "http://0177.0000.0000.0001:PORT/",
	"octal number":                 "http://017700000001:PORT/",
	"hexadecimal":                  "http://0x7f000001:PORT/",
	"hexadecimal parts":            "http://0x7f.0x0.0x0.0x1:PORT/",
	"mixed bases":                  "http://0x7f.0.0.01:PORT/",
	"leading zeros":                "http://127.000.000.001:PORT/",
	"two parts":                    "http://127.1:PORT/",
	"three parts":                  "http://127.0.1:PORT/",
	"zero":                         "http://0:PORT/",
	"unspecified":                  "http://0.0.0.0:PORT/",
	"this network":                 "http://0.1.2.3:PORT/",
	"number too large":             "http://4294967297:PORT/",
	"overflowing part":             "http://383.0.0.1:PORT/",
	"dot at the end":               "http://127.0.0.1.:PORT/",
	"dot at a name's end":          "http://localhost.:PORT/",
	"localhost":                    "http://localhost:PORT/",
	"upper case localhost":         "http://LOCALHOST:PORT/",
	"below localhost":              "http://a.localhost:PORT/",
	"name of loopback":             "http://loopback.example.com:PORT/",
	"name with the address":        "http://127.0.0.1.nip.example:PORT/",
	"name with underscore":         "http://_a_.example.com:PORT/",
	"ideographic dots":             "http://127。0。0。1:PORT/",
	"halfwidth dots":               "http://127｡0｡0｡1:PORT/",
	"wide digits":                  "http://１２７.０.０.１:PORT/",
	"circled digits":               "http://①②⑦.⓪.⓪.①:PORT/",
	"circled letters":              "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/",
	"escaped address":              "http://%31%32%37.0.0.1:PORT/",
	"user":                         "http://a@127.0.0.1:PORT/",
	"user and password":            "http://example.com:80@127.0.0.1:PORT/",
	"user that looks like a host":  "http://example.com@127.0.0.1:PORT/",
	"empty user":                   "http://@127.0.0.1:PORT/",
	"two users":                    "http://a@b@127.0.0.1:PORT/",
	"host in a fragment":           "http://127.0.0.1:PORT#@example.com/",
	"host in a query":              "http://127.0.0.1:PORT?@example.com/",
	"backslash":                    "http://127.0.0.1:PORT\\@example.com/",
	"backslashes for slashes":      "http:\\\\127.0.0.1:PORT\\",
	"one slash":                    "http:/127.0.0.1:PORT/",
	"no slash":                     "http:127.0.0.1:PORT",
	"no scheme":                    "//127.0.0.1:PORT/",
	"nothing but host":             "127.0.0.1:PORT",
	"space before":                 " http://127.0.0.1:PORT/",
	"tab within":                   "http://127.0\t.0.1:PORT/",
	"line break within":            "http://127.0.0.1:PORT/\r\nX: y",
	"NUL within":                   "http://127.0.0.1\x00.example.com:PORT/",
	"IPv6 loopback":                "http://[::1]:PORT/",
	"IPv6 loopback in full":        "http://[0:0:0:0:0:0:0:1]:PORT/",
	"IPv6 unspecified":             "http://[::]:PORT/",
	"mapped":                       "http://[::ffff:127.0.0.1]:PORT/",
	"mapped in hexadecimal":        "http://[::ffff:7f00:1]:PORT/",
	"mapped in full":               "http://[0000:0000:0000:0000:0000:ffff:7f00:0001]:PORT/",
	"compatible":                   "http://[::127.0.0.1]:PORT/",
	"translated":                   "http://[::ffff:0:127.0.0.1]:PORT/",
	"NAT64":                        "http://[64:ff9b::127.0.0.1]:PORT/",
	"local NAT64":                  "http://[64:ff9b:1::7f00:1]:PORT/",
	"6to4":                         "http://[2002:7f00:1::]:PORT/",
	"Teredo":                       "http://[2001:0:53aa:64c:0:0:80ff:fffe]:PORT/",
	"zone":                         "http://[::1%25lo]:PORT/",
	"zone of link-local":           "http://[fe80::1%25eth0]:PORT/",
	"mapped with zone":             "http://[::ffff:127.0.0.1%25lo]:PORT/",
	"site-local":                   "http://[fec0::1]:PORT/",
	"unique local":                 "http://[fd12:3456::1]:PORT/",
	"IPv6 multicast":               "http://[ff02::1]:PORT/",
	"private 10":                   "http://10.0.0.1:PORT/",
	"private 172":                  "http://172.31.255.255:PORT/",
	"private 192":                  "http://192.168.1.1:PORT/",
	"carrier":                      "http://100.64.0.1:PORT/",
	"broadcast":                    "http://255.255.255.255:PORT/",
	"metadata":                     "http://169.254.169.254/latest/meta-data/",
	"metadata of IPv6":             "http://[fd00:ec2::254]/latest/meta-data/",
	"metadata in decimal":          "http://2852039166/latest/meta-data/",
	"metadata mapped":              "http://[::ffff:a9fe:a9fe]/",
	"metadata over NAT64":          "http://[64:ff9b::a9fe:a9fe]/",
	"metadata at a public address": "http://168.63.129.16/",
	"file":                         "file:///etc/passwd",
	"file with host":               "file://127.0.0.1:PORT/etc/passwd",
	"gopher":                       "gopher://127.0.0.1:PORT/_GET%20/",
	"ftp":                          "ftp://127.0.0.1:PORT/",
	"dict":                         "dict://127.0.0.1:PORT/info",
	"data":                         "data:text/plain,hello",
	"unix socket":                  "unix:///var/run/docker.sock",
	"web socket":                   "ws://127.0.0.1:PORT/",
	"port 0":                       "http://example.com:0/",
	"port too large":               "http://127.0.0.1:99999/",
	"port without number":          "http://127.0.0.1:/",
	"no host":                      "http:///path",
	"only a port":                  "http://:PORT/",
	"nothing":                      "",
}

func TestNeverConnectsToClosedTargets(t *testing.T) {
	t.Parallel()
	server := listen(t, http.NotFoundHandler())
	c := newClient(t, Options{})
	for name, address := range bypasses {
		address = strings.ReplaceAll(address, "PORT", server.port)
		if answer, err := get(t, c, address); err == nil {
			t.Errorf("%s: %s was called: %d", name, address, answer.Status)
		}
		if r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("secret")); err == nil {
			if answer, err := c.HTTP().Do(r); err == nil {
				_ = answer.Body.Close()
				t.Errorf("%s: %s was called by the plain client", name, address)
			}
		}
	}
	if n := server.connections.Load(); n != 0 {
		t.Errorf("server got %d connections, want 0", n)
	}
	// The same server is reachable if it is allowed.
	open := newClient(t, Options{Allow: allow(t, "127.0.0.0/8, ::1")})
	if _, err := get(t, open, "http://loopback.example.com:"+server.port); err != nil || server.connections.Load() != 1 {
		t.Errorf("the allowed server got %d connections: %v", server.connections.Load(), err)
	}
}

// TestChecksConnections bypasses all checks of the URL.
func TestChecksConnections(t *testing.T) {
	t.Parallel()
	server := listen(t, http.NotFoundHandler())
	c := newClient(t, Options{})
	for _, host := range []string{
		"127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1", "::", "0.0.0.0", "::1%lo", "localhost", "localhost.", "LOCALHOST",
		"0x7f000001", "anything.example.com", "", "169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::",
	} {
		conn, err := c.dial(t.Context(), "tcp", net.JoinHostPort(host, server.port))
		if err == nil {
			_ = conn.Close()
			t.Errorf("connected to %q", host)
			continue
		}
		var own *Error
		if !errors.As(err, &own) || own.Reason != Refused {
			t.Errorf("%q: failed, but was not refused: %v", host, err)
		}
	}
	if n := server.connections.Load(); n != 0 {
		t.Errorf("server got %d connections, want 0", n)
	}
}

// TestCheckURL checks URLs without resolving names.
func TestCheckURL(t *testing.T) {
	t.Parallel()
	c := newClient(t, Options{})
	late := map[string]bool{"name of loopback": true, "name with the address": true, "name with underscore": true}
	for name, address := range bypasses {
		address = strings.ReplaceAll(address, "PORT", "8080")
		err := c.CheckURL(address)
		if (err == nil) != late[name] {
			t.Errorf("%s: %q: got %v", name, address, err)
		}
		var own *Error
		if err != nil && (!errors.As(err, &own) || own.Reason != Refused) {
			t.Errorf("%s: got %#v", name, err)
		}
	}
	for _, address := range []string{
		"http://example.com", "https://example.com:8443/a?b=c#d", "HTTPS://EXAMPLE.COM./", "http://8.8.8.8/", "http://[2606:4700::1111]/",
		"http://[64:ff9b::8.8.8.8]/", "http://[::ffff:8.8.8.8]/", "http://bücher.example/", "http://3com.example", "http://1.1.1.1.example/",
	} {
		if err := c.CheckURL(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := c.CheckURL("http://example.com/" + strings.Repeat("a", maxURL)); err == nil {
		t.Error("accepted a URL that is too long")
	}
	if err := c.CheckURL("http://user:hush@example.com:port/"); err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("got %v", err)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]verdict{
		"8.8.8.8": open, "1.1.1.1": open, "100.63.255.255": open, "100.128.0.0": open, "172.15.255.255": open, "172.32.0.0": open,
		"192.0.1.0": open, "223.255.255.255": open, "169.253.0.1": open, "198.17.255.255": open, "198.20.0.0": open,
		"2606:4700:4700::1111": open, "2001:200::1": open, "2a00::1": open, "::ffff:8.8.8.8": open, "64:ff9b::8.8.8.8": open, "::8.8.8.8": open,
		"0.0.0.0": closed, "0.255.255.255": closed, "10.255.255.255": closed, "100.127.255.255": closed, "127.0.0.1": closed, "169.254.0.1": closed,
		"172.16.0.0": closed, "192.0.0.1": closed, "192.0.2.9": closed, "192.168.0.1": closed, "198.18.0.1": closed, "198.19.255.255": closed,
		"198.51.100.1": closed, "203.0.113.1": closed, "224.0.0.1": closed, "239.255.255.255": closed, "240.0.0.1": closed, "255.255.255.255": closed,
		"::": closed, "::1": closed, "::2": closed, "::10.0.0.1": closed, "::ffff:10.0.0.1": closed, "64:ff9b::10.0.0.1": closed, "64:ff9b:1::1": closed,
		"100::1": closed, "2001::1": closed, "2001:2::1": closed, "2001:db8::1": closed, "2002:808:808::1": closed, "3fff::1": closed, "5f00::1": closed,
		"fc00::1": closed, "fdff::1": closed, "fe80::1": closed, "fe80::1%eth0": closed, "fec0::1": closed, "ff02::1": closed,
		"169.254.169.254": metadataHost, "::ffff:169.254.169.254": metadataHost, "64:ff9b::a9fe:a9fe": metadataHost, "fd00:ec2::254": metadataHost,
		"fd00:ec2::254%eth0": metadataHost, "168.63.129.16": metadataHost, "100.100.100.200": metadataHost,
	} {
		if got := judge(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
	if got := judge(netip.Addr{}); got != closed {
		t.Errorf("no address: got %d", got)
	}
}
