package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// readJSON reads a list of objects. Their keys are the columns, in the order of
// first occurrence; values are kept unchanged. The file is read twice, because
// the last object can add a column.
func readJSON(file *Upload, rows *fileRows) ([]string, error) {
	layout := newLayout(nil)
	err := eachObject(file, func(object jsontree.Value) error {
		for key := range object.Members() {
			if err := layout.add(key); err != nil {
				return invalidFile("there are more than %d columns", MaxColumns)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var cells []cell
	err = eachObject(file, func(object jsontree.Value) error {
		cells = cells[:0]
		for key, value := range object.Members() {
			cells = append(cells, cell{key, value.Compact()})
		}
		return rows.add(layout.row(cells))
	})
	return layout.columns, err
}

// eachObject calls use with each element of the list in a file.
func eachObject(file *Upload, use func(object jsontree.Value) error) error {
	limits, from, err := openRows(file)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(from)
	if start, err := decoder.Token(); err != nil || start != json.Delim('[') {
		return listFault(err)
	}
	for n := 1; decoder.More(); n++ {
		limits.next()
		var text json.RawMessage
		if err := decoder.Decode(&text); err != nil {
			return jsonFault(n, err)
		}
		object, err := jsontree.Parse(text)
		if err == nil && object.Kind() != jsontree.Object {
			err = fmt.Errorf("it is %s", object.Kind())
		}
		if err != nil {
			return invalidFile("element %d of the list must be an object: %v", n, err)
		}
		if err := use(object); err != nil {
			return err
		}
	}
	return endOfList(decoder)
}

// listFault returns the fault for a file that does not begin with a list.
func listFault(err error) error {
	if _, ok := errors.AsType[*json.SyntaxError](err); ok || err == nil || errors.Is(err, io.EOF) {
		return invalidFile("a JSON file must be a list of objects")
	}
	return jsonFault(1, err)
}

func jsonFault(n int, err error) error {
	_, syntax := errors.AsType[*json.SyntaxError](err)
	if syntax || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return invalidFile("element %d of the list is no JSON: %v", n, err)
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	return fmt.Errorf("read an upload: %w", err)
}

// endOfList checks that nothing follows the list.
func endOfList(decoder *json.Decoder) error {
	if _, err := decoder.Token(); err != nil {
		return invalidFile("the list does not end: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return invalidFile("something follows the list")
	}
	return nil
}
