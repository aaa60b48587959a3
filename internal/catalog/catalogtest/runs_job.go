package catalogtest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
)

const testKind job.Kind = "test"

// noon is the current time of the tests of jobs.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// heldBy returns a lease until one minute past noon.
func heldBy(owner string) job.Lease { return job.Lease{Owner: owner, Until: noon.Add(time.Minute)} }

// job adds a job for the subject.
func (s *store) job(subject int64, lease job.Lease) job.Job {
	s.t.Helper()
	var added job.Job
	s.ok(s.InTx(s.ctx, func(ctx context.Context) (err error) {
		added, err = s.Runs.AddJob(ctx, job.Job{Workspace: s.workspace, Kind: testKind, Subject: subject}, lease)
		return err
	}))
	return added
}

// open returns the jobs without a lease at the time.
func (s *store) open(at time.Time, without ...int64) []job.Job {
	s.t.Helper()
	return check.Must(s.Runs.OpenJobs(s.ctx, at, without, 100))(s.t)
}

// takes fails the test unless taking the job at the time succeeds, or does not, as
// expected.
func (s *store) takes(id int64, at time.Time, owner string, want bool) {
	s.t.Helper()
	_, taken, err := s.Runs.TakeJob(s.ctx, id, at, job.Lease{Owner: owner, Until: at.Add(time.Minute)})
	s.ok(err)
	s.equal(taken, want)
}

func (s *store) cancel(subject int64) (job.Job, bool) {
	s.t.Helper()
	cancelled, found, err := s.Runs.CancelJob(s.ctx, s.workspace, testKind, subject)
	s.ok(err)
	return cancelled, found
}

