package dataset_test

import "testing"

func TestVariablesNeedNoTemplate(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.log(`,"prompt_input_variables":{"city":"Oslo"}`)
	made := s.fromLogs(s.group("cities"), `{}`)
	equal(t, s.column(made, "variable.city"), []string{`"Oslo"`})
}
