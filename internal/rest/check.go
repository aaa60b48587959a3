package rest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
)

// CheckOps returns all that is wrong with a table of operations: ids and
// paths that are not unique, missing texts, statuses that are no success,
// paths and inputs that do not agree, inputs that cannot be bound, and types
// that cannot be documented.
func CheckOps(ops []Op) error {
	operations, err := compileOps(ops, DefaultMaxBody)
	if err != nil {
		return err
	}
	_, err = (&Router{operations: operations}).buildOpenAPI()
	return err
}

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// checkOp looks at one operation by itself.
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

// checkParams compares the path's parameters with the input's path fields.
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

// checkUnique looks for two operations with one id or one place.
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
// "operation: field". A test of the table decides how strict it is.
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
