package registry

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/upgrade"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

// upgradeBatch is the number of texts that are read at a time. Each may have
// several megabytes.
const upgradeBatch = 16

// sealer seals credentials.
type sealer struct {
	catalog *catalog.Catalog
	vault   *step.Vault
	log     *slog.Logger
}

// credentials seals the credentials that earlier versions stored in
// workflows and evaluations. It runs once; a start that is interrupted leaves
// the rest to the next one.
func (s sealer) credentials(ctx context.Context) error {
	done, err := s.catalog.Upgrade.CredentialsSealed(ctx)
	if err != nil || done {
		return err
	}
	total := sealing{}
	for _, place := range upgrade.Places() {
		one, err := s.sealPlace(ctx, place)
		if err != nil {
			return err
		}
		total.sealed += one.sealed
		total.failed += one.failed
	}
	if total.failed > 0 {
		s.log.Warn("some credentials of workflows and evaluations could not be sealed: the next start tries again", "texts", total.failed)
		return nil
	}
	if total.sealed > 0 {
		s.log.Info("sealed the credentials of workflows and evaluations: backups and copies of the catalog still contain them, so replace them",
			"texts", total.sealed)
		if err := s.catalog.Rewrite(ctx); err != nil {
			s.log.Warn("unused space of the catalog may still contain credentials: the next start tries to remove them again", "error", err)
			return nil
		}
	}
	return s.catalog.Upgrade.SetCredentialsSealed(ctx)
}

// sealing counts texts with credentials: those that are sealed now, even by an
// interrupted start, and those that could not be sealed.
type sealing struct{ sealed, failed int }

func (s sealer) sealPlace(ctx context.Context, place upgrade.Place) (counted sealing, err error) {
	for after := int64(-1); ; {
		texts, err := s.catalog.Upgrade.Texts(ctx, place, after, upgradeBatch)
		if err != nil || len(texts) == 0 {
			return counted, err
		}
		for _, one := range texts {
			after = one.ID
			sealed, changed, err := s.sealText(one)
			if err != nil {
				s.log.Warn("the credentials of a workflow or an evaluation cannot be sealed", "id", one.ID, "workspace", one.Workspace, "error", err)
				counted.failed++
				continue
			}
			if bytes.Contains(sealed, []byte(`"$sealed"`)) {
				counted.sealed++
			}
			if !changed {
				continue
			}
			if err := s.catalog.Upgrade.Replace(ctx, place, one.ID, one.Text, string(sealed)); err != nil {
				return counted, err
			}
		}
	}
}

// sealText returns a stored text with its credentials sealed, and whether there
// were any that were not.
func (s sealer) sealText(one upgrade.Text) ([]byte, bool, error) {
	if one.Type == "" {
		return workflow.SealBody(s.vault, one.Workspace, []byte(one.Text))
	}
	config, err := jsontree.Parse([]byte(one.Text))
	if err != nil {
		return nil, false, fmt.Errorf("parse a configuration: %w", err)
	}
	sealed, changed, err := s.vault.Seal(one.Workspace, one.Type, config)
	return sealed.Raw(), changed, err
}
