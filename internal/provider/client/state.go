package client

import (
	"context"
	"maps"
	"slices"
)

// Source says who set something.
type Source string

// The sources. Nobody has set what has none.
const (
	FromWorkspace   Source = "workspace"
	FromEnvironment Source = "environment"
)

// Purpose says what a setting is for.
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
	// Required says that no call is made without it, or without another one for
	// the same purpose.
	Required bool
	// Source is who has set it, "" for nobody.
	Source Source
}

// ProviderState is what a workspace has of a provider.
type ProviderState struct {
	Name string
	// Configured says that calls can be made, and Source with whose key or,
	// where no key is needed, to whose address.
	Configured bool
	Source     Source
	// Variables are the settings that count for it.
	Variables []Variable
	// Models are names of models that it is known to have. It may have others.
	Models []string
}

// Providers returns the providers that are known by name, in the order of
// their names. No value of a setting is part of it.
func (s *Service) Providers(ctx context.Context, workspace int64) ([]ProviderState, error) {
	var settingNames []string
	for _, p := range providers {
		settingNames = slices.Concat(settingNames, p.keys, p.bases, p.versions)
	}
	found, err := s.options.Keys.Lookup(ctx, workspace, settingNames...)
	if err != nil {
		return nil, err
	}
	list := make([]ProviderState, 0, len(providers))
	for _, name := range slices.Sorted(maps.Keys(providers)) {
		list = append(list, providers[name].state(name, found))
	}
	return list, nil
}

// state says what is set of a provider.
func (p *provider) state(name string, known settings) ProviderState {
	address := p.address(known)
	key := p.key(known, address)
	state := ProviderState{
		Name: name, Models: p.models(),
		Configured: address.Value != "" && (key.Value != "" || p.keyless),
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
	}{{p.keys, ForKey, !p.keyless}, {p.bases, ForAddress, p.base == ""}, {p.versions, ForVersion, false}} {
		for _, name := range group.names {
			state.Variables = append(state.Variables, Variable{name, group.purpose, group.required, known[name].source()})
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
