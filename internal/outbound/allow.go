package outbound

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// Allowed lists targets that may be called even though they are not public. The
// zero value lists none.
type Allowed struct {
	// Ranges are address ranges. They never include the metadata addresses of
	// clouds, each of which needs its own entry, such as 169.254.169.254/32.
	Ranges []netip.Prefix
	// Hosts are host names, which may resolve to any other address.
	Hosts []string
}

// everywhere is the entry for all addresses.
const everywhere = "all"

// ParseAllowed parses a comma-separated list of ranges (10.0.0.0/8), addresses
// (127.0.0.1), host names (models.internal), or the word all.
func ParseAllowed(text string) (Allowed, error) {
	var allowed Allowed
	for entry := range strings.SplitSeq(text, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		if err := allowed.add(entry); err != nil {
			return Allowed{}, err
		}
	}
	return allowed, nil
}

func (a *Allowed) add(entry string) error {
	if entry == everywhere {
		a.Ranges = append(a.Ranges, netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0"))
		return nil
	}
	if prefix, err := netip.ParsePrefix(entry); err == nil {
		a.Ranges = append(a.Ranges, prefix.Masked())
		return nil
	}
	if addr, err := netip.ParseAddr(strings.Trim(entry, "[]")); err == nil {
		addr = addr.WithZone("").Unmap()
		a.Ranges = append(a.Ranges, netip.PrefixFrom(addr, addr.BitLen()))
		return nil
	}
	name, err := hostName(entry)
	if err != nil || strings.ContainsAny(name, "/:@*?#[] ") || looksNumeric(name) {
		return fmt.Errorf("%q is not an address range, an address or a host name", entry)
	}
	a.Hosts = append(a.Hosts, name)
	return nil
}

// host reports whether a host name is allowed.
func (a Allowed) host(name string) bool {
	name, err := hostName(name)
	return err == nil && slices.ContainsFunc(a.Hosts, func(h string) bool { return canonical(h) == name })
}

// address reports whether an address is public or allowed. byName reports
// whether the host name that resolved to it is allowed.
func (a Allowed) address(addr netip.Addr, byName bool) bool {
	switch judge(addr) {
	case open:
		return true
	case metadataHost:
		return slices.ContainsFunc(a.Ranges, func(p netip.Prefix) bool { return p.IsSingleIP() && p.Addr() == plain(addr) })
	}
	return byName || within(a.Ranges, plain(addr)) || within(a.Ranges, addr.WithZone(""))
}

// hostName returns the canonical form of a host name: ASCII, lower case, no
// trailing dot.
func hostName(name string) (string, error) {
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		// Names with an underscore or of machines are not domain names, but
		// resolvers accept them.
		if !isASCII(name) {
			return "", err
		}
		ascii = name
	}
	return canonical(ascii), nil
}

func canonical(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 || r <= 0x20 || r == 0x7f })
}

// looksNumeric reports whether a name ends in a number, as addresses do and
// domains do not. Some resolvers parse 0x7f.1 or 2130706433 as an address.
func looksNumeric(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if hex, ok := strings.CutPrefix(strings.ToLower(last), "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}