var jobCases = []testCase{
	{"add a job", func(s *store) {
		added := s.job(7, job.Lease{})
		if added.ID == 0 {
			s.t.Fatal("the job has no id")
		}
		s.equal(added, job.Job{ID: added.ID, Workspace: s.workspace, Kind: testKind, Subject: 7})
		s.equal(s.open(noon), []job.Job{added})
	}},
	{"a subject has one job", func(s *store) {
		s.job(7, job.Lease{})
		s.fails(s.InTx(s.ctx, func(ctx context.Context) error {
			return check.Failure(s.Runs.AddJob(ctx, job.Job{Workspace: s.workspace, Kind: testKind, Subject: 7}, job.Lease{}))
		}), fault.Conflict)
	}},
	{"failed transactions add no job", func(s *store) {
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			if err := check.Failure(s.Runs.AddJob(ctx, job.Job{Workspace: s.workspace, Kind: testKind, Subject: 7}, job.Lease{})); err != nil {
				return err
			}
			return errOurs
		})
		if err == nil {
			s.t.Fatal("the transaction did not fail")
		}
		s.equal(s.open(noon), []job.Job{})
	}},
	{"leased jobs are not open", func(s *store) {
		added := s.job(1, heldBy("a"))
		s.equal(s.open(noon), []job.Job{})
		s.equal(s.open(noon.Add(time.Minute)), []job.Job{})
		s.equal(s.open(noon.Add(time.Minute+time.Microsecond)), []job.Job{added})
	}},
	{"open jobs: oldest first, limited, without some workspaces", func(s *store) {
		first, second := s.job(3, job.Lease{}), s.job(2, job.Lease{})
		s.job(1, heldBy("a"))
		s.equal(s.open(noon), []job.Job{first, second})
		s.equal(check.Must(s.Runs.OpenJobs(s.ctx, noon, nil, 1))(s.t), []job.Job{first})
		s.equal(s.open(noon, s.other), []job.Job{first, second})
		s.equal(s.open(noon, s.other, s.workspace), []job.Job{})
	}},
	{"any number of workspaces can be excluded", func(s *store) {
		added := s.job(1, job.Lease{})
		without := make([]int64, 3000)
		for i := range without {
			without[i] = 1_000_000 + int64(i)
		}
		s.equal(s.open(noon, without...), []job.Job{added})
	}},
	{"leased jobs cannot be taken", func(s *store) {
		added := s.job(1, heldBy("a"))
		s.takes(added.ID, noon, "b", false)
		s.takes(added.ID, noon.Add(2*time.Minute), "b", true)
		s.takes(added.ID, noon.Add(2*time.Minute), "c", false)
		s.takes(added.ID+100, noon.Add(2*time.Minute), "c", false)
		s.equal(check.Must(s.Runs.HoldJob(s.ctx, added.ID, "a"))(s.t), false)
		s.equal(check.Must(s.Runs.HoldJob(s.ctx, added.ID, "b"))(s.t), true)
	}},
	{"of concurrent takers of a job one succeeds", func(s *store) {
		added := s.job(1, job.Lease{})
		var winners atomic.Int64
		s.allOK(check.Together(crowd, func(i int) error {
			_, taken, err := s.Runs.TakeJob(s.ctx, added.ID, noon, heldBy(string(rune('a'+i))))
			if taken {
				winners.Add(1)
			}
			return err
		}))
		s.equal(winners.Load(), int64(1))
	}},
	{"taking a job shows its cancellation", func(s *store) {
		added := s.job(1, job.Lease{})
		s.cancel(1)
		taken, ok, err := s.Runs.TakeJob(s.ctx, added.ID, noon, heldBy("a"))
		s.ok(err)
		s.equal(ok, true)
		added.Cancelled = true
		s.equal(taken, added)
	}},
	{"leases are extended by their owner only", func(s *store) {
		mine, others := s.job(1, heldBy("a")), s.job(2, heldBy("b"))
		held := check.Must(s.Runs.ExtendJobs(s.ctx, job.Lease{Owner: "a", Until: noon.Add(time.Hour)}))(s.t)
		s.equal(held, []job.Held{{ID: mine.ID}})
		s.equal(s.open(noon.Add(30*time.Minute)), []job.Job{others})
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, heldBy("nobody")))(s.t), []job.Held{})
	}},
	{"a lost lease is not extended", func(s *store) {
		added := s.job(1, heldBy("a"))
		s.takes(added.ID, noon.Add(2*time.Minute), "b", true)
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, job.Lease{Owner: "a", Until: noon.Add(time.Hour)}))(s.t), []job.Held{})
		s.takes(added.ID, noon.Add(30*time.Minute), "c", true)
	}},
	{"the owner learns of a cancellation", func(s *store) {
		added := s.job(1, heldBy("a"))
		cancelled, found := s.cancel(1)
		added.Cancelled = true
		s.equal(found, true)
		s.equal(cancelled, added)
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, heldBy("a")))(s.t), []job.Held{{ID: added.ID, Cancelled: true}})
	}},
	{"cancelling other workspaces, kinds and subjects finds nothing", func(s *store) {
		s.job(1, job.Lease{})
		for _, other := range []job.Job{
			{Workspace: s.other, Kind: testKind, Subject: 1},
			{Workspace: s.workspace, Kind: "another", Subject: 1},
			{Workspace: s.workspace, Kind: testKind, Subject: 2},
		} {
			_, found, err := s.Runs.CancelJob(s.ctx, other.Workspace, other.Kind, other.Subject)
			s.ok(err)
			s.equal(found, false)
		}
		s.equal(s.open(noon)[0].Cancelled, false)
	}},
	{"only the owner can end a job", func(s *store) {
		added := s.job(1, heldBy("a"))
		s.equal(check.Must(s.Runs.EndJob(s.ctx, added.ID, "b"))(s.t), false)
		s.equal(len(s.open(noon.Add(time.Hour))), 1)
		s.equal(check.Must(s.Runs.EndJob(s.ctx, added.ID, "a"))(s.t), true)
		s.equal(check.Must(s.Runs.EndJob(s.ctx, added.ID, "a"))(s.t), false)
		s.equal(s.open(noon.Add(time.Hour)), []job.Job{})
	}},
	{"only the owner can leave a job, now or later", func(s *store) {
		now, later := s.job(1, heldBy("a")), s.job(2, heldBy("a"))
		s.ok(s.Runs.LeaveJob(s.ctx, now.ID, "b", time.Time{}))
		s.equal(s.open(noon), []job.Job{})
		s.ok(s.Runs.LeaveJob(s.ctx, now.ID, "a", time.Time{}))
		s.ok(s.Runs.LeaveJob(s.ctx, later.ID, "a", noon.Add(time.Hour)))
		s.equal(s.open(noon), []job.Job{now})
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, job.Lease{Owner: "a", Until: noon.Add(24 * time.Hour)}))(s.t), []job.Held{})
		s.equal(s.open(noon.Add(2*time.Hour)), []job.Job{now, later})
	}},
	{"leave all jobs of any owner", func(s *store) {
		a, b, c := s.job(1, heldBy("a")), s.job(2, heldBy("b")), s.job(3, heldBy("c"))
		s.ok(s.Runs.LeaveJob(s.ctx, c.ID, "c", noon.Add(time.Hour)))
		s.ok(s.Runs.LeaveJobs(s.ctx))
		s.equal(s.open(noon), []job.Job{a, b, c})
		s.equal(check.Must(s.Runs.HoldJob(s.ctx, a.ID, "a"))(s.t), false)
	}},
	{"a held job cannot be taken until the transaction ends", func(s *store) {
		added := s.job(1, heldBy("a"))
		past := noon.Add(time.Hour)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			s.equal(check.Must(s.Runs.HoldJob(ctx, added.ID, "a"))(s.t), true)
			impatient, cancel := context.WithTimeout(s.ctx, 200*time.Millisecond)
			defer cancel()
			_, taken, err := s.Runs.TakeJob(impatient, added.ID, past, heldBy("b"))
			s.equal(taken, false)
			s.equal(err != nil, true)
			return nil
		}))
		s.takes(added.ID, past, "b", true)
	}},
	{"a lost job cannot be held", func(s *store) {
		added := s.job(1, heldBy("a"))
		s.takes(added.ID, noon.Add(time.Hour), "b", true)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			s.equal(check.Must(s.Runs.HoldJob(ctx, added.ID, "a"))(s.t), false)
			s.equal(check.Must(s.Runs.EndJob(ctx, added.ID, "a"))(s.t), false)
			return nil
		}))
		s.equal(check.Must(s.Runs.HoldJob(s.ctx, added.ID, "b"))(s.t), true)
	}},
}
