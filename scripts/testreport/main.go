// Command testreport turns the output of go test -json into a short report:
// one line for each package, the output of what failed, the slowest tests, and
// a last line that counts them all.
//
// It exits with 1 when a test failed, when one was skipped in CI, and when
// none ran at all.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: testreport FILE")
		os.Exit(2)
	}
	good, err := run(os.Args[1], os.Getenv("CI") == "true")
	if err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

func run(path string, ci bool) (good bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // only read
	r, err := read(file)
	if err != nil {
		return false, err
	}
	return r.write(os.Stdout, ci)
}
