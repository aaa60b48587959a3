package engine

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Row is a result to scan: *sql.Row or *sql.Rows.
type Row interface{ Scan(dest ...any) error }

// ScanInt scans a single number.
func ScanInt(r Row) (int64, error) {
	var value int64
	err := r.Scan(&value)
	return value, err
}

// ScanString scans a single text.
func ScanString(r Row) (string, error) {
	var value string
	err := r.Scan(&value)
	return value, err
}

// ScanBytes scans a single value of bytes.
func ScanBytes(r Row) ([]byte, error) {
	var value []byte
	err := r.Scan(&value)
	return value, err
}

// scanner is a function that scans a column.
type scanner func(value any) error

// Scan implements sql.Scanner.
func (s scanner) Scan(value any) error { return s(value) }

// Time scans a column of microseconds into t.
func Time(t *time.Time) sql.Scanner {
	return scanner(func(value any) error {
		micros, ok := value.(int64)
		if !ok {
			return fmt.Errorf("scan a time: got %T", value)
		}
		*t = time.UnixMicro(micros).UTC()
		return nil
	})
}

// NullTime scans a column of microseconds into t, nil for NULL.
func NullTime(t **time.Time) sql.Scanner {
	return scanner(func(value any) error {
		if value == nil {
			*t = nil
			return nil
		}
		*t = new(time.Time)
		return Time(*t).Scan(value)
	})
}

// OrNull returns the value of a column that NullText scans.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// ObjectText returns an object as it is stored, an empty one when v is absent.
func ObjectText(v jsontree.Value) string {
	if v.Kind() != jsontree.Object {
		return "{}"
	}
	return string(v.Raw())
}

const emptyList = "[]"

// ListText returns values as List scans them. They must be text.
func ListText[T ~string](values []T) string {
	if len(values) == 0 {
		return emptyList
	}
	text, _ := json.Marshal(values) // text can always be encoded
	return string(text)
}

// Flag returns a boolean as both engines store it.
func Flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}
