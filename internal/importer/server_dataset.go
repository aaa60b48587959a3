package importer

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
)

// dataset imports the versions of a dataset group, each by itself: they are large. The
// numbers of the versions tell which of them are there.
func (r *serverRun) dataset(ctx context.Context, o *planned) error {
	target, workspace := r.service.servers.Target, r.Now.Workspace
	versions, err := r.client.DatasetVersions(ctx, o.Object)
	if err != nil {
		return err
	}
	if len(versions) == 0 {
		return fault.BadRequestf("It has no saved version any more")
	}
	if r.Now.Run.Server.Group == 0 {
		if err := r.beginDataset(o); err != nil {
			return err
		}
	}
	at := r.Now.Run.Server
	done, err := target.LatestDataset(r.Always, workspace, at.Group)
	if err != nil {
		return err
	}
	for n := done - at.Base; n >= 0 && n < int64(len(versions)); n++ {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := r.Task.Hold(r.Always); err != nil {
			return err
		}
		err := target.Dataset(r.Always, workspace, at.Group, r.Now.CreatedBy, func(use func(row []byte) error) error {
			return r.client.Rows(ctx, versions[n].ID, use)
		})
		if reason, refused := reasonOf(err); refused {
			return fault.BadRequestf("Version %d, and those after it: %s", versions[n].Number, reason)
		}
		if err != nil {
			return err
		}
	}
	return r.stored()
}

// refuseDataset reports a dataset that is not imported. A group that was created for it
// and has no version is deleted.
func (r *serverRun) refuseDataset(n int64, o *planned) error {
	if at := r.Now.Run.Server; at.Made {
		latest, err := r.service.servers.Target.LatestDataset(r.Always, r.Now.Workspace, at.Group)
		if err == nil && latest == 0 {
			err = r.service.servers.Target.DropDatasetGroup(r.Always, r.Now.Workspace, at.Group)
		}
		if err != nil && !fault.Is(err, fault.NotFound) { // it may be deleted already
			return err
		}
	}
	return r.leaveOut(n, o)
}

// beginDataset creates a dataset group, or finds the one with the name.
func (r *serverRun) beginDataset(o *planned) error {
	target := r.service.servers.Target
	next := r.copied()
	return r.Save(next, func(ctx context.Context) error {
		group, latest, err := target.Find(ctx, r.Now.Workspace, o.Kind, o.Name)
		if err != nil {
			return err
		}
		if group > 0 && r.Now.Options.Server.Conflict != AddVersions {
			return fault.Conflictf("The workspace has one of this name by now")
		}
		if group == 0 {
			if group, err = target.DatasetGroup(ctx, r.Now.Workspace, r.new(o)); err != nil {
				return err
			}
			next.Run.Server.Made = true
		}
		next.Run.Server.Group, next.Run.Server.Base = group, latest
		return nil
	})
}
