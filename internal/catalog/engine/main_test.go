package engine_test

import (
	"context"
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// execute runs a statement as the stores do.
func execute(ctx context.Context, c *catalog.Catalog, statement table.Statement) error {
	_, err := engine.Exec(ctx, c.DB, statement)
	return err
}
