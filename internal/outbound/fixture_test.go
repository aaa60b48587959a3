package outbound

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// target is an HTTP server on loopback that counts connections.
type target struct {
	port        string
	connections atomic.Int64
}

// listen serves on the same port of 127.0.0.1, 127.0.0.2 and, if available,
// ::1.
func listen(t *testing.T, handler http.Handler) *target {
	t.Helper()
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(first.Addr().String())
	s := &target{port: port}
	server := &http.Server{Handler: handler, ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}}
	listeners := []net.Listener{first}
	for _, host := range []string{"127.0.0.2", "::1"} {
		if more, err := net.Listen("tcp", net.JoinHostPort(host, port)); err == nil {
			listeners = append(listeners, more)
		}
	}
	for _, l := range listeners {
		go func() { _ = server.Serve(l) }()
	}
	t.Cleanup(func() { _ = server.Close() })
	return s
}

// names is a name server on loopback. By default it resolves every name to
// loopback.
type names struct {
	mu    sync.Mutex
	known map[string][]netip.Addr
}

func (n *names) set(name string, addresses ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := []netip.Addr{}
	for _, text := range addresses {
		list = append(list, netip.MustParseAddr(text))
	}
	n.known[name+"."] = list
}

func (n *names) lookup(name string) []netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	if list, ok := n.known[strings.ToLower(name)]; ok {
		return list
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.IPv6Loopback()}
}

func serveNames(t *testing.T) (*names, *net.Resolver) {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	n := &names{known: map[string][]netip.Addr{}}
	go n.serve(socket)
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
	return n, resolver
}

func (n *names) serve(socket net.PacketConn) {
	buffer := make([]byte, 4096)
	for {
		size, from, err := socket.ReadFrom(buffer)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buffer[:size]) != nil || len(m.Questions) != 1 {
			continue
		}
		reply := n.reply(m)
		if packed, err := reply.Pack(); err == nil {
			_, _ = socket.WriteTo(packed, from)
		}
	}
}

func (n *names) reply(m dnsmessage.Message) dnsmessage.Message {
	asked := m.Questions[0]
	reply := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}, Questions: m.Questions}
	addresses := n.lookup(asked.Name.String())
	if len(addresses) == 0 {
		reply.RCode = dnsmessage.RCodeNameError
	}
	for _, a := range addresses {
		header := dnsmessage.ResourceHeader{Name: asked.Name, Class: dnsmessage.ClassINET, Type: asked.Type}
		switch {
		case asked.Type == dnsmessage.TypeA && a.Is4():
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: a.As4()}})
		case asked.Type == dnsmessage.TypeAAAA && a.Is6():
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	return reply
}

// newClient returns a client that resolves names to loopback.
func newClient(t *testing.T, o Options) *Client {
	t.Helper()
	if o.Resolver == nil {
		_, o.Resolver = serveNames(t)
	}
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	c := New(o)
	t.Cleanup(c.Close)
	return c
}

func allow(t *testing.T, text string) Allowed {
	t.Helper()
	allowed, err := ParseAllowed(text)
	if err != nil {
		t.Fatal(err)
	}
	return allowed
}

// get calls an address, which may be too malformed for a request.
func get(t *testing.T, c *Client, address string) (Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		return Response{}, err
	}
	return c.Do(t.Context(), r)
}
