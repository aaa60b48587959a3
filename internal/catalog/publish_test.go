package catalog_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/entity"
)

// BenchmarkPublish adds a version and moves a label to it, with 32 concurrent
// publishers.
func BenchmarkPublish(b *testing.B) {
	engines := map[string]func(*testing.B) string{
		"SQLite":     func(b *testing.B) string { return b.TempDir() + "/catalog.db" },
		"PostgreSQL": func(b *testing.B) string { return pgtest.Start(b) },
	}
	for name, dsn := range engines {
		b.Run(name, func(b *testing.B) {
			c, err := catalog.Open(b.Context(), dsn(b))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = c.Close() })
			publishInParallel(b, c)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "publishes/s")
		})
	}
}

func publishInParallel(b *testing.B, c *catalog.Catalog) {
	workspace, err := c.Accounts.EnsureDefaultWorkspace(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	body := fmt.Appendf(nil, `{"text":%q}`, strings.Repeat("x", 500))
	prompts := make(chan int64, 32)
	for i := range cap(prompts) {
		prompt, err := c.Entities.CreateEntity(b.Context(), entity.New{
			WorkspaceID: workspace.ID, Kind: entity.KindPrompt, Name: fmt.Sprint(i),
		})
		if err != nil {
			b.Fatal(err)
		}
		prompts <- prompt.ID
	}
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		prompt := <-prompts
		for pb.Next() {
			err := c.InTx(b.Context(), func(ctx context.Context) error {
				version, err := c.Entities.AddVersion(ctx, workspace.ID, prompt, entity.NewVersion{Body: body})
				if err != nil {
					return err
				}
				_, err = c.Entities.SetLabel(ctx, workspace.ID, prompt, "prod", version.Number)
				return err
			})
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
}
