package script

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
)

const (
	launchArgument = "__script-launch"
	exitLaunch     = 98 // how a launcher says that it could not start the program
	launchInput    = 3  // the descriptor with the spec, which the program inherits
)

// launchSpec says what a launcher becomes.
type launchSpec struct {
	Path string        `json:"path"`
	Args []string      `json:"args"`
	Env  []string      `json:"env"`
	Read []string      `json:"read"` // what it may read
	Time time.Duration `json:"time"`
}

// launch limits this process and then becomes the program that its spec names.
// Limits have to be set by the process itself, and before the program is there.
func launch() int {
	runtime.LockOSThread() // what is given up, is given up by one thread
	var spec launchSpec
	err := readFrame(os.NewFile(launchInput, "spec"), maxFrame, &spec)
	if err == nil {
		err = confine(spec)
	}
	if err == nil {
		err = syscall.Exec(spec.Path, spec.Args, spec.Env)
	}
	fmt.Fprintln(os.Stderr, "launch:", err)
	return exitLaunch
}
