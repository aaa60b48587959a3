package engine

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Fields connects columns with the members of a value that they are scanned into
// and stored from: each column is followed by what it is connected with. That is a
// pointer to the member (a string, an integer, a boolean, a time, a duration, bytes,
// a json.RawMessage, or a pointer to a string, an int64 or a time, nil for NULL), or
// a Mapping of it. A column has the name of its table where queries need it; in
// views, it can be any expression.
type Fields []any

// Mapping scans and stores a member that has another form in the database.
type Mapping interface {
	sql.Scanner
	// Stored returns an argument of a statement.
	Stored() (any, error)
}

// columns returns the columns. Fields that cannot be scanned or stored are a bug of
// the program.
func (f Fields) columns() []string {
	columns := make([]string, len(f)/2)
	for i := range columns {
		columns[i] = f[2*i].(string)
		if _, err := stored(f[2*i+1]); errors.Is(err, errUnsupported) {
			panic(fmt.Sprintf("catalog: column %s: %v", columns[i], err))
		}
	}
	return columns
}

// targets returns what Scan accepts.
func (f Fields) targets() []any {
	targets := make([]any, len(f)/2)
	for i := range targets {
		targets[i] = target(f[2*i+1])
	}
	return targets
}

func target(member any) any {
	switch at := member.(type) {
	case *time.Time:
		return Time(at)
	case **time.Time:
		return NullTime(at)
	case *time.Duration:
		return duration(at)
	case *json.RawMessage:
		return (*[]byte)(at)
	}
	return member
}

var errUnsupported = errors.New("unsupported type")

// stored returns the argument of a statement that stores a member.
func stored(member any) (any, error) {
	switch at := member.(type) {
	case Mapping:
		return at.Stored()
	case *string:
		return *at, nil
	case *int64:
		return *at, nil
	case *int:
		return int64(*at), nil
	case *bool:
		return Flag(*at), nil
	case *time.Time:
		return *at, nil
	case *time.Duration:
		return *at, nil
	case *[]byte:
		return *at, nil
	case *json.RawMessage:
		return string(*at), nil
	case **string:
		return *at, nil
	case **int64:
		return *at, nil
	case **time.Time:
		return *at, nil
	}
	return nil, fmt.Errorf("%w %T", errUnsupported, member)
}

func duration(d *time.Duration) sql.Scanner {
	return scanner(func(value any) error {
		micros, ok := value.(int64)
		if !ok {
			return fmt.Errorf("scan a duration: got %T", value)
		}
		*d = time.Duration(micros) * time.Microsecond
		return nil
	})
}

// scanText calls use with a text, unless it is NULL.
func scanText(value any, use func(text string) error) error {
	switch text := value.(type) {
	case nil:
		return nil
	case string:
		return use(text)
	case []byte:
		return use(string(text))
	}
	return fmt.Errorf("scan text: got %T", value)
}

type text[T ~string] struct{ at *T }

// Text maps a column of text to a type of its own.
func Text[T ~string](at *T) Mapping { return text[T]{at} }

// Scan implements sql.Scanner.
func (t text[T]) Scan(value any) error {
	return scanText(value, func(text string) error { *t.at = T(text); return nil })
}

// Stored implements Mapping.
func (t text[T]) Stored() (any, error) { return string(*t.at), nil }

type nullText struct{ at *string }

// NullText maps a column of text, "" for NULL.
func NullText(at *string) Mapping { return nullText{at} }

// Scan implements sql.Scanner.
func (t nullText) Scan(value any) error {
	*t.at = ""
	return scanText(value, func(text string) error { *t.at = text; return nil })
}

// Stored implements Mapping.
func (t nullText) Stored() (any, error) { return OrNull(*t.at), nil }

type list[T ~string] struct{ at *[]T }

// List maps a column of a JSON array of texts to values, which are never nil.
func List[T ~string](at *[]T) Mapping { return list[T]{at} }

// Scan implements sql.Scanner.
func (l list[T]) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("scan a list: got %T", value)
	}
	*l.at = []T{}
	if text == emptyList {
		return nil
	}
	return json.Unmarshal([]byte(text), l.at)
}

// Stored implements Mapping.
func (l list[T]) Stored() (any, error) { return ListText(*l.at), nil }

type encoded struct{ at any }

// Encoded maps a column of JSON to the value that at points to.
func Encoded(at any) Mapping { return encoded{at} }

// Scan implements sql.Scanner.
func (e encoded) Scan(value any) error {
	return scanText(value, func(text string) error { return json.Unmarshal([]byte(text), e.at) })
}

// Stored implements Mapping.
func (e encoded) Stored() (any, error) {
	text, err := json.Marshal(e.at)
	return string(text), err
}

type object struct{ at *jsontree.Value }

// JSON maps a column of JSON, NULL to an absent value. An absent value is stored as
// an empty object.
func JSON(at *jsontree.Value) Mapping { return object{at} }

// Scan implements sql.Scanner.
func (o object) Scan(value any) error {
	*o.at = jsontree.Value{}
	return scanText(value, func(text string) (err error) {
		*o.at, err = jsontree.Parse([]byte(text))
		return err
	})
}

// Stored implements Mapping.
func (o object) Stored() (any, error) { return ObjectText(*o.at), nil }

type number struct{ at **float64 }

// Number maps a column of text, which both engines keep exactly, to a number, nil
// for NULL.
func Number(at **float64) Mapping { return number{at} }

// Scan implements sql.Scanner.
func (n number) Scan(value any) error {
	*n.at = nil
	return scanText(value, func(text string) error {
		parsed, err := strconv.ParseFloat(text, 64)
		*n.at = &parsed
		return err
	})
}

// Stored implements Mapping.
func (n number) Stored() (any, error) {
	if *n.at == nil {
		return nil, nil
	}
	return strconv.FormatFloat(**n.at, 'g', -1, 64), nil
}

type float struct{ at *float64 }

// Float is Number for a column without NULL.
func Float(at *float64) Mapping { return float{at} }

// Scan implements sql.Scanner.
func (f float) Scan(value any) error {
	return scanText(value, func(text string) (err error) {
		*f.at, err = strconv.ParseFloat(text, 64)
		return err
	})
}

// Stored implements Mapping.
func (f float) Stored() (any, error) { return strconv.FormatFloat(*f.at, 'g', -1, 64), nil }
