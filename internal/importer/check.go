package importer

import (
	"context"
	"encoding/hex"
	"io"

	"github.com/promptuary/promptuary/internal/job"
)

// reportBytes is the size from which on a part of the report is stored.
const reportBytes = 256 << 10

// saveEvery is the number of rows after which the progress of a check is stored.
const saveEvery = 20_000

// check checks all rows. A check that was interrupted begins again.
func (x *execution) check(ctx context.Context) error {
	next := x.Now
	next.Check = Progress{}
	if err := x.service.store.InTx(x.Always, func(ctx context.Context) error {
		if err := x.Task.Hold(ctx); err != nil {
			return err
		}
		return x.service.store.DeleteParts(ctx, x.Now.ID, CheckReport)
	}); err != nil {
		return err
	}
	err := x.Continue(ctx)
	if err == nil {
		err = x.open()
	}
	var report []byte
	for saved := int64(0); err == nil; {
		if err = x.Continue(ctx); err != nil {
			break
		}
		next.Check.Format = x.rows.Format()
		var b *batch
		if b, err = x.next(); err != nil {
			break
		}
		if err = x.checkBatch(b, &next.Check); err != nil {
			break
		}
		for _, e := range b.report {
			report = appendEntry(report, e)
		}
		next.Check.Bytes = x.file.bytes
		if len(report) > reportBytes || b.ended && len(report) > 0 || next.Check.Rows-saved > saveEvery {
			number := next.Check.Reports + 1
			if len(report) > 0 {
				next.Check.Reports = number
			}
			if err = x.save(next, CheckReport, number, report); err != nil {
				break
			}
			report, saved = nil, next.Check.Rows
		}
		if b.ended {
			return x.checked(next)
		}
	}
	failure, permanent := job.Failure(err)
	switch {
	case job.IsCancelled(ctx, err):
		next.State, next.Failure, next.Check = Uploading, "The check was cancelled", Progress{}
	case permanent:
		next.State, next.Failure = Uploading, failure
	default:
		return err
	}
	return x.end(next)
}

// checked stores that a check has ended.
func (x *execution) checked(next Import) error {
	if _, err := io.Copy(x.hash, x.file); err != nil { // what follows the end of a compressed file
		return err
	}
	next.State, next.Hash = Checked, hex.EncodeToString(x.hash.Sum(nil))
	return x.end(next)
}

// checkBatch checks the rows of a batch against the workspace.
func (x *execution) checkBatch(b *batch, p *Progress) error {
	if err := x.dropExisting(b); err != nil {
		return err
	}
	rows := b.imported(x.Now.ID, 0)
	outcomes, err := x.service.logs.CheckImport(x.Always, x.Now.Workspace, rows)
	if err != nil {
		return err
	}
	p.count(b, len(b.settle(rows, outcomes)))
	return nil
}
