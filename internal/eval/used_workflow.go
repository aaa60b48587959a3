package eval

import "sync"

// UsedWorkflow is a version of a workflow, and how often a column has run it.
type UsedWorkflow struct{ ColumnID, ID, Version, Runs int64 }

// usedWorkflows counts the versions of workflows that columns run. It is safe for
// concurrent use.
type usedWorkflows struct {
	mu sync.Mutex
	// runs has a UsedWorkflow without Runs as its key.
	runs map[UsedWorkflow]int64
}

func (u *usedWorkflows) add(columnID, id, version int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.runs == nil {
		u.runs = map[UsedWorkflow]int64{}
	}
	u.runs[UsedWorkflow{ColumnID: columnID, ID: id, Version: version}]++
}

// take returns what was counted and starts again.
func (u *usedWorkflows) take() []UsedWorkflow {
	u.mu.Lock()
	defer u.mu.Unlock()
	var used []UsedWorkflow
	for one, runs := range u.runs {
		one.Runs = runs
		used = append(used, one)
	}
	clear(u.runs)
	return used
}
