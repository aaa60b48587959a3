package logcopy

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// differing returns values of a type that differ from the zero value, one for each
// of its members.
func differing(t *testing.T, kind reflect.Type) (all []reflect.Value) {
	t.Helper()
	set := func(change func(v reflect.Value)) {
		v := reflect.New(kind).Elem()
		change(v)
		all = append(all, v)
	}
	switch {
	case kind == reflect.TypeFor[json.RawMessage]():
		set(func(v reflect.Value) { v.SetBytes([]byte(`{"a":1}`)) })
	case kind.Kind() == reflect.String:
		set(func(v reflect.Value) { v.SetString("x") })
	case kind.Kind() == reflect.Bool:
		set(func(v reflect.Value) { v.SetBool(true) })
	case reflect.Zero(kind).CanInt():
		set(func(v reflect.Value) { v.SetInt(7) })
	case reflect.Zero(kind).CanUint():
		set(func(v reflect.Value) { v.SetUint(1) })
	case reflect.Zero(kind).CanFloat():
		set(func(v reflect.Value) { v.SetFloat(0.5) })
	case kind == reflect.TypeFor[provider.Count]():
		set(func(v reflect.Value) { v.Set(reflect.ValueOf(provider.Tokens(0))) })
		set(func(v reflect.Value) { v.Set(reflect.ValueOf(provider.Tokens(5))) })
	case kind == reflect.TypeFor[*reqlog.PromptLink]():
		for _, link := range []reqlog.PromptLink{{ID: 1}, {ID: 1, Version: 2}, {ID: 1, Referenced: []string{"x"}}} {
			set(func(v reflect.Value) { v.Set(reflect.ValueOf(&link)) })
		}
	case kind == reflect.TypeFor[[]reqlog.Member]():
		set(func(v reflect.Value) { v.Set(reflect.ValueOf([]reqlog.Member{{Key: "k", Value: []byte("1")}})) })
	case kind.Kind() == reflect.Slice:
		for _, element := range differing(t, kind.Elem()) {
			set(func(v reflect.Value) { v.Set(reflect.Append(v, element)) })
		}
	case kind.Kind() == reflect.Struct:
		for i := range kind.NumField() {
			if name := kind.Field(i).Name; name == "TraceID" && kind == reflect.TypeFor[reqlog.Log]() || kind == reflect.TypeFor[reqlog.Log]() && name == "Index" {
				continue // derived
			}
			for _, member := range differing(t, kind.Field(i).Type) {
				set(func(v reflect.Value) { v.Field(i).Set(member) })
			}
		}
	default:
		t.Fatalf("no values of %s", kind)
	}
	return all
}

// TestEveryMemberCounts hashes logs, spans and ends of traces that differ in one
// member.
func TestEveryMemberCounts(t *testing.T) {
	t.Parallel()
	seen := map[[32]byte]string{}
	add := func(hash [32]byte, what string) {
		t.Helper()
		if other, twice := seen[hash]; twice {
			t.Errorf("%s has the hash of %s", what, other)
		}
		seen[hash] = what
	}
	each(t, func(l reqlog.Log) {
		add(check.Must(hashLog(query.ScannedLog{Log: &l, Logged: reqlog.Price{USD: 9}}))(t), fmt.Sprintf("%+v", l))
	})
	for _, logged := range []reqlog.Price{{USD: 1}, {Source: reqlog.PriceSent}, {}} {
		add(check.Must(hashLog(query.ScannedLog{Log: &reqlog.Log{}, Logged: logged}))(t), fmt.Sprintf("%+v", logged))
	}
	each(t, func(s reqlog.Span) { add(hashSpan(&s), fmt.Sprintf("%+v", s)) })
	each(t, func(c reqlog.Closure) { add(hashClosure(&c), fmt.Sprintf("%+v", c)) })
	if len(seen) < 70 {
		t.Errorf("%d hashes", len(seen))
	}
}

// each calls use with the zero value and the values that differ from it.
func each[T any](t *testing.T, use func(T)) {
	t.Helper()
	kind := reflect.TypeFor[T]()
	for _, v := range append(differing(t, kind), reflect.Zero(kind)) {
		value, ok := v.Interface().(T)
		if !ok {
			t.Fatal(kind)
		}
		use(value)
	}
}

// TestZeroHasNoSign hashes prices of 0, which engines may keep with or without a
// sign.
func TestZeroHasNoSign(t *testing.T) {
	t.Parallel()
	hash := func(usd float64) [32]byte {
		return check.Must(hashLog(query.ScannedLog{Log: &reqlog.Log{Price: reqlog.Price{USD: usd, Source: reqlog.PriceSent}}}))(t)
	}
	check.Equal(t, "hash", hash(math.Copysign(0, -1)), hash(0))
}
