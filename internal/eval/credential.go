package eval

import (
	"bytes"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// protect returns a configuration from a client in the form to store: its
// credentials are sealed, or kept from the column that it replaces. own is the
// index of that column, -1 for a new one.
func (s *Service) protect(workspace int64, one Column, columns []Column, own int) (jsontree.Value, error) {
	if err := step.CheckReserved(one.Configuration); err != nil {
		return one.Configuration, inColumn(one.Name, err)
	}
	return s.protectStored(workspace, one, columns, own)
}

// protectStored is protect for a configuration that may have stored credentials.
func (s *Service) protectStored(workspace int64, one Column, columns []Column, own int) (jsontree.Value, error) {
	protected, err := s.vault.Protect(workspace, one.Type, one.Configuration, func() (known step.Previous, err error) {
		for i := range columns {
			switch {
			case columns[i].Type != one.Type:
			case i == own:
				known.Own = columns[i].Configuration
			default:
				known.Others = append(known.Others, columns[i].Configuration)
			}
		}
		return known, nil
	})
	return protected, inColumn(one.Name, err)
}

// protectAll protects the columns of a new evaluation.
func (s *Service) protectAll(workspace int64, columns []Column) (err error) {
	for i := range columns {
		if columns[i].Configuration, err = s.protect(workspace, columns[i], nil, -1); err != nil {
			return err
		}
	}
	return nil
}

// protectPatched protects a column after a patch, if anything about its
// configuration has changed.
func (s *Service) protectPatched(workspace int64, in ColumnPatch, columns []Column, at int) (Column, error) {
	if err := step.CheckReserved(in.Configuration); err != nil {
		return Column{}, inColumn(columns[at].Name, err)
	}
	patched := in.applied(columns[at])
	if patched.Type == columns[at].Type && bytes.Equal(patched.Configuration.Raw(), columns[at].Configuration.Raw()) {
		return patched, nil
	}
	var err error
	patched.Configuration, err = s.protectStored(workspace, patched, columns, at)
	return patched, err
}

// inColumn adds the name of the column to a fault about its credentials.
func inColumn(name string, err error) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	return fault.New(fault.Invalid, "Invalid configuration for column '%s': %s", name, err.Error())
}
