package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// graph has the modules that each module imports.
type graph map[string][]string

// imported matches the static and dynamic imports of a module.
var imported = regexp.MustCompile(`(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]`)

// readTypeScript returns the imports of the web app's modules.
func readTypeScript(root string) (graph, error) {
	sources := filepath.Join(root, "web", "src")
	texts := map[string]string{}
	err := walk(sources, func(name string) error {
		if !strings.HasSuffix(name, ".ts") && !strings.HasSuffix(name, ".tsx") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(sources, name))
		texts[name] = string(text)
		return err
	})
	modules := graph{}
	for name, text := range texts {
		modules[name] = nil
		for _, match := range imported.FindAllStringSubmatch(text, -1) {
			if file := resolve(texts, name, match[1]); file != "" {
				modules[name] = append(modules[name], file)
			}
		}
	}
	return modules, err
}

// resolve returns the file of an import, "" for external packages.
func resolve(texts map[string]string, from, target string) string {
	switch {
	case strings.HasPrefix(target, "@/"):
		target = strings.TrimPrefix(target, "@/")
	case strings.HasPrefix(target, "."):
		target = path.Join(path.Dir(from), target)
	default:
		return ""
	}
	for _, end := range []string{"", ".ts", ".tsx", "/index.ts", "/index.tsx"} {
		if _, ok := texts[target+end]; ok {
			return target + end
		}
	}
	return ""
}

func writeCycles(w io.Writer, modules graph) {
	cycles := slices.DeleteFunc(modules.components(), func(c []string) bool { return len(c) < 2 })
	slices.SortFunc(cycles, func(a, b []string) int { return cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b)) })
	fmt.Fprintf(w, "import cycles in TypeScript: %d among %d modules\n", len(cycles), len(modules))
	for _, cycle := range cycles {
		fmt.Fprintf(w, "%8d  %s\n", len(cycle), strings.Join(cycle, " "))
	}
}

// components returns the strongly connected components, by Tarjan's algorithm.
func (g graph) components() [][]string {
	s := &search{graph: g, index: map[string]int{}, low: map[string]int{}, open: map[string]bool{}}
	for name := range g {
		if _, seen := s.index[name]; !seen {
			s.visit(name)
		}
	}
	return s.found
}

type search struct {
	graph      graph
	index, low map[string]int
	open       map[string]bool
	stack      []string
	found      [][]string
}

func (s *search) visit(name string) {
	s.index[name], s.low[name], s.open[name] = len(s.index), len(s.index), true
	s.stack = append(s.stack, name)
	for _, next := range s.graph[name] {
		if _, seen := s.index[next]; !seen {
			s.visit(next)
			s.low[name] = min(s.low[name], s.low[next])
		} else if s.open[next] {
			s.low[name] = min(s.low[name], s.index[next])
		}
	}
	if s.low[name] != s.index[name] {
		return
	}
	at := slices.Index(s.stack, name)
	component := slices.Sorted(slices.Values(s.stack[at:]))
	for _, member := range component {
		s.open[member] = false
	}
	s.stack = s.stack[:at]
	s.found = append(s.found, component)
}
