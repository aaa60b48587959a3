package redact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/redact"
)

// allDetectors is a list with a rule for each detector.
func allDetectors() []redact.Rule {
	var list []redact.Rule
	for _, d := range redact.Detectors {
		list = append(list, redact.Rule{Name: string(d), Detector: d, Action: redact.Mask})
	}
	return list
}

func compile(t testing.TB, list ...redact.Rule) *redact.Rules {
	t.Helper()
	rules, err := redact.Compile(list, []byte("key"))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestDetectors(t *testing.T) {
	t.Parallel()
	rules := compile(t, allDetectors()...)
	for _, test := range []struct{ text, want string }{
		{"write to ann.lee+news@mail.example.co.uk.", "write to [email]."},
		{"<bob@example.com>, (eve@example.org)", "<[email]>, ([email])"},
		{"müller@bücher.example and 用户@例子.公司", "[email] and [email]"},
		{"ann@localhost, @handle, a@b, x@1.2, user@host.", "ann@localhost, @handle, a@b, x@1.2, user@host."},
		{"ann..lee@example.com", "[email]"},

		{"call +49 30 1234567 now", "call [phone] now"},
		{"+1 (555) 234-5678, +15552345678", "[phone], [phone]"},
		{"0049 30 12345678", "[phone]"},
		{"(030) 1234567 or 0171/1234567", "[phone] or [phone]"},
		{"555-234-5678, 555.234.5678, 1-555-234-5678", "[phone], [phone], [phone]"},
		{"2026-11-16 12:30, 1+23456789012, 0.123456789, 1,234,567,890", "2026-11-16 12:30, 1+23456789012, 0.123456789, 1,234,567,890"},
		{"order 5552345678, v10.200.3000", "order 5552345678, v10.200.3000"},
		{"x+4930123456789 and a/0171/1234567", "x+4930123456789 and a/0171/1234567"},

		{"pay with 4111 1111 1111 1111 12/28", "pay with [card] 12/28"},
		{"5555-5555-5555-4444, 378282246310005, 6011111111111117", "[card], [card], [card]"},
		{"4111 1111 1111 1112, 1731780000000000, 9111111111111111", "4111 1111 1111 1112, 1731780000000000, 9111111111111111"},
		{"id_4111111111111111 41111111111111111111", "id_4111111111111111 41111111111111111111"},

		{"DE89 3704 0044 0532 0130 00 BIC", "[iban] BIC"},
		{"to GB82WEST12345698765432,", "to [iban],"},
		{"DE88370400440532013000 is wrong", "DE88370400440532013000 is wrong"},

		{"key sk-proj-abcDEF0123456789abcdef.", "key [secret]."},
		{"AKIAIOSFODNN7EXAMPLE ghp_0123456789abcdefghijABCDEFGHIJ", "[secret] [secret]"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "[secret]"},
		{"sk-learn-is-a-library-of-python, skip, pl_", "sk-learn-is-a-library-of-python, skip, pl_"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nbye", "[secret]\nbye"},
		{"-----BEGIN PRIVATE KEY-----\nMIIE", "[secret]"},
		{"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----"},

		{"from 203.0.113.9:443, 10.0.0.255.", "from [ip]:443, [ip]."},
		{"[2001:db8::8a2e:370:7334] fe80::1", "[[ip]] [ip]"},
		{"::ffff:192.0.2.128", "[ip]"},
		{"1.2.3, 1.2.3.4.5, 256.1.1.1, 01.2.3.4, 12:34:56, std::vector, 00:1b:44:11:3a:b7", "1.2.3, 1.2.3.4.5, 256.1.1.1, 01.2.3.4, 12:34:56, std::vector, 00:1b:44:11:3a:b7"},

		{"", ""},
		{"@", "@"},
		{"+", "+"},
		{":", ":"},
		{"A", "A"},
	} {
		if got, _ := rules.NewPass(nil).Text(test.text, "input"); got != test.want {
			t.Errorf("%q became %q, want %q", test.text, got, test.want)
		}
	}
}

func TestDetectorsAreIndependent(t *testing.T) {
	t.Parallel()
	const text = "ann@example.com +49 30 1234567 4111111111111111 GB82WEST12345698765432 AKIAIOSFODNN7EXAMPLE 203.0.113.9"
	pieces := map[redact.Detector]string{
		redact.Email: "ann@example.com", redact.Phone: "+49 30 1234567", redact.Card: "4111111111111111",
		redact.IBAN: "GB82WEST12345698765432", redact.Secret: "AKIAIOSFODNN7EXAMPLE", redact.IP: "203.0.113.9",
	}
	for _, detector := range redact.Detectors {
		rules := compile(t, redact.Rule{Name: "x", Detector: detector, Action: redact.Mask})
		want := strings.Replace(text, pieces[detector], "[x]", 1)
		if got, _ := rules.NewPass(nil).Text(text, "input"); got != want {
			t.Errorf("%s: %q, want %q", detector, got, want)
		}
	}
}

func TestEncodedFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	rules := compile(t, allDetectors()...)
	for _, text := range []string{
		"data:image/png;base64,4111111111111111",
		strings.Repeat("AKIAIOSFODNN7EXAMPLE", 300),
	} {
		if got, _ := rules.NewPass(nil).Text(text, "input"); got != text {
			t.Errorf("%.40q became %.40q", text, got)
		}
	}
	if got, _ := rules.NewPass(nil).Text("data: 4111111111111111, end", "input"); got != "data: [card], end" {
		t.Error(got)
	}
}

func FuzzDetectors(f *testing.F) {
	f.Add("ann@example.com 4111 1111 1111 1111 +49 30 1234567 GB82WEST12345698765432 2001:db8::1 sk-proj-abcDEF0123456789abcdef")
	f.Add("-----BEGIN PRIVATE KEY-----")
	rules := compile(f, allDetectors()...)
	f.Fuzz(func(t *testing.T, text string) {
		if got, _ := rules.NewPass(nil).Text(text, "input"); utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
