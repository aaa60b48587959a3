package workflow

import (
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// maxNamed is the maximum number of nodes of a cycle in a message.
const maxNamed = 20

// refuseCycle returns a fault that names the nodes of a cycle.
func (g *graph) refuseCycle(cycle []int) error {
	var names []string
	for _, place := range cycle[:min(len(cycle), maxNamed)] {
		names = append(names, g.Nodes[place].Name)
	}
	if len(cycle) > maxNamed {
		names = append(names, "…")
	}
	return fault.BadRequestf("Workflow contains a cycle: %s", strings.Join(append(names, names[0]), " -> "))
}
