package builtin_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// TestEveryFolderIsListed finds providers that are missing from the list.
func TestEveryFolderIsListed(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("builtin.go")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, folder := range folders {
		name := folder.Name()
		if !folder.IsDir() || slices.Contains([]string{"builtin", "client", "providertest"}, name) {
			continue
		}
		count++
		if !strings.Contains(string(list), "\t"+name+".Providers,\n") {
			t.Errorf("%s is not in the list", name)
		}
	}
	if count < 7 {
		t.Errorf("only %d folders were found", count)
	}
}

// eachAPI calls check with every API of every provider.
func eachAPI(check func(name string, p *provider.Provider, api *provider.API)) {
	for _, p := range builtin.Providers.All() {
		for _, api := range p.APIs {
			name := p.Name + " " + strings.Join(api.Types, "/")
			check(name, p, api)
			if api.Completion != nil {
				check(name+" completion", p, api.Completion)
			}
		}
	}
}

// missing returns the parts that an API does not implement.
func missing(api *provider.API) []provider.Part {
	var parts []provider.Part
	for _, part := range []struct {
		part provider.Part
		has  bool
	}{
		{provider.PartArguments, api.Format != nil},
		{provider.PartReading, api.Reader != nil},
		{provider.PartCalling, api.Caller != nil},
		{provider.PartStreaming, api.Caller != nil && api.Caller.Stream != nil},
		{provider.PartUsage, api.Reader != nil && api.Reader.Usage != nil},
	} {
		if !part.has {
			parts = append(parts, part.part)
		}
	}
	return parts
}

// TestAPIsHaveEveryPart checks that an API either implements a part or lists it
// in Lacks.
func TestAPIsHaveEveryPart(t *testing.T) {
	t.Parallel()
	eachAPI(func(name string, _ *provider.Provider, api *provider.API) {
		if diff := cmp.Diff(api.Lacks, missing(api)); diff != "" {
			t.Errorf("%s (-declared to lack +lacks):\n%s", name, diff)
		}
		if api.Format == nil || api.Format.Write == nil {
			t.Errorf("%s cannot be given arguments", name)
		}
	})
}

// TestPartsAreComplete checks the required fields of parts.
func TestPartsAreComplete(t *testing.T) {
	t.Parallel()
	eachAPI(func(name string, p *provider.Provider, api *provider.API) {
		if r := api.Reader; r != nil && (r.Input == nil || r.Output == nil || len(r.Functions) == 0) {
			t.Errorf("%s has an incomplete reader", name)
		}
		c := api.Caller
		if c == nil {
			return
		}
		if c.Address == nil || c.Body == nil || c.Finish == nil || c.WantsJSON == nil {
			t.Errorf("%s has an incomplete caller", name)
		}
		if api.Reader == nil || api.Reader.Usage == nil {
			t.Errorf("%s can be called, but not billed", name)
		}
		if len(p.Libraries) == 0 || len(p.Keys) == 0 || len(p.Bases) == 0 {
			t.Errorf("%s can be called, but not configured", name)
		}
	})
}

// TestDefaultAPIs checks that every provider has at least a format and a
// reader.
func TestDefaultAPIs(t *testing.T) {
	t.Parallel()
	for _, p := range builtin.Providers.All() {
		for _, part := range p.APIs[0].Lacks {
			if part != provider.PartCalling && part != provider.PartStreaming {
				t.Errorf("%s lacks %s", p.Name, part)
			}
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range builtin.Providers.All() {
		if seen[p.Name] {
			t.Errorf("%s is listed twice", p.Name)
		}
		seen[p.Name] = true
		if found, listed := builtin.Providers.Find(p.Name); found != p || !listed {
			t.Errorf("%s is found as %s", p.Name, found.Name)
		}
	}
}
