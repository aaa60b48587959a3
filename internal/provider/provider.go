// Package provider has the shared parts of providers of language models:
// building arguments from a template, reading recorded calls, calling APIs and
// assembling streams, failures and usage.
//
// Each provider has its own folder. Package builtin lists them.
package provider

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Provider describes a provider: its APIs and settings.
type Provider struct {
	// Name is its name in metadata, calls and logs, such as "openai.azure".
	Name string
	// APIs are its APIs, the default first.
	APIs []*API
	// Pick returns the API for a model, nil for the default. It may be nil.
	Pick func(model string) *API
	// Choose returns the API for a call, given the one selected by type, or a
	// fault if there is none. It may be nil.
	Choose func(p *Provider, chosen *API, r *Request) (*API, error)
	// ChatType is the API type of its chat API in logs, often "".
	ChatType string
	// Libraries are prefixes of the names of its library functions. Calls by
	// this program are logged with the first.
	Libraries []string

	// Keys, Bases and Versions are the names of the settings for its API key,
	// its URL and its API version.
	Keys, Bases, Versions []string
	// Base is its default URL, "" if a setting is required.
	Base string
	// Keyless says that it can be called without an API key.
	Keyless bool
}

// Callable reports whether the provider can be called.
func (p *Provider) Callable() bool { return p.APIs[0].Caller != nil }

// API returns the API of a type, or nil.
func (p *Provider) API(apiType string) *API {
	if apiType == "" {
		return p.APIs[0]
	}
	for _, api := range p.APIs {
		if slices.Contains(api.Types, apiType) {
			return api
		}
	}
	return nil
}

// Settings returns the names of all settings.
func (p *Provider) Settings() []string { return slices.Concat(p.Keys, p.Bases, p.Versions) }

// Function returns the name of the library function that corresponds to the
// API.
func (p *Provider) Function(api *API) string { return p.Libraries[0] + "." + api.Reader.Functions[0] }

// API is an API of a provider. Missing parts are nil.
type API struct {
	// Types are the API types that select it.
	Types []string
	// Format builds arguments for it from a template.
	Format *Format
	// Reader reads recorded calls.
	Reader *Reader
	// Caller calls it.
	Caller *Caller
	// Completion is the API for completion templates, nil if this one supports
	// them.
	Completion *API
	// Lacks declares the missing parts.
	Lacks []Part
}

// Part is a part of an API.
type Part string

// The parts of an API.
const (
	PartArguments Part = "arguments"
	PartReading   Part = "reading"
	PartCalling   Part = "calling"
	PartStreaming Part = "streaming"
	PartUsage     Part = "usage"
)

// Caller calls an API. Arguments are sent unchanged where possible, so that
// parameters newer than this program reach the provider.
type Caller struct {
	// Address returns the URL and the authentication headers of a request.
	Address func(*Request) (*url.URL, http.Header, error)
	// Body returns the request body.
	Body func(*Request) (*Object, error)
	// Finish checks an answer and returns its finish reason.
	Finish func(answer jsontree.Value) (reason string, failure *Error)
	// WantsJSON reports whether the arguments request a JSON answer.
	WantsJSON func(arguments jsontree.Value) bool
	// Stream returns the assembler of a streamed answer, nil if the API does
	// not support streaming.
	Stream func(deliver func(Delta)) Assembler
}

// Request is one request to an API.
type Request struct {
	Model string
	// Typed reports whether the caller gave the API type.
	Typed bool
	// Arguments are the arguments of the provider's client library.
	Arguments jsontree.Value
	// Stream requests a streamed answer.
	Stream bool
	// Base, Key and Version are the provider's settings.
	Base         *url.URL
	Key, Version string
}

// Has reports whether an argument is neither null nor absent.
func (r *Request) Has(name string) bool { return r.Arguments.Get(name).Given() }

// At returns the URL with this path below the base, without a query.
func (r *Request) At(path string) *url.URL {
	at := *r.Base
	at.Path = strings.TrimSuffix(at.Path, "/") + "/" + path
	at.RawPath, at.RawQuery, at.Fragment = "", "", ""
	return &at
}

// modelInPath matches model names that can be part of a URL.
var modelInPath = regexp.MustCompile(`^[\w@:-]+(\.[\w@:-]+)*(/[\w@:-]+(\.[\w@:-]+)*)*$`)

// CheckModelInPath returns a fault if the name of a model cannot be part of a
// URL.
func CheckModelInPath(model string) error {
	if len(model) > 200 || !modelInPath.MatchString(model) {
		return fault.BadRequestf("The model name contains invalid characters")
	}
	return nil
}
