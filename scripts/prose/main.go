// Command prose extracts the texts that people read from Go and TypeScript, so that
// a checker of prose can read them: messages, help and labels. Each source file
// becomes a text file of the same name below the folder DESTINATION, in which every
// text stands on the line that it has in the source.
//
//	go run ./scripts/prose DESTINATION
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: prose DESTINATION")
		os.Exit(2)
	}
	if err := run(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

// roots are the folders with texts for people.
var roots = []string{"cmd", "internal", "web/src"}

func run(from, destination string) error {
	for _, root := range roots {
		err := filepath.WalkDir(filepath.Join(from, root), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return skip(entry, err)
			}
			texts, err := extract(name)
			if err != nil || len(texts) == 0 {
				return err
			}
			relative, err := filepath.Rel(from, name)
			if err != nil {
				return err
			}
			return write(filepath.Join(destination, relative+".txt"), texts)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// skip leaves out folders without texts for people.
func skip(entry fs.DirEntry, err error) error {
	if err == nil && (entry.Name() == "testdata" || entry.Name() == "dist") {
		return filepath.SkipDir
	}
	return err
}

// extract returns the texts of a file by line, counted from 1.
func extract(name string) (map[int]string, error) {
	switch {
	case strings.HasSuffix(name, "_test.go"), strings.Contains(name, ".test."), strings.HasSuffix(name, ".d.ts"):
		return nil, nil
	case strings.HasSuffix(name, ".go"):
		return goTexts(name)
	case strings.HasSuffix(name, ".ts"), strings.HasSuffix(name, ".tsx"):
		source, err := os.ReadFile(name)
		return webTexts(string(source)), err
	}
	return nil, nil
}

// write writes texts to their lines.
func write(name string, texts map[int]string) error {
	last := 0
	for line := range texts {
		last = max(last, line)
	}
	var text strings.Builder
	for line := range last {
		text.WriteString(texts[line+1])
		text.WriteByte('\n')
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text.String()), 0o600)
}
