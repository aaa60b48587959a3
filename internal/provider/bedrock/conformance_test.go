package bedrock_test

import (
	"context"
	"encoding/base64"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/google/go-cmp/cmp"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

// bedrockUnions are the client's types for objects with one member each. They
// are named after the interface and the member.
var bedrockUnions = unionsByName(
	types.ContentBlockMemberText{}, types.ContentBlockMemberImage{}, types.ContentBlockMemberDocument{},
	types.ContentBlockMemberVideo{}, types.ContentBlockMemberToolUse{}, types.ContentBlockMemberToolResult{},
	types.ContentBlockMemberReasoningContent{}, types.ReasoningContentBlockMemberReasoningText{},
	types.ImageSourceMemberBytes{}, types.ImageSourceMemberS3Location{}, types.VideoSourceMemberS3Location{},
	types.DocumentSourceMemberBytes{}, types.SystemContentBlockMemberText{},
	types.ToolMemberToolSpec{}, types.ToolMemberCachePoint{}, types.ToolMemberSystemTool{}, types.ToolInputSchemaMemberJson{},
	types.ToolChoiceMemberAuto{}, types.ToolChoiceMemberAny{}, types.ToolChoiceMemberTool{},
	types.ToolResultContentBlockMemberText{}, types.ToolResultContentBlockMemberImage{},
)

func unionsByName(members ...any) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for _, member := range members {
		out[reflect.TypeOf(member).Name()] = reflect.TypeOf(member)
	}
	return out
}

var documentType = reflect.TypeFor[document.Interface]()

// fill sets a value of the client's types, which cannot decode JSON, from the
// payload. It fails the test for members that the types do not have.
func fill(t *testing.T, to reflect.Value, from any) {
	t.Helper()
	switch {
	case to.Type() == documentType:
		to.Set(reflect.ValueOf(document.NewLazyDocument(from)))
	case to.Kind() == reflect.Interface:
		for key, member := range from.(map[string]any) {
			union, ok := bedrockUnions[to.Type().Name()+"Member"+strings.ToUpper(key[:1])+key[1:]]
			if !ok {
				t.Fatalf("%s has no member %s", to.Type(), key)
			}
			value := reflect.New(union)
			fill(t, value.Elem().FieldByName("Value"), member)
			to.Set(value)
		}
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		fill(t, to.Elem(), from)
	case to.Kind() == reflect.Struct:
		for key, member := range from.(map[string]any) {
			field := to.FieldByName(strings.ToUpper(key[:1]) + key[1:])
			if !field.IsValid() {
				t.Fatalf("%s has no field %s", to.Type(), key)
			}
			fill(t, field, member)
		}
	case to.Type() == reflect.TypeFor[[]byte]():
		data, err := base64.StdEncoding.DecodeString(from.(string))
		if err != nil {
			t.Fatal(err)
		}
		to.SetBytes(data)
	case to.Kind() == reflect.Slice:
		list := from.([]any)
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
		for i := range list {
			fill(t, to.Index(i), list[i])
		}
	default:
		to.Set(reflect.ValueOf(from).Convert(to.Type()))
	}
}

func TestBedrockClientAcceptsPayloads(t *testing.T) {
	t.Parallel()
	more := pt.Chat(pt.Say("user", `{"type":"image_url","image_url":{"url":"s3://b/c.png"}},{"type":"media","media":{"type":"video/mp4","url":"s3://b/c"}}`),
		`,"tools":[{"type":"function","function":{"name":"f"}},{"type":"cachePoint","cachePoint":{"type":"default"}},
		{"type":"web_search","config":{"systemTool":{"name":"nova_grounding"}}}],"tool_choice":"any"`)
	for _, c := range []pt.Case{
		{Name: "a conversation", Template: pt.Rich(`{"type":"thinking","thinking":"hm","signature":"s"},`, "")},
		{Name: "files and tools", Template: more},
		{Name: "a completion", Template: pt.Hello},
		{Name: "parameters", Template: pt.Hello,
			Parameters: `{"temperature":0.5,"top_p":1,"stop":["x"],"top_k":3,"performanceConfig":{"latency":"optimized"}}`, Overrides: `{"max_tokens":5}`},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.Provider, c.Model = "amazon.bedrock", "amazon.nova"
			payload := pt.Decode(t, c.Build(t)).(map[string]any)
			var input bedrockruntime.ConverseInput
			fill(t, reflect.ValueOf(&input).Elem(), payload)

			address, body := pt.Record(t, `{}`)
			client := bedrockruntime.New(bedrockruntime.Options{
				BaseEndpoint: aws.String(address), Region: "eu-west-1", RetryMaxAttempts: 1,
				Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
					return aws.Credentials{AccessKeyID: "a", SecretAccessKey: "b"}, nil
				}),
			})
			if _, err := client.Converse(context.Background(), &input); err != nil {
				t.Fatal(err)
			}
			delete(payload, "modelId") // it is part of the URL
			if diff := cmp.Diff(payload, body()); diff != "" {
				t.Errorf("(-payload +sent by the client):\n%s", diff)
			}
		})
	}
}
