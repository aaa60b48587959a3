package script

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

const (
	launchArgument = "__script-launch"
	exitLaunch     = 98 // the exit code of a process that could not prepare itself
	launchInput    = 3  // the descriptor with the spec, which the program inherits
	launchOutput   = 4  // the last descriptor that the program inherits
)

// launchEnvironment keeps Go from preempting the launcher while it can start no
// thread. The program gets that of its spec.
var launchEnvironment = []string{"GODEBUG=asyncpreemptoff=1"}

// launchSpec describes the program that a launcher becomes.
type launchSpec struct {
	Path   string        `json:"path"`
	Args   []string      `json:"args"`
	Env    []string      `json:"env"`
	Read   []string      `json:"read"` // what it may read
	Time   time.Duration `json:"time"`
	Memory int64         `json:"memory"`
}

// launch restricts this process and executes the program of its spec. It
// returns only if that fails.
func launch() int {
	runtime.LockOSThread() // restrictions apply to one thread
	var spec launchSpec
	err := readFrame(os.NewFile(launchInput, "spec"), maxFrame, &spec)
	if err == nil {
		err = become(spec)
	}
	fmt.Fprintln(os.Stderr, "launch:", err)
	return exitLaunch
}
