package clickhouse

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// rowReader reads an answer in ClickHouse's format RowBinaryWithNamesAndTypes.
type rowReader struct {
	from  *bufio.Reader
	types []string
}

// maxLength is the length of a text or list above which an answer is taken for
// something else.
const maxLength = 1 << 30

func newRowReader(from io.Reader) (*rowReader, error) {
	r := &rowReader{from: bufio.NewReaderSize(from, 64<<10)}
	if _, err := r.from.Peek(1); errors.Is(err, io.EOF) {
		return r, nil // the statement has no rows
	}
	count, err := r.length()
	if err != nil {
		return nil, err
	}
	names := make([]string, 2*count) // and types
	for i := range names {
		if names[i], err = r.text(); err != nil {
			return nil, err
		}
	}
	r.types = names[count:]
	return r, nil
}

// next reports whether there is another row.
func (r *rowReader) next() (bool, error) {
	_, err := r.from.Peek(1)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// scan reads a row into the targets, as many as there are columns.
func (r *rowReader) scan(targets ...any) error {
	if len(targets) != len(r.types) {
		return fmt.Errorf("%d columns, want %d", len(r.types), len(targets))
	}
	for i, target := range targets {
		value, err := r.value(r.types[i])
		if err != nil {
			return fmt.Errorf("read a %s: %w", r.types[i], err)
		}
		if err := assign(target, value); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return nil
}

// within returns the type in parentheses after a name.
func within(sqlType, name string) (string, bool) {
	inner, ok := strings.CutPrefix(sqlType, name+"(")
	return strings.TrimSuffix(inner, ")"), ok
}

// value reads a value: an int64, float64, bool, string, []any, or nil for null.
func (r *rowReader) value(sqlType string) (any, error) {
	if inner, ok := within(sqlType, "LowCardinality"); ok {
		return r.value(inner)
	}
	if inner, ok := within(sqlType, "Nullable"); ok {
		if null, err := r.from.ReadByte(); err != nil || null == 1 {
			return nil, err
		}
		return r.value(inner)
	}
	if inner, ok := within(sqlType, "Array"); ok {
		return r.list(inner)
	}
	switch sqlType {
	case "String":
		return r.text()
	case "Float64":
		n, err := r.whole(8)
		return math.Float64frombits(uint64(n)), err
	case "Bool":
		n, err := r.whole(1)
		return n == 1, err
	case "Int64", "UInt64":
		return r.whole(8)
	case "UInt32":
		return r.whole(4)
	case "UInt16":
		return r.whole(2)
	case "UInt8":
		return r.whole(1)
	}
	return nil, errors.New("unknown type")
}

func (r *rowReader) list(sqlType string) (any, error) {
	count, err := r.length()
	if err != nil {
		return nil, err
	}
	all := make([]any, 0, min(count, 1024))
	for range count {
		value, err := r.value(sqlType)
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, nil
}

func (r *rowReader) whole(size int) (int64, error) {
	var bytes [8]byte
	_, err := io.ReadFull(r.from, bytes[:size])
	return int64(binary.LittleEndian.Uint64(bytes[:])), err
}

func (r *rowReader) length() (int, error) {
	n, err := binary.ReadUvarint(r.from)
	if err == nil && n > maxLength {
		err = fmt.Errorf("a length of %d", n)
	}
	return int(n), err
}

func (r *rowReader) text() (string, error) {
	size, err := r.length()
	if err != nil {
		return "", err
	}
	bytes := make([]byte, size)
	_, err = io.ReadFull(r.from, bytes)
	return string(bytes), err
}

// assign stores a value in a target. Null becomes the zero value, or nil in a
// pointer.
func assign(target, value any) error {
	ok := true
	switch target := target.(type) {
	case *int64:
		*target, ok = value.(int64)
	case *float64:
		*target, ok = value.(float64)
	case *string:
		*target, ok = value.(string)
	case *[]byte:
		var text string
		text, ok = value.(string)
		*target = []byte(text)
	case *bool:
		*target, ok = truth(value)
	case **int64:
		*target, ok = pointer[int64](value)
	case **float64:
		*target, ok = pointer[float64](value)
	case *[]string:
		*target, ok = listOf[string](value)
	case *[]float64:
		*target, ok = listOf[float64](value)
	case *any:
		*target = value
	default:
		ok = false
	}
	if !ok && value != nil {
		return fmt.Errorf("a %T for a %T", value, target)
	}
	return nil
}

func truth(value any) (bool, bool) {
	if n, ok := value.(int64); ok {
		return n != 0, true
	}
	v, ok := value.(bool)
	return v, ok
}

func pointer[T any](value any) (*T, bool) {
	v, ok := value.(T)
	if !ok {
		return nil, false
	}
	return &v, true
}

func listOf[T any](value any) ([]T, bool) {
	all, ok := value.([]any)
	list := make([]T, 0, len(all))
	for _, v := range all {
		element, fits := v.(T)
		ok = ok && fits
		list = append(list, element)
	}
	return list, ok
}
