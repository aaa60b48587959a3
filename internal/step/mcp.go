package step

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// mcpTime is the timeout of a tool call.
const mcpTime = 2 * time.Minute

var mcpSpec = Spec{
	Name: "MCP", Label: "MCP tool", Group: groupCalls, Icon: "plug",
	Doc:     "Calls a tool of an MCP server.",
	Summary: "{tool_name}",
	Initial: []byte(`{"server_url":"https://","function_name":"","input_mappings":{}}`),
	Work:    Effect,
	Fields: []Field{
		{Name: "server_url", Kind: FieldURL, Label: "Server URL", Optional: true},
		{Name: "mcp_server_id", Kind: FieldJSON, Label: "Server ID", Optional: true},
		{Name: "tool_name", Aliases: []string{"function_name"}, Kind: FieldText, Label: "Tool"},
		{
			Name: "auth", Kind: FieldText, Label: "Token", Optional: true, Secret: true, Public: []string{"type"},
			Hint: "It is never shown again. ${NAME} stands for an environment variable of the workspace.",
		},
		{Name: "input_mappings", Kind: FieldMapping, Label: "Arguments", Optional: true},
	},
	read: readMCP,
}

// readMCP reads MCP: the result of a tool of an MCP server.
func readMCP(c *settings) runner {
	var address credential
	if c.has("server_url") {
		address = c.address("server_url")
	} else if !c.has("mcp_server_id") {
		c.fail("'mcp_server_id' or 'server_url' is required")
	}
	tool := c.text("tool_name")
	token := readToken(c)
	mappings := c.mappings("input_mappings")
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		if !address.given() {
			return jsontree.Value{}, failf("there is no registry of MCP servers: use 'server_url' instead of 'mcp_server_id'")
		}
		arguments, err := mapped(env, mappings)
		if err != nil {
			return arguments, err
		}
		ctx, cancel := context.WithTimeout(ctx, mcpTime)
		defer cancel()
		session := &mcpSession{env: env, secrets: opener{env: env}}
		if err := session.open(ctx, address, token); err != nil {
			return jsontree.Value{}, err
		}
		return session.call(ctx, tool, arguments)
	}
}

// readToken returns the bearer token: auth itself, or its member token. An auth
// without a token is rejected, so that no call is made without the intended
// credentials.
func readToken(c *settings) credential {
	auth, key := c.get("auth")
	if !auth.Given() {
		return credential{}
	}
	if auth.Kind() == jsontree.Object && !IsSealed(auth) {
		auth = auth.Get("token")
	}
	token := readCredential(auth)
	isText := auth.Kind() == jsontree.String || token.sealed != ""
	if !isText || !token.given() || !isHeader("Authorization", token.text) {
		c.reportAt(key, fault.Rulef("value_error", "Input should be a token or an object with the member 'token'"))
	}
	return token
}

// mapped returns an object of the variables with the values of their sources.
func mapped(env *Env, mappings []mapping) (jsontree.Value, error) {
	return objectOf(func(yield func(string, jsontree.Value) bool) {
		for _, m := range mappings {
			if !yield(m.variable, env.value(m.source)) {
				return
			}
		}
	})
}
