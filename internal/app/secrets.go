package app

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/secret"
)

// keyFile is where the key is kept that stored secrets are sealed with, unless
// the configuration has it.
const keyFile = "secret.key"

// openSecrets builds what needs the key. That the key is the right one cannot
// be demanded: an operator who has lost it must be able to start and to set
// all values again.
func (a *App) openSecrets(ctx context.Context) error {
	key, err := a.secretKey()
	if err != nil {
		return err
	}
	a.tokenKey = key.Derive("tokens of channels")
	a.envVars = envvar.NewService(a.catalog.Entities, a.catalog.EnvVars, secret.NewBox(key))
	if err := a.envVars.CheckKey(ctx); err != nil {
		a.log.Warn("stored environment variables cannot be opened: start with the secret key that they were stored with", "error", err)
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
	key, made, err := secret.LoadKey(path)
	if made {
		a.log.Info("made a key for stored secrets: it belongs into every backup of the data folder", "file", path)
	}
	if made && a.cfg.Catalog != "sqlite" {
		a.log.Warn("programs that share a catalog need one secret key: give it to all in PROMPTUARY_SECRET_KEY", "file", path)
	}
	return key, err
}
