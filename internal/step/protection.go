package step

import (
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// protection protects the credentials of one configuration.
type protection struct {
	vault     *Vault
	workspace int64
	spec      *Spec
}

// edit replaces the credentials for which replace returns a text.
func (p *protection) edit(config jsontree.Value, replace func(one secretValue) ([]byte, error)) (jsontree.Value, error) {
	var edits []jsontree.Edit
	for _, one := range p.spec.secretValues(config) {
		text, err := replace(one)
		if err != nil {
			return config, err
		}
		if text != nil {
			edits = append(edits, jsontree.Edit{Value: one.value, Text: text})
		}
	}
	if len(edits) == 0 {
		return config, nil
	}
	return parsed(config.Splice(edits))
}

// keep replaces each Hidden by the previous credential, that of the URL first,
// because it names the server.
func (p *protection) keep(config jsontree.Value, previous func() (Previous, error)) (jsontree.Value, error) {
	isHidden := false
	for _, one := range p.spec.secretValues(config) {
		isHidden = isHidden || one.hidden()
	}
	if !isHidden {
		return config, nil
	}
	var known Previous
	var err error
	if previous != nil {
		if known, err = previous(); err != nil {
			return config, err
		}
	}
	for _, isURL := range []bool{true, false} {
		server, err := p.server(config)
		if err != nil && !isURL {
			return config, otherServer(p.urlField())
		}
		config, err = p.edit(config, func(one secretValue) ([]byte, error) {
			if !one.hidden() || one.isURL != isURL {
				return nil, nil
			}
			return p.previous(one, known, server)
		})
		if err != nil {
			return config, err
		}
	}
	return config, nil
}

// previous returns the stored credential that Hidden stands for.
func (p *protection) previous(one secretValue, known Previous, server string) ([]byte, error) {
	if known.Own.Given() {
		found, ok := p.find(known.Own, one.path)
		if !ok {
			return nil, noPrevious(one.path)
		}
		if own, err := p.server(known.Own); found.plain() && !one.isURL && (err != nil || own != server) {
			return nil, otherServer(one.path)
		}
		return found.value.Raw(), nil
	}
	var kept []byte
	var text string
	for _, other := range known.Others {
		found, _ := p.find(other, one.path)
		opened, ok := p.open(found, server)
		if !ok {
			continue
		}
		if kept != nil && opened != text {
			return nil, noPrevious(one.path) // several stored values fit
		}
		kept, text = found.value.Raw(), opened
	}
	if kept == nil {
		return nil, noPrevious(one.path)
	}
	return kept, nil
}

func noPrevious(path string) error {
	return fault.New(fault.Invalid, "%s: %s stands for the stored value, but there is none. Enter the value", shorten(path), Hidden)
}

func otherServer(path string) error {
	return fault.New(fault.Invalid, "%s: the stored value is for another server, or was sealed with another secret key. Enter it again", shorten(path))
}

// find returns the credential at a path of a stored configuration. A URL is
// found even if it contains no credential.
func (p *protection) find(config jsontree.Value, path string) (found secretValue, ok bool) {
	for _, one := range p.spec.secretValues(config) {
		if one.path == path {
			found, ok = one, true
		}
	}
	if field, known := p.spec.spelled(path); !ok && known && field.Kind == FieldURL {
		found = secretValue{path: path, value: config.Get(path), isURL: true}
		ok = found.value.Given()
	}
	return found, ok
}

// open returns the text of a sealed credential for a server.
func (p *protection) open(one secretValue, server string) (string, bool) {
	if !IsSealed(one.value) {
		return "", false
	}
	if one.isURL {
		server = forURL
	}
	text, err := p.vault.openText(p.workspace, server, one.value.Get(sealedMember).Str())
	return text, err == nil
}

// server returns the name of the server of a configuration.
func (p *protection) server(config jsontree.Value) (string, error) {
	v, _ := newSettings(p.spec, config).get(p.urlField())
	if !IsSealed(v) {
		return serverOf(v.Str()), nil
	}
	address, err := p.vault.openText(p.workspace, forURL, v.Get(sealedMember).Str())
	return serverOf(address), err
}

// urlField returns the name of the field that names the server.
func (p *protection) urlField() string {
	i := slices.IndexFunc(p.spec.Fields, func(f Field) bool { return f.Kind == FieldURL })
	return p.spec.Fields[i].Name // all types with credentials have one
}

// verify returns an Invalid fault if a sealed credential of a configuration was
// sealed for another server than it now has.
func (p *protection) verify(config jsontree.Value) error {
	server, serverErr := p.server(config)
	for _, one := range p.spec.secretValues(config) {
		if !IsSealed(one.value) {
			continue
		}
		if _, ok := p.open(one, server); !ok || serverErr != nil {
			return otherServer(one.path)
		}
	}
	return nil
}

// seal seals all plain credentials of a configuration.
func (p *protection) seal(config jsontree.Value) (jsontree.Value, error) {
	server, serverErr := p.server(config)
	return p.edit(config, func(one secretValue) ([]byte, error) {
		if !one.plain() {
			return nil, nil
		}
		own := server
		if one.isURL {
			own = forURL
		} else if serverErr != nil {
			return nil, serverErr
		}
		sealed, err := p.vault.sealText(p.workspace, own, Text(one.value))
		if err != nil {
			return nil, err
		}
		w := jsontree.NewWriter(nil)
		w.Object(func() { w.Key(sealedMember).String(sealed) })
		return w.Bytes(), nil
	})
}
