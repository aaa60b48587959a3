// Package vertex implements Vertex AI, which offers Google's models and models of
// other companies, with their own APIs.
package vertex

import (
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/anthropic"
	"github.com/promptuary/promptuary/internal/provider/google"
)

// Providers is Vertex AI. Only Google's models can be called.
var Providers = []*provider.Provider{{
	Name: "vertexai", APIs: []*provider.API{google.Gemini("v1beta1", resource)}, Pick: pick, Choose: choose,
	Libraries: []string{"google"}, Base: "https://aiplatform.googleapis.com/",
	Keys: []string{"VERTEXAI_API_KEY"}, Bases: []string{"GOOGLE_VERTEX_BASE_URL"},
}}

func pick(model string) *provider.API {
	if strings.Contains(model, "claude") {
		return &anthropic.Messages
	}
	return nil
}

func choose(p *provider.Provider, chosen *provider.API, r *provider.Request) (*provider.API, error) {
	if r.Has("messages") {
		return nil, fault.BadRequestf("Provider '%s' can only be called for Google's models", p.Name)
	}
	return chosen, nil
}

// resource returns the resource name of a model. Models of other publishers
// include the publisher.
func resource(model string) string {
	for _, prefix := range []string{"projects/", "models/", "publishers/"} {
		if strings.HasPrefix(model, prefix) {
			return model
		}
	}
	publisher, name, found := strings.Cut(model, "/")
	if !found {
		publisher, name = "google", model
	}
	return "publishers/" + publisher + "/models/" + name
}
