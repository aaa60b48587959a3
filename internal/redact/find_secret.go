package redact

import (
	"slices"
	"strings"
)

// secretForm is the form of the keys that a provider issues: a prefix and at least
// so many characters after it.
type secretForm struct {
	prefix string
	length int
}

var secretForms = []secretForm{
	{"sk-", 20},         // OpenAI, Anthropic, OpenRouter, DeepSeek and others
	{"sk_live_", 16},    // Stripe
	{"sk_test_", 16},    //
	{"rk_live_", 16},    //
	{"pk-lf-", 20},      // Langfuse
	{"pl_", 20},         // PromptLayer, and our own
	{"AIza", 30},        // Google
	{"ya29.", 20},       //
	{"AKIA", 16},        // Amazon
	{"ASIA", 16},        //
	{"gsk_", 20},        // Groq
	{"xai-", 20},        // xAI
	{"hf_", 20},         // Hugging Face
	{"r8_", 20},         // Replicate
	{"pplx-", 20},       // Perplexity
	{"tgp_v1_", 20},     // Together
	{"fw_", 20},         // Fireworks
	{"nvapi-", 20},      // Nvidia
	{"github_pat_", 20}, // GitHub
	{"ghp_", 20},        //
	{"gho_", 20},        //
	{"ghu_", 20},        //
	{"ghs_", 20},        //
	{"ghr_", 20},        //
	{"glpat-", 20},      // GitLab
	{"npm_", 20},        // npm
	{"xoxb-", 20},       // Slack
	{"xoxp-", 20},       //
	{"xoxa-", 20},       //
	{"xapp-", 20},       //
	{"SG.", 20},         // SendGrid
	{"eyJ", 40},         // JSON Web Tokens
}

// privateKey begins a key in PEM form.
const privateKey = "-----BEGIN "

// formsAt has the forms by the first byte of their prefix.
var formsAt = func() (at [256][]secretForm) {
	for _, form := range secretForms {
		at[form.prefix[0]] = append(at[form.prefix[0]], form)
	}
	return at
}()

func secretTriggers(first, second byte) bool {
	if first == privateKey[0] {
		return second == privateKey[1]
	}
	return slices.ContainsFunc(formsAt[first], func(form secretForm) bool { return form.prefix[1] == second })
}

// findSecret finds the key of a provider, or a private key, that begins with the
// character.
func findSecret(text string, at int) (start, end int) {
	if !begins(text, at) {
		return 0, 0
	}
	rest := text[at:]
	if rest[0] == '-' {
		return at, pemEnd(text, at)
	}
	for _, form := range formsAt[rest[0]] {
		if strings.HasPrefix(rest, form.prefix) {
			if length := secretLength(rest[len(form.prefix):]); length >= form.length {
				return at, at + len(form.prefix) + length
			}
		}
	}
	return 0, 0
}

// secretLength returns how many characters of a key a text begins with, 0 if they
// have no digit: then they are words.
func secretLength(text string) int {
	length, digit := 0, false
	for length < len(text) && isSecret(text, length) {
		digit = digit || isDigit(text[length])
		length++
	}
	if !digit {
		return 0
	}
	return length
}

// isSecret reports whether the byte may be part of a key. A dot may be if the key
// continues after it.
func isSecret(text string, at int) bool {
	c := text[at]
	return isWord[c] || c == '-' || c == '.' && isWord[byteAt(text, at+1)]
}

// maxPEM is the length of the longest private key.
const maxPEM = 16 << 10

// pemEnd returns the end of the private key in PEM form at an index, 0 if there is
// none. One whose end is missing reaches to the end of the text.
func pemEnd(text string, at int) int {
	rest := text[at:min(len(text), at+maxPEM)]
	if !strings.HasPrefix(rest, privateKey) {
		return 0
	}
	head, _, _ := strings.Cut(rest[len(privateKey):], "-----")
	if len(head) > 40 || !strings.HasSuffix(head, "PRIVATE KEY") {
		return 0
	}
	const tail = "-----END "
	end := strings.Index(rest, tail)
	if end < 0 {
		return at + len(rest)
	}
	end += len(tail)
	if last := strings.Index(rest[end:], "-----"); last >= 0 {
		end += last + len("-----")
	}
	return at + end
}
