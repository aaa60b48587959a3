package skill

import (
	"context"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// maxName is the longest name in characters.
	maxName = 255
	// namesAtOnce is how many names are tried with one query.
	namesAtOnce = 200
	// maxLost is how often a name is tried that others take at the same time.
	maxLost = 50
)

// cleanName returns a name without blanks around it. The fault is BadRequest
// when no folder could be called that.
func cleanName(name string) (string, error) {
	clean := strings.TrimSpace(name)
	switch {
	case clean == "":
		return "", fault.BadRequestf("The name must not be empty")
	case utf8.RuneCountInString(clean) > maxName:
		return "", fault.BadRequestf("The name must not be longer than %d characters", maxName)
	case clean == "." || clean == "..":
		return "", fault.BadRequestf("The name %q cannot be that of a folder", clean)
	case strings.ContainsAny(clean, `/\`) || strings.ContainsFunc(clean, unicode.IsControl) || !utf8.ValidString(clean):
		return "", fault.BadRequestf("The name must not contain slashes or control characters")
	}
	return clean, nil
}

// numbered returns a name that tells a collection from others of the name.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	suffix := "-" + strconv.Itoa(n)
	runes := []rune(name)
	return string(runes[:min(len(runes), maxName-len(suffix))]) + suffix
}

// freeName returns the first name that no live collection has but the one with
// the id, which is 0 for a new one.
func (s *Service) freeName(ctx context.Context, workspace int64, name string, id int64) (string, error) {
	for first := 1; ; first += namesAtOnce {
		names := make([]string, namesAtOnce)
		for i := range names {
			names[i] = numbered(name, first+i)
		}
		taken, err := s.catalog.EntitiesByName(ctx, workspace, entity.KindSkill, names)
		if err != nil {
			return "", err
		}
		for _, one := range names {
			if owner, isTaken := taken[one]; !isTaken || owner == id {
				return one, nil
			}
		}
	}
}

// underFreeName calls take with names until it gets one that nobody else took
// meanwhile.
func (s *Service) underFreeName(
	ctx context.Context, workspace int64, name string, id int64, take func(free string) (entity.Entity, error),
) (entity.Entity, error) {
	var taken error
	for range maxLost {
		free, err := s.freeName(ctx, workspace, name, id)
		if err != nil {
			return entity.Entity{}, err
		}
		made, err := take(free)
		if !fault.Is(err, fault.Conflict) {
			return made, err
		}
		taken = err
	}
	return entity.Entity{}, taken
}
