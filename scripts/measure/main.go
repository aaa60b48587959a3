// Command measure prints code metrics: lines without tests for each package,
// lengths of functions, files that are too long, the largest types, interfaces and
// folders, what packages import, import cycles, and exported
// names without a comment. Run it before and after a change to the structure:
//
//	go run ./scripts/measure [checkout]
package main

import (
	"fmt"
	"os"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := run(root); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	files, err := readGo(root)
	if err != nil {
		return err
	}
	writeSizes(os.Stdout, files)
	writeFunctions(os.Stdout, files)
	writeLongFiles(os.Stdout, files)
	writeWeight(os.Stdout, files)
	writeComments(os.Stdout, files)
	modules, err := readTypeScript(root)
	if err != nil {
		return err
	}
	fmt.Println("\nimport cycles in Go: the compiler allows none")
	writeCycles(os.Stdout, modules)
	return nil
}
