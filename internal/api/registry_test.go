package api_test

import (
	"context"
	"maps"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Ids of the workspaces, which the catalog counts from 1.
const home, away = 1, 2

// template is a prompt template: the variables that each version refers to,
// and labels of versions.
type template struct {
	workspace int64
	name      string
	versions  [][]string
	labels    map[string]int64
	deleted   bool
}

// templates holds every prompt template by id. Of two that are called welcome
// each workspace has one.
var templates = map[int64]template{
	901: {workspace: home, name: "welcome", versions: [][]string{{"city"}, {"city", "guest"}}, labels: map[string]int64{"prod": 1}},
	902: {workspace: home, name: "farewell v2", versions: [][]string{nil}},
	903: {workspace: home, name: "retired", versions: [][]string{nil}, deleted: true},
	951: {workspace: away, name: "welcome", versions: [][]string{{"city"}}},
}

// registry answers from templates.
type registry struct{}

func (registry) Resolve(_ context.Context, workspace int64, ref reqlog.PromptRef) (reqlog.PromptLink, error) {
	for _, id := range slices.Sorted(maps.Keys(templates)) {
		t := templates[id]
		byName, byID := ref.Name == t.name, ref.ID == id
		if t.workspace != workspace || t.deleted || !byName && !byID {
			continue
		}
		if ref.Name != "" && !byName || ref.ID != 0 && !byID {
			return reqlog.PromptLink{}, fault.BadRequestf("prompt_name and prompt_id denote different templates")
		}
		version := ref.Version
		if ref.Label != "" {
			version = t.labels[ref.Label]
		} else if version == 0 {
			version = int64(len(t.versions))
		}
		if version >= 1 && version <= int64(len(t.versions)) {
			return reqlog.PromptLink{ID: id, Version: version, Referenced: t.versions[version-1]}, nil
		}
	}
	return reqlog.PromptLink{}, fault.NotFoundf("Prompt template not found")
}

func (registry) IDs(_ context.Context, workspace int64, names []string) (map[string]int64, error) {
	found := map[string]int64{}
	for id, t := range templates {
		if t.workspace == workspace && !t.deleted && slices.Contains(names, t.name) {
			found[t.name] = id
		}
	}
	return found, nil
}

func (registry) Names(_ context.Context, workspace int64, ids []int64) (map[int64]string, error) {
	found := map[int64]string{}
	for id, t := range templates {
		if t.workspace == workspace && slices.Contains(ids, id) {
			found[id] = t.name
		}
	}
	return found, nil
}
