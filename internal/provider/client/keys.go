package client

import (
	"context"
	"strings"
)

// Setting is a key or a URL, and its origin.
type Setting struct {
	Value string
	// Operator reports whether the operator of the server set it, not the
	// workspace.
	Operator bool
}

// Keys finds the settings of a workspace.
type Keys interface {
	// Lookup returns the named settings that have a value. Settings of the
	// workspace take precedence over those of the operator.
	Lookup(ctx context.Context, workspace int64, names ...string) (map[string]Setting, error)
}

// Variables are the decrypted environment variables of workspaces.
type Variables interface {
	// Resolve returns the values of a workspace by name. The tool is 0.
	Resolve(ctx context.Context, workspace, tool int64) (map[string]string, error)
}

// NewKeys returns keys from the environment variables of a workspace or, for
// missing ones, from the environment of the process, which getenv reads.
func NewKeys(variables Variables, getenv func(string) string) Keys {
	return environments{variables, getenv}
}

type environments struct {
	variables Variables
	getenv    func(string) string
}

// Lookup reads the workspace's variables once for all names.
func (e environments) Lookup(ctx context.Context, workspace int64, names ...string) (map[string]Setting, error) {
	own, err := e.variables.Resolve(ctx, workspace, 0)
	if err != nil {
		return nil, err
	}
	found := make(map[string]Setting, len(names))
	for _, name := range names {
		if value := strings.TrimSpace(own[name]); value != "" {
			found[name] = Setting{Value: value}
		} else if value := strings.TrimSpace(e.getenv(name)); value != "" {
			found[name] = Setting{Value: value, Operator: true}
		}
	}
	return found, nil
}

// settings are the result of Lookup.
type settings map[string]Setting

// first returns the first of the named settings of the workspace, else the
// first of the operator.
func (s settings) first(names []string) Setting {
	var operator Setting
	for _, name := range names {
		switch setting := s[name]; {
		case setting.Value == "":
		case !setting.Operator:
			return setting
		case operator.Value == "":
			operator = setting
		}
	}
	return operator
}
