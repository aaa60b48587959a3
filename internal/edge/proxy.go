package edge

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the address ranges of reverse proxies whose headers are believed.
type Proxies []netip.Prefix

// ParseProxies parses a comma-separated list of addresses and CIDR ranges.
func ParseProxies(text string) (Proxies, error) {
	var list Proxies
	for entry := range strings.SplitSeq(text, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(entry)
		if addr, notRange := netip.ParseAddr(entry); notRange == nil {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("%q is not an address or a CIDR range", entry)
		}
		list = append(list, netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()).Masked())
	}
	return list, nil
}

func (p Proxies) contains(addr netip.Addr) bool {
	return slices.ContainsFunc(p, func(prefix netip.Prefix) bool { return prefix.Contains(addr) })
}

// Client returns the address of the client that sent a request: the peer's, or
// if the peer is a trusted proxy, the last address in X-Forwarded-For that is
// not a trusted proxy. The client controls everything before that.
func (p Proxies) Client(r *http.Request) netip.Addr {
	client := addressOf(r.RemoteAddr)
	if !p.contains(client) {
		return client
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && p.contains(client); i-- {
		hop := addressOf(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			break
		}
		client = hop
	}
	return client
}

// addressOf parses an address with or without a port. The result is invalid if
// the text is not one.
func addressOf(text string) netip.Addr {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return with.Addr().Unmap().WithZone("")
	}
	addr, _ := netip.ParseAddr(text)
	return addr.Unmap().WithZone("")
}

// groupOf returns the address that stands for one client: of an IPv6 address
// the network, because every client has a whole one.
func groupOf(addr netip.Addr) netip.Addr {
	if !addr.Is6() {
		return addr
	}
	return netip.PrefixFrom(addr, 64).Masked().Addr()
}
