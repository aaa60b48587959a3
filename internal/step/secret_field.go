package step

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Hidden stands for a stored credential in everything that is shown. A client
// that sends it keeps the stored value.
const Hidden = "…"

// sealedMember is the only member of the object that takes the place of a sealed
// credential.
const sealedMember = "$sealed"

// IsSealed reports whether a value of a configuration is a sealed credential.
func IsSealed(v jsontree.Value) bool {
	return v.Kind() == jsontree.Object && v.Len() == 1 && v.Get(sealedMember).Kind() == jsontree.String
}

// CheckReserved returns an Invalid fault if a configuration that a client sent
// has a member that is reserved for sealed credentials.
func CheckReserved(config jsontree.Value) error {
	raw := config.Raw()
	if !bytes.Contains(raw, []byte(sealedMember)) && !bytes.Contains(raw, []byte(`\u`)) {
		return nil
	}
	if hasReserved(config) {
		return fault.New(fault.Invalid, "the member %s is reserved", sealedMember)
	}
	return nil
}

func hasReserved(v jsontree.Value) bool {
	for name, member := range v.Members() {
		if name == sealedMember || hasReserved(member) {
			return true
		}
	}
	for _, element := range v.Elems() {
		if hasReserved(element) {
			return true
		}
	}
	return false
}

// secretValue is one credential within a configuration.
type secretValue struct {
	// path names it for people, such as headers.Authorization.
	path  string
	value jsontree.Value
	// isURL reports whether it is a URL that contains a credential.
	isURL bool
}

func (s secretValue) hidden() bool { return s.value.Is(Hidden) }

// plain reports whether the credential is readable and must not be.
func (s secretValue) plain() bool {
	if IsSealed(s.value) || s.value.Is("") {
		return false
	}
	_, _, isReference := reference(s.value.Str())
	return !isReference
}

// secretValues returns all credentials of a configuration, in its order, in
// whatever form. Of members with the same name all are returned.
func (s *Spec) secretValues(config jsontree.Value) []secretValue {
	var found []secretValue
	for name, v := range config.Members() {
		field, known := s.spelled(name)
		switch {
		case !known || !v.Given():
		case field.Kind == FieldURL:
			if isSecretURL(v) {
				found = append(found, secretValue{path: name, value: v, isURL: true})
			}
		case field.Secret:
			found = appendSecrets(found, name, v, field.Public)
		}
	}
	return found
}

// appendSecrets appends the values within a secret field, except those of public
// members.
func appendSecrets(found []secretValue, path string, v jsontree.Value, public []string) []secretValue {
	if v.Kind() != jsontree.Object || IsSealed(v) {
		return append(found, secretValue{path: path, value: v})
	}
	for name, member := range v.Members() {
		isPublic := slices.ContainsFunc(public, func(one string) bool { return strings.EqualFold(one, name) })
		if member.Given() && !isPublic {
			found = appendSecrets(found, path+"."+name, member, nil)
		}
	}
	return found
}

// spelled returns the field with that name or alias, and whether there is one.
func (s *Spec) spelled(name string) (*Field, bool) {
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Name == name || slices.Contains(f.Aliases, name) {
			return f, true
		}
	}
	return nil, false
}

// isSecretURL reports whether the value of a URL is a credential in any form: it
// is sealed, or it has a user or a parameter with the name of a credential.
func isSecretURL(v jsontree.Value) bool {
	if IsSealed(v) || v.Is(Hidden) {
		return true
	}
	parsed, err := url.Parse(v.Str())
	if err != nil {
		// It is refused when it is stored; an older one may contain anything.
		return v.Kind() == jsontree.String && strings.ContainsAny(v.Str(), "@?#")
	}
	return parsed.User != nil || hasSecretParameter(parsed.RawQuery) || hasSecretParameter(parsed.EscapedFragment())
}

// secretParameter matches names of parameters that are credentials.
var secretParameter = regexp.MustCompile(`(?i)(key|token|secret|password|passwd|signature|credentials?|auth)$|^(sig|code|pwd|authorization)$`)

func hasSecretParameter(query string) bool {
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if value != "" && secretParameter.MatchString(name) {
			return true
		}
	}
	return false
}

// referencePattern matches a reference to an environment variable, which may
// follow the name of an authentication scheme.
var referencePattern = regexp.MustCompile(`^([A-Za-z][A-Za-z-]{0,31} +)?\$\{([A-Za-z_][A-Za-z0-9_]*)\}$`)

// reference returns the environment variable that a text refers to, and the text
// before it; ok is false if it is any other text.
func reference(text string) (before, name string, ok bool) {
	found := referencePattern.FindStringSubmatch(text)
	if found == nil {
		return "", "", false
	}
	return found[1], found[2], true
}

// Conceal returns the bytes of a configuration as they may be shown: Hidden takes
// the place of every credential, sealed or not, except for references.
func Conceal(typeName string, config jsontree.Value) []byte {
	var edits []jsontree.Edit
	hide := func(v jsontree.Value) {
		edits = append(edits, jsontree.Edit{Value: v, Text: []byte(`"` + Hidden + `"`)})
	}
	if spec := types[typeName]; spec != nil {
		for _, one := range spec.secretValues(config) {
			if one.plain() {
				hide(one.value)
			}
		}
	}
	if bytes.Contains(config.Raw(), []byte(sealedMember)) {
		eachSealed(config, hide) // also in members that are left from another type
	}
	if len(edits) == 0 {
		return config.Raw()
	}
	return config.Splice(edits)
}

func eachSealed(v jsontree.Value, use func(jsontree.Value)) {
	if IsSealed(v) {
		use(v)
		return
	}
	for _, member := range v.Members() {
		eachSealed(member, use)
	}
	for _, element := range v.Elems() {
		eachSealed(element, use)
	}
}
