package outbound

import (
	"net/netip"
	"slices"
)

// closed4 are the IPv4 ranges without public hosts.
var closed4 = prefixes(
	"0.0.0.0/8",       // this network; 0.0.0.0 connects to the local machine
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // carrier-grade NAT
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // 6to4 relays
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, and broadcast
)

// open6 is the only range of IPv6 with public hosts; closed6 are the ranges in
// it without them. 2002::/16 and Teredo in 2001::/23 embed IPv4 addresses.
var (
	open6   = netip.MustParsePrefix("2000::/3")
	closed6 = prefixes(
		"2001::/23",     // protocol assignments, among them Teredo and benchmarks
		"2001:db8::/32", // documentation
		"2002::/16",     // 6to4
		"3fff::/20",     // documentation
	)
	// nat64 is the prefix for IPv4 addresses in networks without IPv4.
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

// metadata are the addresses of cloud services that give credentials to any
// process on the machine.
var metadata = []netip.Addr{
	netip.MustParseAddr("169.254.169.254"), // most clouds
	netip.MustParseAddr("169.254.169.253"), // its resolver
	netip.MustParseAddr("169.254.169.123"), // its clock
	netip.MustParseAddr("169.254.170.2"),   // container credentials
	netip.MustParseAddr("169.254.170.23"),  // pod credentials
	netip.MustParseAddr("168.63.129.16"),   // internal in spite of its public address
	netip.MustParseAddr("100.100.100.200"),
	netip.MustParseAddr("192.0.0.192"),
	netip.MustParseAddr("fd00:ec2::254"),
	netip.MustParseAddr("fd00:ec2::23"),
	netip.MustParseAddr("fd20:ce::254"),
}

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// verdict classifies an address.
type verdict uint8

const (
	open         verdict = iota
	closed               // needs to be allowed
	metadataHost         // needs its own entry to be allowed
)

// judge classifies an address independently of the configuration.
func judge(addr netip.Addr) verdict {
	addr = plain(addr)
	switch {
	case slices.Contains(metadata, addr):
		return metadataHost
	case addr.Is4():
		return closedIf(within(closed4, addr))
	case addr.Is6():
		return closedIf(!open6.Contains(addr) || within(closed6, addr))
	}
	return closed
}

func closedIf(yes bool) verdict {
	if yes {
		return closed
	}
	return open
}

// plain returns the address that a connection to addr reaches. It unwraps IPv4
// addresses in IPv6 notation and removes the zone, which only selects the
// interface.
func plain(addr netip.Addr) netip.Addr {
	addr = addr.WithZone("").Unmap()
	bytes := addr.As16()
	if addr.Is6() && (nat64.Contains(addr) || compatible(bytes)) {
		return netip.AddrFrom4([4]byte(bytes[12:]))
	}
	return addr
}

// compatible reports whether an address has the deprecated form ::a.b.c.d. It
// excludes :: and ::1.
func compatible(bytes [16]byte) bool {
	return [12]byte(bytes[:12]) == [12]byte{} && (bytes[12] != 0 || bytes[13] != 0 || bytes[14] != 0 || bytes[15] > 1)
}

func within(list []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(addr) })
}
