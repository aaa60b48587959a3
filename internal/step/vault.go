package step

import (
	"bytes"
	"context"
	"encoding/base64"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/secret"
)

// Vault seals the credentials of configurations before they are stored, and
// opens them for execution. A nil Vault refuses to do either. It is safe for
// concurrent use.
type Vault struct{ box *secret.Box }

// NewVault returns a vault that seals with the box.
func NewVault(box *secret.Box) *Vault { return &Vault{box} }

// Previous are the stored configurations that Hidden can refer to.
type Previous struct {
	// Own is the configuration that is replaced, absent for a new one.
	Own jsontree.Value
	// Others are further configurations of the same type. A credential of theirs
	// is kept only if there is no Own, as for a node that was renamed.
	Others []jsontree.Value
}

// Protect returns a configuration from a client in the form to store: each
// Hidden is replaced by the previous credential, and all other credentials are
// sealed, except for references to environment variables. previous is called
// only if it is needed; nil stands for none. The fault is Invalid if there is no
// previous credential, or if it was sealed for another server.
//
// Invalid configurations are returned as they are; Prepare rejects them.
func (v *Vault) Protect(
	workspace int64, typeName string, config jsontree.Value, previous func() (Previous, error),
) (jsontree.Value, error) {
	p := protection{vault: v, workspace: workspace, spec: types[typeName]}
	if p.spec == nil || len(p.spec.secretValues(config)) == 0 {
		return config, nil
	}
	config, err := p.keep(config, previous)
	if err != nil {
		return config, err
	}
	if _, err := (Type{p.spec}).Prepare(config); err != nil {
		return config, nil //nolint:nilerr // the caller prepares it too
	}
	if err := p.verify(config); err != nil {
		return config, err
	}
	return p.seal(config)
}

// Seal returns a stored configuration with all credentials sealed that are not,
// and whether there were any.
func (v *Vault) Seal(workspace int64, typeName string, config jsontree.Value) (jsontree.Value, bool, error) {
	p := protection{vault: v, workspace: workspace, spec: types[typeName]}
	if p.spec == nil || len(p.spec.secretValues(config)) == 0 {
		return config, false, nil
	}
	sealed, err := p.seal(config)
	return sealed, err == nil && !bytes.Equal(sealed.Raw(), config.Raw()), err
}

// place returns what a credential is bound to.
func place(workspace int64, server string) secret.Place {
	return secret.Place{Scope: "credential of a step", Workspace: workspace, Name: server}
}

func (v *Vault) sealText(workspace int64, server, text string) (string, error) {
	if v == nil {
		return "", missing("Storing credentials is")
	}
	return base64.RawStdEncoding.EncodeToString(v.box.Seal([]byte(text), place(workspace, server))), nil
}

func (v *Vault) openText(workspace int64, server, sealed string) (string, error) {
	if v == nil {
		return "", missing("Using credentials is")
	}
	data, err := base64.RawStdEncoding.DecodeString(sealed)
	if err == nil {
		data, err = v.box.Open(data, place(workspace, server))
	}
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "A credential cannot be opened: it was stored with another secret key, "+
			"for another server or workspace, or is damaged. Enter it again")
	}
	return string(data), nil
}

// Credentials returns the credentials of a workspace. variable returns the value
// of an environment variable of the workspace, "" if it has none.
func (v *Vault) Credentials(workspace int64, variable func(ctx context.Context, name string) (string, error)) Credentials {
	return workspaceCredentials{v, workspace, variable}
}

type workspaceCredentials struct {
	vault     *Vault
	workspace int64
	variable  func(ctx context.Context, name string) (string, error)
}

// Open implements Credentials.
func (c workspaceCredentials) Open(server, sealed string) (string, error) {
	return c.vault.openText(c.workspace, server, sealed)
}

// Variable implements Credentials.
func (c workspaceCredentials) Variable(ctx context.Context, name string) (string, error) {
	value, err := c.variable(ctx, name)
	if err == nil && value == "" {
		err = failf("the environment variable %s is not set", name)
	}
	return value, err
}
