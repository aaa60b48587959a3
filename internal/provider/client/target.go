package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/provider"
)

// target is how a provider is reached.
type target struct {
	key    string
	base   *url.URL
	client *http.Client
	// door names the queue in which the call waits for its turn.
	door string
}

// findTarget finds out how the provider of p is reached. For a provider that is
// not in the list only settings of the workspace count: an operator's variables
// may have the name of a provider's without being meant for it.
func (s *Service) findTarget(ctx context.Context, workspace int64, p *plan, base string, listed bool) error {
	found, err := s.options.Keys.Lookup(ctx, workspace, p.provider.Settings()...)
	if err != nil {
		return err
	}
	known := settings(found)
	if !listed {
		known = known.ofWorkspace()
	}
	address := known.address(p.provider)
	switch {
	case base != "":
		address = Setting{Value: base}
	case address.Value == "" && !listed:
		return provider.Missing("Provider '%s' is not supported; to call an OpenAI-compatible server, "+
			"set %s", p.name, p.provider.Bases[0])
	}
	key := known.key(p.provider, address).Value
	if key == "" && !p.provider.Keyless {
		return provider.Missing("No API key configured for provider '%s'", p.name)
	}
	if address.Value == "" {
		return provider.Missing("No URL configured for provider '%s': set %s", p.name, p.provider.Bases[0])
	}
	p.target, err = s.newTarget(workspace, p.name, address, key)
	if err != nil {
		return err
	}
	p.request.Base, p.request.Key = p.target.base, key
	p.request.Version = known.first(p.provider.Versions).Value
	return nil
}

func (s settings) ofWorkspace() settings {
	own := settings{}
	for name, setting := range s {
		if !setting.Operator {
			own[name] = setting
		}
	}
	return own
}

// address returns where a provider is reached: at the address that is set, else
// at its own, which some do not have.
func (s settings) address(p *provider.Provider) Setting {
	if set := s.first(p.Bases); set.Value != "" || p.Base == "" {
		return set
	}
	return Setting{Value: p.Base, Operator: true}
}

// key returns the key for an address. The operator's key is only sent to
// addresses that the operator chose, or a workspace could send it to itself.
func (s settings) key(p *provider.Provider, address Setting) Setting {
	key := s.first(p.Keys)
	if key.Operator && address.Value != "" && !address.Operator {
		return Setting{}
	}
	return key
}

func (s *Service) newTarget(workspace int64, name string, address Setting, key string) (*target, error) {
	base, err := url.Parse(address.Value)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fault.BadRequestf("The URL of provider '%s' must start with http:// or https:// and have a host", name)
	}
	t := &target{base: base, key: key, client: s.trusted, door: name}
	if !address.Operator {
		t.client, t.door = s.guarded, fmt.Sprintf("%d/%s", workspace, name)
	}
	if t.client == nil {
		return nil, fault.BadRequestf("The URL of provider '%s' is not allowed: "+
			"this server does not call URLs set by a workspace", name)
	}
	return t, nil
}

// redacted replaces keys.
const redacted = "[redacted]"

// hide removes the key from the texts of a failure: providers repeat what they
// were sent.
func (t *target) hide(failure *provider.Error) {
	failure.Message = t.shown(failure.Message, maxMessage)
	failure.Detail = t.shown(failure.Detail, maxDetail)
}

// shown returns a text without the key, cut to the limit. The text is cut after
// the key is removed; if it is too long to search, its end is removed too,
// because half a key would not be found.
func (t *target) shown(text string, limit int) string {
	long := len(text) > 4*limit
	if long {
		text = text[:4*limit]
	}
	text = keyShapes.ReplaceAllString(t.withoutKey(text), redacted)
	if long {
		text = text[:max(0, len(text)-3*max(len(t.key), 100))]
	}
	return cut(text, limit)
}

// shortestSecret is the length from which a key is secret. The name of a model
// may well contain the single letter that a local server takes for a key.
const shortestSecret = 4

func (t *target) withoutKey(text string) string {
	secrets := []string{t.key}
	if password, ok := t.base.User.Password(); ok {
		secrets = append(secrets, password)
	}
	for _, secret := range secrets {
		if len(secret) < shortestSecret {
			continue
		}
		escaped := strings.ReplaceAll(secret, "/", `\/`)
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), escaped} {
			text = strings.ReplaceAll(text, form, redacted)
		}
	}
	return text
}

// keyShapes matches what looks like a key of anyone.
var keyShapes = regexp.MustCompile(`\b(?:sk|pk|gsk|xai)-[\w-]{12,}|\bAIza[\w-]{20,}|\bBearer +[\w.~+/-]{12,}=*`)

// Limits on the texts of a failure.
const (
	maxMessage = 500
	maxDetail  = 16 << 10
)

// cut shortens a text to at most limit bytes, at a character, and replaces bytes
// that are not UTF-8.
func cut(text string, limit int) string {
	if len(text) > limit {
		for limit > 0 && !utf8.RuneStart(text[limit]) {
			limit--
		}
		text = text[:limit] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
