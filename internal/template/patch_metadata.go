package template

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// CheckMetadataChanges adds a problem for each change of metadata with a wrong
// JSON type. The changes are members of the object at loc.
func CheckMetadataChanges(modelParameters, responseFormat jsontree.Value, loc []any, problems *fault.Problems) {
	r := shape.New(loc, problems)
	for _, c := range []change{{name: "model_parameters", value: modelParameters}, {name: "response_format", value: responseFormat}} {
		if c.value.Given() {
			r.Enter(c.name)
			r.Is(c.value, jsontree.Object)
			r.Leave()
		}
	}
}

// PatchMetadata merges parameters into those of the model, one level deep, and
// sets its response format, or removes it if null. Metadata without a model
// gets one with only parameters. Without changes, the result is the base.
func PatchMetadata(base, modelParameters, responseFormat jsontree.Value) ([]byte, error) {
	var problems fault.Problems
	CheckMetadataChanges(modelParameters, responseFormat, fault.In(), &problems)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	set := responseFormat.Kind() != jsontree.Absent
	if set && modelParameters.Get("response_format").Kind() != jsontree.Absent {
		return nil, fault.BadRequestf("response_format must not be set both at the top level and in model_parameters")
	}
	old := base.Get("model").Get("parameters")
	if modelParameters.Len() == 0 && !responseFormat.Given() && (!set || old.Get("response_format").Kind() == jsontree.Absent) {
		return base.Raw(), nil
	}
	merged := mergeParameters(old, modelParameters, responseFormat)
	return withParameters(base, merged), nil
}

// mergeParameters keeps the position of replaced parameters.
func mergeParameters(old, changed, responseFormat jsontree.Value) []byte {
	fields := make([]field, 0, old.Len()+changed.Len()+1)
	places := make(map[string]int, cap(fields))
	put := func(name string, json []byte) {
		if at, ok := places[name]; ok {
			fields[at].json = json
			return
		}
		places[name] = len(fields)
		fields = append(fields, field{name, json})
	}
	for name, v := range old.Members() {
		put(name, v.Raw())
	}
	for name, v := range changed.Members() {
		put(name, v.Raw())
	}
	switch responseFormat.Kind() {
	case jsontree.Null:
		put("response_format", nil)
	case jsontree.Object:
		put("response_format", responseFormat.Raw())
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() { writeFields(&w, fields) })
	return w.Bytes()
}

// withParameters sets the parameters of the model and adds missing parents.
func withParameters(metadata jsontree.Value, parameters []byte) []byte {
	e := editor{base: metadata}
	model := metadata.Get("model")
	if model.Kind() == jsontree.Object {
		e.set(model, "parameters", parameters)
		return e.bytes()
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() { w.Key("parameters").Raw(parameters) })
	if metadata.Kind() == jsontree.Object {
		e.set(metadata, "model", w.Bytes())
		return e.bytes()
	}
	return appendObject(nil, jsontree.Value{}, []field{{"model", w.Bytes()}})
}
