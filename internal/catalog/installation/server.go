package installation

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

// Claim is the claim of a server on a catalog that it uses with its own request
// logs.
type Claim struct {
	// Server is the name of the server, empty if there is none.
	Server string
	// Until is when the claim ends, in microseconds of the database's clock. It
	// grows as long as the server is running.
	Until int64
}

// ClaimServer gives the catalog to a server for some time, unless another server
// has it. A server that has it extends its claim. It returns the current claim,
// and whether it is that of the server. The installation must have an id.
func (s *Store) ClaimServer(ctx context.Context, server string, lasting time.Duration) (claim Claim, ok bool, err error) {
	claim, err = engine.Transact(ctx, s.db, func(ctx context.Context) (Claim, error) {
		_, err := engine.Exec(ctx, s.db, table.Installation.Update(`
SET server = $1, server_until = `+engine.Clock+` + $2
WHERE server = $1
OR server_until <= `+engine.Clock), server, lasting)
		if err != nil {
			return Claim{}, err
		}
		return engine.QueryOne(ctx, s.db, func(r engine.Row) (Claim, error) {
			var c Claim
			err := r.Scan(&c.Server, &c.Until)
			return c, err
		}, `
SELECT server, server_until
FROM installation`)
	})
	if err != nil {
		return Claim{}, false, fmt.Errorf("claim the catalog: %w", err)
	}
	return claim, claim.Server == server, nil
}

// ReleaseServer ends the claim of a server, if it has one.
func (s *Store) ReleaseServer(ctx context.Context, server string) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.Installation.Update(`
SET server = '', server_until = 0
WHERE server = $1`), server)
		return err
	})
	if err != nil {
		return fmt.Errorf("release the catalog: %w", err)
	}
	return nil
}
