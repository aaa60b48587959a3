// Command sbom prints the software bill of materials of a built program in the
// CycloneDX format: the Go modules that are linked into it and the npm packages
// of its web app.
//
//	go run ./scripts/sbom bin/promptuary web/package-lock.json VERSION
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// document is a bill of materials, as far as it is filled.
type document struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string   `json:"type"`
	Ref     string   `json:"bom-ref"`
	Name    string   `json:"name"`
	Version string   `json:"version"`
	PURL    string   `json:"purl"`
	Hashes  []digest `json:"hashes,omitempty"`
}

type digest struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM PACKAGE-LOCK VERSION")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(out io.Writer, program, lock, version string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	components := goModules(info)
	packages, err := npmPackages(lock)
	if err != nil {
		return err
	}
	components = append(components, packages...)
	slices.SortFunc(components, func(a, b component) int { return cmp.Compare(a.PURL, b.PURL) })
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(document{
		Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata:   metadata{newComponent("application", "golang", info.Main.Path, version)},
		Components: slices.CompactFunc(components, func(a, b component) bool { return a.PURL == b.PURL }),
	})
}

func newComponent(kind, ecosystem, name, version string) component {
	purl := "pkg:" + ecosystem + "/" + strings.Replace(name, "@", "%40", 1) + "@" + version
	return component{Type: kind, Ref: purl, Name: name, Version: version, PURL: purl}
}

// goModules returns the modules of a program, and Go's standard library.
func goModules(info *buildinfo.BuildInfo) []component {
	modules := []component{newComponent("library", "golang", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		modules = append(modules, newComponent("library", "golang", module.Path, module.Version))
	}
	return modules
}

// npmPackages returns the packages that a lock file lists, apart from those that
// are only needed to build and test.
func npmPackages(path string) ([]component, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version   string `json:"version"`
			Integrity string `json:"integrity"`
			Dev       bool   `json:"dev"`
			Optional  bool   `json:"optional"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	var packages []component
	for place, p := range lock.Packages {
		_, name, nested := cutLast(place, "node_modules/")
		if !nested || p.Dev || p.Optional {
			continue
		}
		one := newComponent("library", "npm", name, p.Version)
		if encoded, found := strings.CutPrefix(p.Integrity, "sha512-"); found {
			sum, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil {
				return nil, fmt.Errorf("read the checksum of %s: %w", name, err)
			}
			one.Hashes = []digest{{"SHA-512", hex.EncodeToString(sum)}}
		}
		packages = append(packages, one)
	}
	if len(packages) == 0 {
		return nil, errors.New("the lock file lists no packages")
	}
	return packages, nil
}

func cutLast(text, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}
