// Command testreport reads the output of go test -json while the tests run. It
// prints each package when it ends and each failure when it happens, with the
// command that repeats it. At the end come all failures, the packages and tests
// that took longest, and a line that counts all tests.
//
//	go test -json ./... | testreport -packages 120
//
// It exits with 1 when a test failed, when one was skipped in CI, and when
// none ran at all.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	packages := flag.Int("packages", 0, "number of packages that will be tested, 0 if unknown")
	options := flag.String("flags", "", "flags of go test, for the commands that repeat failures")
	flag.Parse()
	r := newReport(os.Stdout, *packages, *options)
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		_, _ = io.Copy(io.Discard, os.Stdin) // go test ends as usual
		os.Exit(2)
	}
	good, err := r.write(os.Getenv("CI") == "true")
	if err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}
