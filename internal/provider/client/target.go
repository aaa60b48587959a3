package client

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// target is where a call goes and what it is signed with.
type target struct {
	base    *url.URL
	key     string
	version string
	client  *httpClient
	// door names the queue in which the call waits for its turn.
	door string
}

// findTarget returns where the call of p goes. Of a provider that is not in
// the list only settings of the workspace count: an operator's variables may
// be called like a provider's without being meant for it.
func (s *Service) findTarget(ctx context.Context, workspace int64, p *plan, base string, listed bool) (*target, error) {
	names := slices.Concat(p.provider.keys, p.provider.bases, p.provider.versions)
	found, err := s.options.Keys.Lookup(ctx, workspace, names...)
	if err != nil {
		return nil, err
	}
	known := settings(found)
	if !listed {
		known = known.ofWorkspace()
	}
	address := p.provider.address(known)
	switch {
	case base != "":
		address = Setting{Value: base}
	case address.Value == "" && !listed:
		return nil, missing("Provider '%s' is not supported; a server that speaks OpenAI's protocol is called when "+
			"%s is set", p.name, p.provider.bases[0])
	}
	key, err := p.findKey(known, address)
	if err != nil {
		return nil, err
	}
	return s.newTarget(workspace, p, address, key, known.first(p.provider.versions).Value)
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

// address returns where a provider is reached: where somebody set, else at its
// own address, which is nowhere for some.
func (p *provider) address(known settings) Setting {
	if set := known.first(p.bases); set.Value != "" || p.base == "" {
		return set
	}
	return Setting{Value: p.base, Operator: true}
}

// key returns the key for an address. The operator's key goes only where the
// operator said, or people of a workspace could send it to themselves.
func (p *provider) key(known settings, address Setting) Setting {
	key := known.first(p.keys)
	if key.Operator && address.Value != "" && !address.Operator {
		return Setting{}
	}
	return key
}

// findKey returns the key for an address, or what is missing.
func (p *plan) findKey(known settings, address Setting) (string, error) {
	key := p.provider.key(known, address)
	if key.Value == "" && !p.provider.keyless {
		return "", missing("No API key configured for provider '%s'", p.name)
	}
	if address.Value == "" {
		return "", missing("No address configured for provider '%s': set %s", p.name, p.provider.bases[0])
	}
	return key.Value, nil
}

func (s *Service) newTarget(workspace int64, p *plan, address Setting, key, version string) (*target, error) {
	base, err := url.Parse(address.Value)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fault.BadRequestf("The address of provider '%s' is not an http or https address", p.name)
	}
	t := &target{base: base, key: key, version: version, client: s.trusted, door: p.name}
	if !address.Operator {
		t.client, t.door = s.guarded, fmt.Sprintf("%d/%s", workspace, p.name)
	}
	if t.client == nil {
		return nil, fault.BadRequestf("The address of provider '%s' may not be called: "+
			"this server calls no addresses that a workspace chose", p.name)
	}
	return t, nil
}

// modelInPath is what a model may be called whose name becomes part of an
// address.
var modelInPath = regexp.MustCompile(`^[\w@:-]+(\.[\w@:-]+)*(/[\w@:-]+(\.[\w@:-]+)*)*$`)

func checkModelInPath(model string) error {
	if len(model) > 200 || !modelInPath.MatchString(model) {
		return fault.BadRequestf("The name of the model has characters that no model's name has")
	}
	return nil
}

// redacted stands where a key was.
const redacted = "[redacted]"

// hide takes the key out of what the failure says: providers repeat what they
// were sent, and so do the libraries that call them.
func (t *target) hide(failure *Error) {
	failure.Message = t.shown(failure.Message, maxMessage)
	failure.Detail = t.shown(failure.Detail, maxDetail)
}

// shown returns so much of a text, without the key. The text is cut when the
// key is out, and of one that is too long to search the end goes too, because
// half a key would not be found.
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

// shortestSecret is the length from which a key is one. The name of a model
// may well hold the single letter that a local server takes for a key.
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

// keyShapes finds what looks like a key, whosever it is.
var keyShapes = regexp.MustCompile(`\b(?:sk|pk|gsk|xai)-[\w-]{12,}|\bAIza[\w-]{20,}|\bBearer +[\w.~+/-]{12,}=*`)
