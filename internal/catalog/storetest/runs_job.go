package storetest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
)

const testKind job.Kind = "test"

// noon is a time at which runs begin.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// heldBy returns a lease that does not end during a test.
func heldBy(owner string) job.Lease { return job.Lease{Owner: owner, For: time.Hour} }

// lostBy returns a lease that has expired.
func lostBy(owner string) job.Lease { return job.Lease{Owner: owner, For: -time.Second} }

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

// open returns the jobs without a lease.
func (s *store) open(without ...int64) []job.Job {
	s.t.Helper()
	return check.Must(s.Runs.OpenJobs(s.ctx, without, 100))(s.t)
}

// takes fails the test unless taking the job succeeds, or does not, as expected.
func (s *store) takes(id int64, owner string, want bool) job.Job {
	s.t.Helper()
	taken, ok, err := s.Runs.TakeJob(s.ctx, id, heldBy(owner))
	s.ok(err)
	s.equal(ok, want)
	return taken
}

// holds fails the test unless the job has the lease, or does not, as expected.
func (s *store) holds(held job.Job, want bool) {
	s.t.Helper()
	s.equal(check.Must(s.Runs.HoldJob(s.ctx, held))(s.t), want)
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
		s.equal(added, job.Job{ID: added.ID, Workspace: s.workspace, Kind: testKind, Subject: 7, Token: 1})
		s.equal(s.open(), []job.Job{added})
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
		s.equal(s.open(), []job.Job{})
	}},
	{"leased jobs are not open", func(s *store) {
		s.job(1, heldBy("a"))
		s.equal(s.open(), []job.Job{})
		expired := s.job(2, lostBy("a"))
		s.equal(s.open(), []job.Job{expired})
	}},
	{"leases are measured by the clock of the database", func(s *store) {
		added := s.job(1, job.Lease{Owner: "a", For: 300 * time.Millisecond})
		s.takes(added.ID, "b", false)
		check.Eventually(s.t, "the lease ends", func() bool { return len(s.open()) == 1 })
		s.takes(added.ID, "b", true)
	}},
	{"open jobs: oldest first, limited, without some workspaces", func(s *store) {
		first, second := s.job(3, job.Lease{}), s.job(2, job.Lease{})
		s.job(1, heldBy("a"))
		s.equal(s.open(), []job.Job{first, second})
		s.equal(check.Must(s.Runs.OpenJobs(s.ctx, nil, 1))(s.t), []job.Job{first})
		s.equal(s.open(s.other), []job.Job{first, second})
		s.equal(s.open(s.other, s.workspace), []job.Job{})
	}},
	{"any number of workspaces can be excluded", func(s *store) {
		added := s.job(1, job.Lease{})
		without := make([]int64, 3000)
		for i := range without {
			without[i] = 1_000_000 + int64(i)
		}
		s.equal(s.open(without...), []job.Job{added})
	}},
	{"leased jobs cannot be taken", func(s *store) {
		held, lost := s.job(1, heldBy("a")), s.job(2, lostBy("a"))
		s.takes(held.ID, "b", false)
		taken := s.takes(lost.ID, "b", true)
		s.takes(lost.ID, "c", false)
		s.takes(lost.ID+100, "c", false)
		s.holds(lost, false)
		s.holds(taken, true)
	}},
	{"an owner that takes its job again has another lease", func(s *store) {
		before := s.job(1, lostBy("a"))
		after := s.takes(before.ID, "a", true)
		s.holds(before, false)
		s.equal(check.Must(s.Runs.EndJob(s.ctx, before))(s.t), false)
		s.ok(s.Runs.LeaveJob(s.ctx, before, 0))
		s.holds(after, true)
	}},
	{"of concurrent takers of a job one succeeds", func(s *store) {
		added := s.job(1, job.Lease{})
		var winners atomic.Int64
		s.allOK(check.Together(crowd, func(i int) error {
			_, taken, err := s.Runs.TakeJob(s.ctx, added.ID, heldBy(string(rune('a'+i))))
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
		taken, ok, err := s.Runs.TakeJob(s.ctx, added.ID, heldBy("a"))
		s.ok(err)
		s.equal(ok, true)
		added.Cancelled, added.Token = true, added.Token+1
		s.equal(taken, added)
	}},
	{"leases are extended by their owner only", func(s *store) {
		mine, others := s.job(1, lostBy("a")), s.job(2, lostBy("b"))
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, heldBy("a")))(s.t), []job.Job{mine})
		s.equal(s.open(), []job.Job{others})
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, heldBy("nobody")))(s.t), []job.Job{})
	}},
	{"a lost lease is not extended", func(s *store) {
		added := s.job(1, lostBy("a"))
		taken, ok, err := s.Runs.TakeJob(s.ctx, added.ID, lostBy("b"))
		s.ok(err)
		s.equal(ok, true)
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, heldBy("a")))(s.t), []job.Job{})
		s.equal(s.open(), []job.Job{taken})
	}},
	{"the owner learns of a cancellation", func(s *store) {
		added := s.job(1, heldBy("a"))
		cancelled, found := s.cancel(1)
		added.Cancelled = true
		s.equal(found, true)
		s.equal(cancelled, added)
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, heldBy("a")))(s.t), []job.Job{added})
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
		s.equal(s.open()[0].Cancelled, false)
	}},
	{"only the owner can end a job", func(s *store) {
		added := s.job(1, lostBy("a"))
		taken := s.takes(added.ID, "b", true)
		s.equal(check.Must(s.Runs.EndJob(s.ctx, added))(s.t), false)
		s.equal(check.Must(s.Runs.EndJob(s.ctx, taken))(s.t), true)
		s.equal(check.Must(s.Runs.EndJob(s.ctx, taken))(s.t), false)
		s.takes(added.ID, "c", false)
	}},
	{"only the owner can leave a job, now or later", func(s *store) {
		now, later, others := s.job(1, heldBy("a")), s.job(2, heldBy("a")), s.job(3, heldBy("a"))
		others.Token++
		s.ok(s.Runs.LeaveJob(s.ctx, others, 0))
		s.ok(s.Runs.LeaveJob(s.ctx, now, 0))
		s.ok(s.Runs.LeaveJob(s.ctx, later, time.Hour))
		now.Token++
		s.equal(s.open(), []job.Job{now})
		others.Token--
		s.equal(check.Must(s.Runs.ExtendJobs(s.ctx, heldBy("a")))(s.t), []job.Job{others})
		later.Token++
		s.ok(s.Runs.LeaveJob(s.ctx, later, -time.Second))
		later.Token++
		s.equal(s.open(), []job.Job{now, later})
	}},
	{"a job that was left cannot be held", func(s *store) {
		added := s.job(1, heldBy("a"))
		s.ok(s.Runs.LeaveJob(s.ctx, added, time.Hour))
		s.holds(added, false)
	}},
	{"leave all jobs of any owner", func(s *store) {
		a, b, c := s.job(1, heldBy("a")), s.job(2, heldBy("b")), s.job(3, heldBy("c"))
		s.ok(s.Runs.LeaveJob(s.ctx, c, time.Hour))
		s.ok(s.Runs.LeaveJobs(s.ctx))
		s.holds(a, false)
		a.Token, b.Token, c.Token = 2, 2, 3
		s.equal(s.open(), []job.Job{a, b, c})
	}},
	{"a held job cannot be taken until the transaction ends", func(s *store) {
		added := s.job(1, lostBy("a"))
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			s.equal(check.Must(s.Runs.HoldJob(ctx, added))(s.t), true)
			impatient, cancel := context.WithTimeout(s.ctx, 200*time.Millisecond)
			defer cancel()
			_, taken, err := s.Runs.TakeJob(impatient, added.ID, heldBy("b"))
			s.equal(taken, false)
			s.equal(err != nil, true)
			return nil
		}))
		s.takes(added.ID, "b", true)
	}},
	{"a lost job cannot be held", func(s *store) {
		added := s.job(1, lostBy("a"))
		taken := s.takes(added.ID, "b", true)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			s.equal(check.Must(s.Runs.HoldJob(ctx, added))(s.t), false)
			s.equal(check.Must(s.Runs.EndJob(ctx, added))(s.t), false)
			return nil
		}))
		s.holds(taken, true)
	}},
}
