// Package provider holds what the providers of language models have in common:
// building arguments from a template, reading a recorded call, calling an API
// and assembling its stream, failures, usage and prices.
//
// Each provider has a folder of its own. Package builtin lists them.
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

// Provider describes a provider: what its APIs are and how it is reached.
type Provider struct {
	// Name is its name in metadata, calls and logs, such as "openai.azure".
	Name string
	// APIs are its APIs, the default first.
	APIs []*API
	// Pick returns the API for a model, nil for the default. It may be nil.
	Pick func(model string) *API
	// Choose returns the API that a call is for when the given one is chosen by
	// its type, or the fault that there is none. It may be nil.
	Choose func(p *Provider, chosen *API, r *Request) (*API, error)
	// ChatType is the API type that logs have for its chat API, often "".
	ChatType string
	// Libraries are the names that functions of its libraries begin with. The
	// first is the one that calls made by this program are logged with.
	Libraries []string

	// Keys, Bases and Versions name the settings of its API key, its address
	// and the version of its API.
	Keys, Bases, Versions []string
	// Base is its address unless a setting names one, "" when one must.
	Base string
	// Keyless says that it can be called without an API key.
	Keyless bool
	// Prices are its list prices, nil if there are none.
	Prices Prices
}

// Callable reports whether the provider can be called.
func (p *Provider) Callable() bool { return p.APIs[0].Caller != nil }

// API returns the API of a type, nil if there is none.
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

// Function returns the name of the library function that a call of the API
// stands for.
func (p *Provider) Function(api *API) string { return p.Libraries[0] + "." + api.Reader.Functions[0] }

// API is one API of a provider. The parts that it lacks are nil.
type API struct {
	// Types are the API types that select it.
	Types []string
	// Format builds arguments for it from a template.
	Format *Format
	// Reader reads recorded calls.
	Reader *Reader
	// Caller calls it.
	Caller *Caller
	// Completion is the API that takes completion templates in its place, nil
	// if it takes them itself.
	Completion *API
	// Lacks declares the parts that it does not have.
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

// Caller calls an API. Arguments are sent as they are wherever possible, so
// that parameters newer than this program reach the provider.
type Caller struct {
	// Address returns where a request goes and what it is signed with.
	Address func(*Request) (*url.URL, http.Header, error)
	// Body returns what is sent.
	Body func(*Request) (*Object, error)
	// Finish checks an answer and returns why it ends.
	Finish func(answer jsontree.Value) (reason string, failure *Error)
	// WantsJSON reports whether the arguments ask for an answer in JSON.
	WantsJSON func(arguments jsontree.Value) bool
	// Stream returns what puts a streamed answer together, nil if the API does
	// not stream.
	Stream func(deliver func(Delta)) Assembler
}

// Request is one request to an API.
type Request struct {
	Model string
	// Typed says that the caller named the API type.
	Typed bool
	// Arguments are what the provider's own client would be called with.
	Arguments jsontree.Value
	// Stream asks for a streamed answer.
	Stream bool
	// Base, Key and Version are the provider's settings.
	Base         *url.URL
	Key, Version string
}

// Has reports whether an argument is neither null nor absent.
func (r *Request) Has(name string) bool { return r.Arguments.Get(name).Given() }

// At returns the address below the base with this path, without a query.
func (r *Request) At(path string) *url.URL {
	at := *r.Base
	at.Path = strings.TrimSuffix(at.Path, "/") + "/" + path
	at.RawPath, at.RawQuery, at.Fragment = "", "", ""
	return &at
}

// modelInPath matches the names of models that can be part of an address.
var modelInPath = regexp.MustCompile(`^[\w@:-]+(\.[\w@:-]+)*(/[\w@:-]+(\.[\w@:-]+)*)*$`)

// CheckModelInPath returns the fault of a model whose name cannot be part of an
// address.
func CheckModelInPath(model string) error {
	if len(model) > 200 || !modelInPath.MatchString(model) {
		return fault.BadRequestf("The model name contains invalid characters")
	}
	return nil
}
