package table

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// starts tells when logs started by their ids, in steps of stepIDs. Ids are given in the
// order in which logs arrive, so those of the newest logs are almost always the highest
// ones, and a search need not read the others, provided that none of them started later.
type starts struct {
	mu    sync.RWMutex
	steps []startStep // in the order of ids
	rows  int64
}

// startStep is about the logs of a step. What is deleted stays in it: rows and the times
// are upper limits.
type startStep struct {
	number int64 // id >> stepBits
	rows   int64
	latest int64 // start of its logs
	before int64 // latest start of this step and all steps before it
}

// read replaces all steps by those of the logs in a table.
func (s *starts) read(ctx context.Context, db *sql.DB) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps, s.rows = nil, 0
	q := queryOf(func(*sqlQuery) string {
		return "SELECT id >> " + strconv.Itoa(stepBits) + " AS step, count(*), max(start_time) FROM log GROUP BY step ORDER BY step"
	})
	err := q.scan(ctx, db, func(scan logsql.Scan) error {
		var next startStep
		err := scan(&next.number, &next.rows, &next.latest)
		s.steps, s.rows = append(s.steps, next), s.rows+next.rows
		return err
	})
	if err != nil {
		return fmt.Errorf("read starts of logs: %w", err)
	}
	s.sum(0)
	return nil
}

// sum computes what depends on earlier steps, from a step on.
func (s *starts) sum(from int) {
	for i := from; i < len(s.steps); i++ {
		s.steps[i].before = s.steps[i].latest
		if i > 0 {
			s.steps[i].before = max(s.steps[i].latest, s.steps[i-1].before)
		}
	}
}

// add adds logs. It must be called before queries can see them.
func (s *starts) add(logs []*reqlog.Log) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := len(s.steps)
	for _, l := range logs {
		number := l.ID >> stepBits
		at, found := s.find(number)
		if !found {
			s.steps = slices.Insert(s.steps, at, startStep{number: number, latest: int64(l.Start)})
		}
		step := &s.steps[at]
		step.rows++
		step.latest = max(step.latest, int64(l.Start))
		changed = min(changed, at)
	}
	s.rows += int64(len(logs))
	s.sum(changed)
}

// find returns the place of a step. It is almost always the last one.
func (s *starts) find(number int64) (at int, found bool) {
	if last := len(s.steps) - 1; last >= 0 && s.steps[last].number <= number {
		return last + min(1, int(number-s.steps[last].number)), s.steps[last].number == number
	}
	return slices.BinarySearchFunc(s.steps, number, func(step startStep, number int64) int { return cmp.Compare(step.number, number) })
}

// newestShare is how many times as many logs as it takes on average are read to find a
// page of the newest ones.
const newestShare = 4

// newest returns an id after which so many of the selected logs probably are, of which
// there are total ones, or 0 if reading only these is not worth it.
func (s *starts) newest(wanted, total int64) (after int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	enough := float64(newestShare*wanted) * float64(s.rows) / float64(total)
	rows, latest := int64(0), int64(math.MinInt64)
	for i := len(s.steps) - 1; i > 0; i-- {
		rows, latest = rows+s.steps[i].rows, max(latest, s.steps[i].latest)
		switch before := s.steps[i-1].before; {
		case rows > s.rows/newestShare:
			return 0
		case float64(rows) < enough:
		case latest < before: // an older log has a later time than all of these
			return 0
		default:
			return s.steps[i].number<<stepBits - 1
		}
	}
	return 0
}

// latest returns when the latest of the logs up to an id started, which is the last one of
// a step.
func (s *starts) latest(upTo int64) int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	at, _ := s.find((upTo + 1) >> stepBits)
	return s.steps[at-1].before
}
