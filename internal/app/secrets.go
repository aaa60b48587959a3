package app

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/step"
)

// keyFile is the file in the data folder that holds the key for stored secrets,
// unless the configuration contains the key.
const keyFile = "secret.key"

// openSecrets loads the secret key and seals what earlier versions did not. A wrong key is only a warning, because an
// operator who has lost the key must be able to start and set all values again.
func (a *App) openSecrets(ctx context.Context) error {
	key, err := a.secretKey()
	if err != nil {
		return err
	}
	a.tokenKey = key.Derive("tokens of channels")
	a.redactionKey = key.Derive("hashes of redaction")
	a.linkKey = key.Derive("first sign-in link")
	a.box = secret.NewBox(key)
	a.vault = step.NewVault(a.box)
	a.envVars = envvar.NewService(a.catalog.Entities, a.catalog.EnvVars, a.box)
	if err := a.envVars.CheckKey(ctx); err != nil {
		a.log.Warn("cannot decrypt stored environment variables: start with the secret key that encrypted them", "error", err)
	}
	if err := a.sealCredentials(ctx); err != nil {
		a.log.Error("cannot seal the credentials of workflows and evaluations that an earlier version stored: the next start tries again", "error", err)
	}
	return nil
}

func (a *App) secretKey() (secret.Key, error) {
	if a.cfg.SecretKey != "" {
		key, err := secret.ParseKey(a.cfg.SecretKey)
		if err != nil {
			return key, fmt.Errorf("option secret-key %w", err)
		}
		return key, nil
	}
	path := filepath.Join(a.cfg.Data, keyFile)
	key, made, err := secret.LoadKey(path, a.installation)
	if made {
		a.log.Info("created a key for stored secrets: include it in every backup of the data folder", "file", path)
	}
	if made && a.cfg.Catalog != "sqlite" {
		a.log.Warn("all processes that share a catalog need the same secret key: set PROMPTUARY_SECRET_KEY for each", "file", path)
	}
	return key, err
}
