package job

import "sync"

// slots bounds how many jobs run at once, in all and in each workspace, so
// that no workspace keeps the others waiting.
type slots struct {
	total, each int

	mu    sync.Mutex
	taken int
	by    map[int64]int
}

func newSlots(total, each int) *slots { return &slots{total: total, each: each, by: map[int64]int{}} }

// take takes a slot for the workspace and reports whether there was one.
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

// full returns the workspaces that have no slot left, and how many slots there
// are for others.
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
