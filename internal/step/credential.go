package step

import (
	"bytes"
	"context"
	"net/url"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Credentials opens the credentials of the configurations of one workspace.
type Credentials interface {
	// Open returns a credential that was sealed for a server. The fault is
	// Unavailable if it was sealed with another key, for another workspace or for
	// another server.
	Open(server, sealed string) (string, error)
	// Variable returns an environment variable of the workspace. The fault is
	// BadRequest if it has no value.
	Variable(ctx context.Context, name string) (string, error)
}

// credential is a text of a configuration that may be sealed or refer to an
// environment variable.
type credential struct{ text, sealed string }

func readCredential(v jsontree.Value) credential {
	if IsSealed(v) {
		return credential{sealed: v.Get(sealedMember).Str()}
	}
	return credential{text: Text(v)}
}

func (c credential) given() bool { return c.text != "" || c.sealed != "" }

// Credentials are sealed for the server that they are sent to, so that nobody
// can read one by sending it elsewhere. These names stand for the URL itself,
// and for a configuration without one; no server has such a name.
const (
	forURL   = "url"
	noServer = "none"
)

// serverOf returns the name of the server at an address: its scheme, host and
// port, or the reference to the environment variable that has the address.
func serverOf(address string) string {
	if _, _, isReference := reference(address); isReference {
		return address
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return noServer
	}
	port := parsed.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[parsed.Scheme]
	}
	return parsed.Scheme + "://" + strings.ToLower(parsed.Hostname()) + ":" + port
}

// isAddress reports whether a text is an absolute http or https URL.
func isAddress(text string) bool {
	parsed, err := url.Parse(text)
	return err == nil && parsed.Host != "" && (parsed.Scheme == "http" || parsed.Scheme == "https")
}

// opener opens the credentials of one call and remembers them, to remove them
// from the response.
type opener struct {
	env *Env
	// server is that of the address, which is opened first.
	server string
	opened [][]byte
}

// address returns the URL of the call.
func (o *opener) address(ctx context.Context, c credential) (string, error) {
	o.server = forURL
	address, err := o.value(ctx, c)
	if err != nil {
		return "", err
	}
	if !isAddress(address) {
		return "", failf("the URL is not an http or https URL")
	}
	if o.server = serverOf(address); c.sealed == "" {
		o.server = serverOf(c.text)
	}
	if address != c.text {
		o.rememberURL(address)
	}
	return address, nil
}

// rememberURL remembers the password and the parameters of a URL.
func (o *opener) rememberURL(address string) {
	parsed, err := url.Parse(address)
	if err != nil {
		return
	}
	if password, ok := parsed.User.Password(); ok {
		o.remember(password)
	}
	for _, values := range parsed.Query() {
		for _, value := range values {
			o.remember(value)
		}
	}
}

// header returns the value of a header.
func (o *opener) header(ctx context.Context, c credential) (string, error) {
	value, err := o.value(ctx, c)
	if err == nil && !isHeader("X", value) {
		err = failf("a credential has characters that a header cannot have")
	}
	return value, err
}

func (o *opener) value(ctx context.Context, c credential) (value string, err error) {
	before, name, isReference := reference(c.text)
	if c.sealed == "" && !isReference {
		return c.text, nil
	}
	if o.env.Credentials == nil {
		return "", missing("Using credentials is")
	}
	if isReference {
		value, err = o.env.Credentials.Variable(ctx, name)
	} else {
		value, err = o.env.Credentials.Open(o.server, c.sealed)
	}
	for word := range strings.FieldsSeq(value) { // the scheme may precede the credential
		o.remember(word)
	}
	return before + value, err
}

// minRedacted is the length from which credentials are removed from responses:
// shorter ones would be found by chance.
const minRedacted = 8

func (o *opener) remember(value string) {
	if len(value) >= minRedacted {
		o.opened = append(o.opened, []byte(value))
	}
}

// redact returns a response without the credentials of the call, which some
// servers repeat, for example to say that one is wrong.
func (o *opener) redact(text []byte) []byte {
	for _, one := range o.opened {
		text = bytes.ReplaceAll(text, one, []byte(Hidden))
		quoted := jsontree.AppendQuoted(nil, string(one))
		text = bytes.ReplaceAll(text, quoted[1:len(quoted)-1], []byte(Hidden))
	}
	return text
}
