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

// target is where and how a provider is called.
type target struct {
	key    string
	base   *url.URL
	client *http.Client
	// door names the queue in which the call waits.
	door string
}

// findTarget determines the target of p. For providers that are not built in,
// only settings of the workspace count: a variable of the operator may have a
// matching name by accident.
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

// address returns the URL of a provider: the configured one, else the default,
// which some providers do not have.
func (s settings) address(p *provider.Provider) Setting {
	if set := s.first(p.Bases); set.Value != "" || p.Base == "" {
		return set
	}
	return Setting{Value: p.Base, Operator: true}
}

// key returns the key for a URL. The operator's key is only sent to URLs of the
// operator and the provider; otherwise a workspace could obtain it.
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

// redacted replaces keys in texts.
const redacted = "[redacted]"

// hide removes the key from the texts of a failure, because providers may echo
// it.
func (t *target) hide(failure *provider.Error) {
	failure.Message = t.shown(failure.Message, maxMessage)
	failure.Detail = t.shown(failure.Detail, maxDetail)
}

// shown returns a text without the key, truncated to the limit. The key is
// removed first. If the text is too long to search, its end is removed too,
// because it could contain part of the key.
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

// shortestSecret is the minimum length of a key that is hidden. Local servers
// accept single letters as keys, which would match most texts.
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

// keyShapes matches texts that look like API keys.
var keyShapes = regexp.MustCompile(`\b(?:sk|pk|gsk|xai)-[\w-]{12,}|\bAIza[\w-]{20,}|\bBearer +[\w.~+/-]{12,}=*`)

// Limits on the texts of a failure.
const (
	maxMessage = 500
	maxDetail  = 16 << 10
)

// cut truncates a text to at most limit bytes at a character boundary, and
// replaces invalid UTF-8.
func cut(text string, limit int) string {
	if len(text) > limit {
		for limit > 0 && !utf8.RuneStart(text[limit]) {
			limit--
		}
		text = text[:limit] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
