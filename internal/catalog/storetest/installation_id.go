package storetest

import (
	"strconv"
	"sync"

	"github.com/promptuary/promptuary/internal/check"
)

// installation returns the id of the installation and whether the catalog has
// been used.
func (s *store) installation() (id string, used bool) {
	s.t.Helper()
	id, used, err := s.Installation.ID(s.ctx)
	s.ok(err)
	return id, used
}

var installationCases = []testCase{
	{"a new catalog belongs to no installation", func(s *store) {
		_, used := s.installation()
		s.equal(used, false)
	}},
	{"the first id stays", func(s *store) {
		s.equal(check.Must(s.Installation.SetID(s.ctx, "one"))(s.t), "one")
		s.equal(check.Must(s.Installation.SetID(s.ctx, "two"))(s.t), "one")
		id, used := s.installation()
		s.equal(id, "one")
		s.equal(used, true)
	}},
	{"concurrent starts agree on an id", func(s *store) {
		var mu sync.Mutex
		ids := map[string]bool{}
		s.allOK(check.Together(crowd, func(i int) error {
			id, err := s.Installation.SetID(s.ctx, strconv.Itoa(i))
			mu.Lock()
			defer mu.Unlock()
			ids[id] = true
			return err
		}))
		s.equal(len(ids), 1)
	}},
}
