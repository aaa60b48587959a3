package storage

import (
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/secret"
)

// KeyFile is the file in the data folder that holds the key for stored secrets,
// unless the configuration contains the key.
const KeyFile = "secret.key"

// SecretKey returns the key for stored secrets, which it creates if there is none.
func SecretKey(cfg config.Config, installation string, log *slog.Logger) (secret.Key, error) {
	if cfg.SecretKey != "" {
		key, err := secret.ParseKey(cfg.SecretKey)
		if err != nil {
			return key, fmt.Errorf("option secret-key %w", err)
		}
		return key, nil
	}
	path := filepath.Join(cfg.Data, KeyFile)
	key, made, err := secret.LoadKey(path, installation)
	if made {
		log.Info("created a key for stored secrets: include it in every backup of the data folder", "file", path)
	}
	if made && cfg.Catalog != "sqlite" {
		log.Warn("all processes that share a catalog need the same secret key: set PROMPTUARY_SECRET_KEY for each", "file", path)
	}
	return key, err
}
