package storage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
)

// EmbeddedEngines returns the names and versions of the embedded engines, which
// it starts in a temporary folder below dir.
func EmbeddedEngines(ctx context.Context, dir string) (catalogEngine, logEngine string, err error) {
	dir, err = os.MkdirTemp(dir, "promptuary-version-")
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := catalog.Open(ctx, "sqlite:"+filepath.Join(dir, CatalogFile))
	if err != nil {
		return "", "", err
	}
	name, version := c.Engine(ctx)
	catalogEngine = strings.TrimSpace(name + " " + version)
	if err := c.Close(); err != nil {
		return "", "", err
	}
	logEngine, err = embedded.Version(ctx)
	return catalogEngine, logEngine, err
}
