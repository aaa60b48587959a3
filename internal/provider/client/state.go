package client

import (
	"context"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// Source is where a setting comes from.
type Source string

// The sources. Unset settings have none.
const (
	FromWorkspace   Source = "workspace"
	FromEnvironment Source = "environment"
)

// Purpose is what a setting is for.
type Purpose string

// The purposes of settings.
const (
	ForKey     Purpose = "api_key"
	ForAddress Purpose = "base_url"
	ForVersion Purpose = "api_version"
)

// Variable is a setting of a provider, without its value.
type Variable struct {
	Name    string
	Purpose Purpose
	// Required reports whether calls need it, or another one for the same
	// purpose.
	Required bool
	// Source is where it is set, or "".
	Source Source
}

// ProviderState is how a provider is configured for a workspace.
type ProviderState struct {
	Name string
	// Configured reports whether calls can be made. Source is the origin of the
	// key or, if no key is needed, of the URL.
	Configured bool
	Source     Source
	// Variables are its settings.
	Variables []Variable
	// Models are the names of its known models. It may have others.
	Models []string
}

// Providers returns the providers that can be called by name, in the order of
// their names, without the values of their settings.
func (s *Service) Providers(ctx context.Context, workspace int64) ([]ProviderState, error) {
	var callable []*provider.Provider
	var settingNames []string
	for _, p := range builtin.Providers.All() {
		if p.Callable() {
			callable = append(callable, p)
			settingNames = append(settingNames, p.Settings()...)
		}
	}
	found, err := s.options.Keys.Lookup(ctx, workspace, settingNames...)
	if err != nil {
		return nil, err
	}
	list := make([]ProviderState, len(callable))
	for i, p := range callable {
		list[i] = settings(found).state(p)
		list[i].Models = s.options.Models(p.Name)
	}
	slices.SortFunc(list, func(a, b ProviderState) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// state returns the configuration of a provider.
func (s settings) state(p *provider.Provider) ProviderState {
	address := s.address(p)
	key := s.key(p, address)
	state := ProviderState{
		Name:       p.Name,
		Configured: address.Value != "" && (key.Value != "" || p.Keyless),
	}
	switch {
	case !state.Configured:
	case key.Value != "":
		state.Source = key.source()
	default:
		state.Source = address.source()
	}
	for _, group := range []struct {
		names    []string
		purpose  Purpose
		required bool
	}{{p.Keys, ForKey, !p.Keyless}, {p.Bases, ForAddress, p.Base == ""}, {p.Versions, ForVersion, false}} {
		for _, name := range group.names {
			state.Variables = append(state.Variables, Variable{name, group.purpose, group.required, s[name].source()})
		}
	}
	return state
}

func (s Setting) source() Source {
	switch {
	case s.Value == "":
		return ""
	case s.Operator:
		return FromEnvironment
	default:
		return FromWorkspace
	}
}
