package config

import (
	"strings"
	"testing"
)

func TestSecretKey(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		ok   bool
	}{
		"none":     {"", true},
		"hex":      {strings.Repeat("0f", 32), true},
		"base64":   {strings.Repeat("Zm9v", 10) + "Zm8=", true},
		"password": {"hush-hush", false},
		"short":    {strings.Repeat("0f", 16), false},
	} {
		c, err := Load("", []string{"PROMPTUARY_SECRET_KEY=" + test.text})
		if err != nil {
			t.Fatal(err)
		}
		err = c.Validate()
		if (err == nil) != test.ok {
			t.Errorf("%s: error = %v", name, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "PROMPTUARY_SECRET_KEY") || strings.Contains(err.Error(), test.text)) {
			t.Errorf("%s: error does not name the variable, or contains its value: %v", name, err)
		}
	}
}
