package job

import "sync"

// slots limits the number of concurrent jobs, in total and per workspace, so
// that no workspace starves the others.
type slots struct {
	total, each int

	mu    sync.Mutex
	taken int
	by    map[int64]int
}

func newSlots(total, each int) *slots { return &slots{total: total, each: each, by: map[int64]int{}} }

// take takes a slot for the workspace. It reports whether one was free.
func (s *slots) take(workspace int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= s.total || s.by[workspace] >= s.each {
		return false
	}
	s.taken++
	s.by[workspace]++
	return true
}

func (s *slots) free(workspace int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.by[workspace]--; s.by[workspace] == 0 {
		delete(s.by, workspace)
	}
}

// full returns the workspaces without free slots, and the number of free slots
// for the others.
func (s *slots) full() (workspaces []int64, left int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for workspace, taken := range s.by {
		if taken >= s.each {
			workspaces = append(workspaces, workspace)
		}
	}
	return workspaces, s.total - s.taken
}
