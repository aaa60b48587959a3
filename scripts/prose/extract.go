package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// readable reports whether a string is a text for people: it has three words, and is
// neither SQL nor a format of data.
func readable(text string) bool {
	words := strings.Fields(text)
	return len(words) >= 3 && !statement.MatchString(text) && !strings.ContainsAny(text[:1], "{[<")
}

// statement matches the beginning of SQL.
var statement = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|FROM|WHERE|AND|OR|ORDER|JOIN|LEFT) `)

// goTexts returns the strings of a Go file that are texts for people.
func goTexts(name string) (map[int]string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	texts := map[int]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && text != "" && readable(text) {
			line := set.Position(literal.Pos()).Line
			for i, part := range strings.Split(text, "\n") {
				texts[line+i] += part + " "
			}
		}
		return true
	})
	return texts, nil
}

// webText matches a quoted string, or text between tags, on one line.
var webText = regexp.MustCompile("'([^'\n]+)'|\"([^\"\n]+)\"|`([^`\n]+)`|>([^<>{}\n]+)[<{]|^\\s*([A-Z][^<>{}=();\n]+)$")

// webTexts returns the texts for people of a TypeScript file. Comments are left out.
func webTexts(source string) map[int]string {
	texts := map[int]string{}
	for i, line := range strings.Split(source, "\n") {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "*") || strings.HasPrefix(trimmed, "import ") {
			continue
		}
		for _, match := range webText.FindAllStringSubmatch(line, -1) {
			if text := strings.Join(match[1:], ""); readable(text) && !strings.Contains(line, "className=\""+text) {
				texts[i+1] += text + " "
			}
		}
	}
	return texts
}
