package rest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
)

// CheckOps returns all problems of a table of operations: duplicate ids and
// paths, missing texts, success statuses that are not, paths and inputs that do
// not match, inputs that cannot be bound, and types that cannot be documented.
func CheckOps(ops []Op) error {
	operations, err := compileOps(ops, DefaultMaxBody)
	if err != nil {
		return err
	}
	_, err = (&Router{operations: operations}).buildOpenAPI()
	return err
}

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// checkOp checks one operation on its own.
func checkOp(op *Op) error {
	switch {
	case !slices.Contains(methods, op.Method):
		return fmt.Errorf("method %q is not one of %v", op.Method, methods)
	case op.ID == "" || op.Summary == "" || op.Tag == "":
		return errors.New("id, summary or tag is missing")
	case op.status() < 200 || op.status() > 399:
		return fmt.Errorf("status %d is no success", op.Status)
	case op.Handler.call == nil && op.Handler.raw == nil:
		return errors.New("there is no handler")
	case len(op.Accept) > 0 && op.Handler.raw == nil && !slices.Equal(op.Accept, []string{jsonType}):
		return errors.New("only a raw handler can accept other media types than JSON")
	case op.Stream && (op.Handler.raw == nil || op.Auth == AuthKeyOrBody):
		return errors.New("only a raw handler can read the body itself, and then no key can be in it")
	case op.Auth == AuthNone && op.Limit != "":
		return errors.New("a rate limit counts by caller and needs authentication")
	}
	return nil
}

// checkParams compares the parameters of the path with the path fields of the
// input.
func (op *operation) checkParams() error {
	if op.plan == nil {
		return nil
	}
	var names []string
	for _, p := range op.plan.path {
		names = append(names, p.name)
		if p.readList != nil {
			return fmt.Errorf("path field %s is a list", p.name)
		}
	}
	params := slices.Sorted(slices.Values(op.pattern.params))
	slices.Sort(names)
	if !slices.Equal(params, names) {
		return fmt.Errorf("the path has the parameters %v, the input %v", params, names)
	}
	return nil
}

// checkUnique reports operations with the same id, or with the same method and
// path.
func checkUnique(operations []*operation) []error {
	var errs []error
	seen := make(map[string]string)
	for _, op := range operations {
		for _, key := range []string{"id " + op.ID, op.Method + " " + op.pattern.shape()} {
			if other, ok := seen[key]; ok {
				errs = append(errs, fmt.Errorf("operations %s and %s have the same %s", other, op.ID, key))
			}
			seen[key] = cmp.Or(seen[key], op.ID)
		}
	}
	return errs
}

// Undocumented lists the input fields without a description tag as
// "operation: field". Tests decide which are allowed.
func Undocumented(ops []Op) []string {
	var list []string
	for i := range ops {
		in := ops[i].Handler.in
		if in == nil {
			continue
		}
		_ = walkFields(in, nil, func(f reflect.StructField, _ []int) error {
			for _, source := range []string{"path", "query", "json"} {
				if name, ok := tagName(f, source); ok && f.Tag.Get("description") == "" {
					list = append(list, ops[i].ID+": "+name)
				}
			}
			return nil
		})
	}
	return list
}
