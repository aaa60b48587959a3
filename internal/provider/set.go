package provider

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Set is a set of providers.
type Set struct {
	list       []*Provider
	compatible func(name string) *Provider
	unknown    *Reader
	readers    []*Reader
}

// NewSet returns the providers of all groups. compatible returns providers with
// other names. Recorded calls of unknown functions are tried with the providers
// in order, and read by unknown if none matches.
func NewSet(compatible func(name string) *Provider, unknown *Reader, groups ...[]*Provider) *Set {
	s := &Set{list: slices.Concat(groups...), compatible: compatible, unknown: unknown, readers: []*Reader{unknown}}
	for _, p := range s.list {
		for _, api := range p.APIs {
			s.addReader(api)
			if api.Completion != nil {
				s.addReader(api.Completion)
			}
		}
	}
	return s
}

func (s *Set) addReader(api *API) {
	if api.Reader != nil && !slices.Contains(s.readers, api.Reader) {
		s.readers = append(s.readers, api.Reader)
	}
}

// All returns the providers.
func (s *Set) All() []*Provider { return s.list }

// Find returns the provider with a name and whether it is in the set.
func (s *Set) Find(name string) (found *Provider, listed bool) {
	for _, p := range s.list {
		if p.Name == name {
			return p, true
		}
	}
	return s.compatible(name), false
}

// Arguments returns the arguments for the provider's client library, a JSON
// object. It does not check its input.
func (s *Set) Arguments(in Input) []byte {
	p, _ := s.Find(in.Provider)
	api := p.API(in.APIType)
	if p.Pick != nil {
		api = p.Pick(in.ModelName())
	}
	if api == nil {
		api = p.APIs[0]
	}
	if in.IsCompletion() && api.Completion != nil {
		api = api.Completion
	}
	return api.Format.build(in)
}

// Read converts a recorded call to the record of a request log. It never fails:
// unknown parts are kept as is, and the templates are empty if nothing is
// known. The record does not reference the text that the exchange was parsed
// from.
func (s *Set) Read(x Exchange) Record {
	reader := s.detect(x)
	r := newReading(x)
	in, ok := reader.Input(r)
	if !ok {
		in, _ = s.unknown.Input(r)
	}
	reply, answered := s.reply(reader, x)
	out := output(in.Completion, reply, answered)
	record := Record{
		Provider: s.providerOf(x), Engine: engineOf(x), APIType: reader.APIType, FunctionName: x.FunctionName,
		Input: in.bytes(), Output: out.bytes(), Parameters: r.parameters(),
		Usage: s.usage(reader, x.Response),
	}
	if p, _ := s.Find(record.Provider); reader.Chat {
		record.APIType = p.ChatType
	}
	return record
}

// detect returns the reader of a call: by the longest known suffix of the
// function name, else by the arguments.
func (s *Set) detect(x Exchange) *Reader {
	var found *Reader
	longest := 0
	for _, reader := range s.readers {
		for _, ending := range reader.Functions {
			if len(ending) > longest && strings.HasSuffix(x.FunctionName, ending) {
				found, longest = reader, len(ending)
			}
		}
	}
	if found != nil {
		return found
	}
	for _, reader := range s.readers {
		if reader.Matches != nil && reader.Matches(x) {
			return reader
		}
	}
	return s.unknown
}

// reply reads the response. One that does not match the API that was called is
// read as that of any other.
func (s *Set) reply(reader *Reader, x Exchange) (reply Turn, answered bool) {
	for _, other := range append([]*Reader{reader}, s.readers...) {
		if other != reader && !other.Distinct || other == s.unknown {
			continue
		}
		if reply, answered = other.Output(x); answered {
			return reply, true
		}
	}
	return s.unknown.Output(x)
}

// output gives the reply the kind of the input, so that both form one template;
// only tool calls require a chat.
func output(completion bool, reply Turn, answered bool) Blueprint {
	switch {
	case completion && len(reply.Calls) == 0:
		return Blueprint{Completion: true, Content: reply.Blocks}
	case answered:
		return Blueprint{Turns: []Turn{reply}}
	default:
		return Blueprint{}
	}
}

// usage reads the token counts of a response in the format of the reader, else
// of any provider.
func (s *Set) usage(reader *Reader, response jsontree.Value) Usage {
	for _, other := range append([]*Reader{reader}, s.readers...) {
		if other.Usage == nil {
			continue
		}
		if usage := other.Usage(response); usage.Known() {
			return usage
		}
	}
	return Usage{}
}

// UsageOf reads the token counts from the member usage of an object, in the
// format of the provider, else of any.
func (s *Set) UsageOf(name string, holder jsontree.Value) Usage {
	if !Field(holder, "usage").Given() {
		return Usage{}
	}
	p, _ := s.Find(name)
	return s.usage(p.APIs[0].Reader, holder)
}

// providerOf returns the name of the provider that was called: the one that the
// client gave, else the one of the library. Among several providers with one
// library, the one whose class the function name contains wins.
func (s *Set) providerOf(x Exchange) string {
	library, _, dotted := strings.Cut(x.FunctionName, ".")
	switch {
	case x.ProviderType != "":
		return x.ProviderType
	case !dotted || library == "":
		return "openai"
	}
	name := ""
	for _, p := range s.list {
		for _, known := range p.Libraries {
			known, class, _ := strings.Cut(known, ".")
			if known == library && (class != "" && strings.Contains(x.FunctionName, class) || class == "" && name == "") {
				name = p.Name
			}
		}
	}
	if name == "" {
		return library
	}
	return name
}

func engineOf(x Exchange) string {
	for _, v := range []jsontree.Value{
		x.Kwargs.Get("model"), x.Kwargs.Get("engine"), Field(x.Kwargs, "model_id"),
		x.Response.Get("model"), Field(x.Response, "model_version"),
	} {
		if name := v.Str(); name != "" {
			return name
		}
	}
	return ""
}
