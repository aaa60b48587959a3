package app

import (
	"bytes"
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/upgrade"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/workflow"
)

// upgradeBatch is the number of texts that are read at a time. Each may have
// several megabytes.
const upgradeBatch = 16

// sealCredentials seals the credentials that earlier versions stored in
// workflows and evaluations. It runs once; a start that is interrupted leaves
// the rest to the next one.
func (a *App) sealCredentials(ctx context.Context) error {
	done, err := a.catalog.Upgrade.CredentialsSealed(ctx)
	if err != nil || done {
		return err
	}
	total := sealing{}
	for _, place := range upgrade.Places() {
		one, err := a.sealPlace(ctx, place)
		if err != nil {
			return err
		}
		total.sealed += one.sealed
		total.failed += one.failed
	}
	if total.failed > 0 {
		a.log.Warn("some credentials of workflows and evaluations could not be sealed: the next start tries again", "texts", total.failed)
		return nil
	}
	if total.sealed > 0 {
		a.log.Info("sealed the credentials of workflows and evaluations: backups and copies of the catalog still contain them, so replace them",
			"texts", total.sealed)
		if err := a.catalog.Rewrite(ctx); err != nil {
			a.log.Warn("unused space of the catalog may still contain credentials: the next start tries to remove them again", "error", err)
			return nil
		}
	}
	return a.catalog.Upgrade.SetCredentialsSealed(ctx)
}

// sealing counts texts with credentials: those that are sealed now, even by an
// interrupted start, and those that could not be sealed.
type sealing struct{ sealed, failed int }

func (a *App) sealPlace(ctx context.Context, place upgrade.Place) (counted sealing, err error) {
	for after := int64(-1); ; {
		texts, err := a.catalog.Upgrade.Texts(ctx, place, after, upgradeBatch)
		if err != nil || len(texts) == 0 {
			return counted, err
		}
		for _, one := range texts {
			after = one.ID
			sealed, changed, err := a.sealText(one)
			if err != nil {
				a.log.Warn("the credentials of a workflow or an evaluation cannot be sealed", "id", one.ID, "workspace", one.Workspace, "error", err)
				counted.failed++
				continue
			}
			if bytes.Contains(sealed, []byte(`"$sealed"`)) {
				counted.sealed++
			}
			if !changed {
				continue
			}
			if err := a.catalog.Upgrade.Replace(ctx, place, one.ID, one.Text, string(sealed)); err != nil {
				return counted, err
			}
		}
	}
}

// sealText returns a stored text with its credentials sealed, and whether there
// were any that were not.
func (a *App) sealText(one upgrade.Text) ([]byte, bool, error) {
	if one.Type == "" {
		return workflow.SealBody(a.vault, one.Workspace, []byte(one.Text))
	}
	config, err := jsontree.Parse([]byte(one.Text))
	if err != nil {
		return nil, false, fmt.Errorf("parse a configuration: %w", err)
	}
	sealed, changed, err := a.vault.Seal(one.Workspace, one.Type, config)
	return sealed.Raw(), changed, err
}
