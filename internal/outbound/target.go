package outbound

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxURL is the maximum length of a URL.
const maxURL = 8 << 10

// CheckURL returns an error if an address cannot be called. It does not resolve
// names; their addresses are checked for each connection.
func (c *Client) CheckURL(text string) error {
	if len(text) > maxURL {
		return refused("the address is longer than %d bytes", maxURL)
	}
	target, err := url.Parse(text)
	if err != nil {
		// The error contains the address, which may include a password.
		return refused("this is not a valid address")
	}
	return c.check(target)
}

// check is like CheckURL for a parsed address. It is called for every hop.
func (c *Client) check(target *url.URL) error {
	switch {
	case target.Scheme != "http" && target.Scheme != "https":
		return refused("only addresses that begin with http:// or https:// can be called")
	case target.Opaque != "" || target.Hostname() == "":
		return refused("the address has no host")
	case target.User != nil:
		return refused("an address must not contain a user or a password; send them in a header")
	}
	if port := target.Port(); port != "" || strings.HasSuffix(target.Host, ":") {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return refused("the address has a port that does not exist")
		}
	}
	return c.checkHost(target.Hostname())
}

// checkHost checks the host without resolving it.
func (c *Client) checkHost(host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		return c.checkAddress(host, addr)
	}
	name, err := hostName(host)
	if err != nil || name == "" || strings.ContainsAny(name, "%:[]/\\ ") || !isASCII(name) {
		return refused("%q is not a valid host", host)
	}
	if addr, err := netip.ParseAddr(name); err == nil { // 127.0.0.1. and 127。0。0。1
		return c.checkAddress(host, addr)
	}
	if looksNumeric(name) {
		return refused("%q is not a valid host: write an address as four decimal numbers", host)
	}
	if (name == "localhost" || strings.HasSuffix(name, ".localhost")) && !c.allowed.host(name) {
		return c.checkAddress(host, netip.AddrFrom4([4]byte{127, 0, 0, 1}))
	}
	return nil
}

func (c *Client) checkAddress(host string, addr netip.Addr) error {
	if c.allowed.address(addr, c.allowed.host(host)) {
		return nil
	}
	return closedTarget(host)
}

// closedTarget returns an error that does not reveal the address of a name, so
// that users cannot explore an internal network.
func closedTarget(host string) *Error {
	return refused("%q is not a public host: calls into private networks are not allowed", host)
}

// checkConnection checks the address that a socket is about to connect to, after
// names were resolved. It is the decisive check.
func (c *Client) checkConnection(host, network, address string) error {
	if !strings.HasPrefix(network, "tcp") {
		return refused("%q cannot be called over %s", host, network)
	}
	text, _, err := net.SplitHostPort(address)
	if err != nil {
		return closedTarget(host)
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return closedTarget(host)
	}
	return c.checkAddress(host, addr)
}
