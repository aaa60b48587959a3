package demo

// style is one way in which a team uses language models. Sentences have slots:
// {w} for a word, {n} for a number, {id} for the identifier of the log.
type style struct {
	weight  float64
	shape   shape
	team    string
	prompts []string
	system  []string
	asks    []string
	replies []string
	// history is the probability of each further earlier turn.
	history float64
}

// shape is the shape of the output of a style.
type shape uint8

const (
	plainText shape = iota
	jsonObject
	toolCall
)

var styles = []style{
	{
		weight: 0.31, shape: plainText, history: 0.35, team: "Customer support",
		prompts: []string{"support-reply", "refund-helper", "ticket-summary", "delivery-status", "cancel-flow", "tone-rewrite", "billing-faq", "escalation-note"},
		system: []string{
			"You help the customers of an online store.",
			"Answer in at most five sentences and stay friendly, even when the customer is upset.",
			"Never promise a refund before the order was checked, and never ask for card numbers.",
			"If you do not know the answer, say so and offer to pass the case on to a colleague.",
		},
		asks: []string{
			"Hi, my order {id} still has not arrived and the tracking page shows nothing new.",
			"I was charged twice for the {w} plan and I want my money back!!",
			"The {w} I received is broken, can you replace it?",
			"How do I change the address of my delivery before it leaves the warehouse?",
			"This is the third time I write about {w}, it is frustrating.",
			"Thank you, the last answer was great, but one thing is still open.",
			"Where can I download the invoice for {n} items?",
		},
		replies: []string{
			"I am sorry about the trouble with your order.",
			"I checked the {w} and the payment of {n} dollars went through once.",
			"Your refund is on its way and should arrive within {n} days.",
			"I'm not sure which {w} you mean, could you send the reference again?",
			"Unfortunately I cannot change the address after the shipment has left.",
			"Please let me know if there is anything else.",
		},
	},
	{
		weight: 0.19, shape: plainText, history: 0.25, team: "Internal tools",
		prompts: []string{"code-review", "explain-error", "write-tests", "sql-helper", "commit-message", "refactor", "api-docs", "regex-builder"},
		system: []string{
			"You are a careful senior engineer.",
			"Prefer small functions, name things after what they do, and explain why before how.",
			"When code is shown, point to the line that matters and suggest the smallest change.",
		},
		asks: []string{
			"Why does `{w}.{w}()` return nil after {n} retries?\n```go\nif err := {w}(ctx, \"{id}\"); err != nil {\n\treturn fmt.Errorf(\"{w}: %w\", err)\n}\n```",
			"Write a test for the function that parses {w} headers.",
			"The build fails with: cannot use {w} (variable of type *{w}) as {w} value in argument.",
			"Can you speed up this query?\n```sql\nSELECT {w}, count(*) FROM {w} WHERE {w} = {n} GROUP BY 1;\n```",
			"What is the difference between a {w} and a {w} in this package?",
		},
		replies: []string{
			"The value is nil because `{w}` is called before the {w} is ready.",
			"Here is a version that handles the empty case:\n```go\nfunc {w}(in []string) int {\n\tn := {n}\n\tfor _, s := range in {\n\t\tn += len(s)\n\t}\n\treturn n\n}\n```",
			"Add an index on `{w}` and the query will not scan the whole table.",
			"It might be a race: two goroutines write to the same map.",
		},
	},
	{
		weight: 0.27, shape: jsonObject, history: 0.02, team: "Growth",
		prompts: []string{"extract-invoice", "classify-ticket", "lead-scoring", "resume-parser", "sentiment", "contract-terms", "product-attributes", "moderation"},
		system: []string{
			"Extract the requested fields from the text and answer with one JSON object only.",
			"Use null when a field is not mentioned, and never add fields of your own.",
			"Dates are written as YYYY-MM-DD and amounts as plain numbers.",
		},
		asks: []string{
			"Document {id}:\nThe undersigned confirms the delivery of {n} {w} on behalf of {w}.",
			"Ticket {id}: the customer reports that {w} stopped working after the update.",
			"Candidate with {n} years of experience in {w} and {w}.",
			"Review: I bought this {w} a month ago and it is the best {w} I ever had.",
		},
	},
	{
		weight: 0.05, shape: plainText, history: 0.05, team: "Growth",
		prompts: []string{"translate-german", "translate-french", "translate-spanish", "translate-polish", "localize-ui", "glossary-check", "simplify-text", "proofread"},
		system: []string{
			"Translate the text and keep names, numbers and line breaks as they are.",
			"Use the formal form of address unless the text is clearly private.",
		},
		asks: []string{
			"Translate: \"The {w} is due on the {n}th, please confirm.\"",
			"Übersetze bitte: Die Lieferung {id} verzögert sich um {n} Tage.",
			"Traduis en anglais : le paiement a été refusé à cause du {w}.",
			"¿Cómo se dice \"{w}\" en una carta formal?",
		},
		replies: []string{
			"Die Rechnung über {n} Euro für {w} wurde bezahlt.",
			"Le colis a été livré hier à l'adresse indiquée.",
			"El pedido llegará mañana por la mañana.",
			"The {w} was confirmed for the {n}th.",
		},
	},
	{
		weight: 0.18, shape: toolCall, history: 0.5, team: "Internal tools",
		prompts: []string{"order-agent", "travel-agent", "data-analyst", "it-helpdesk", "calendar-agent", "research-agent", "inventory-agent", "crm-agent"},
		system: []string{
			"You are an agent with tools.",
			"Call a tool whenever the answer depends on data you do not have, and one tool at a time unless the calls are independent.",
			"After the last call, answer the user in one short paragraph.",
		},
		asks: []string{
			"What is the status of {id}, and when will the {w} arrive?",
			"Find all {w} entries above {n} and mail me a summary.",
			"Book the {w} for {n} people next Friday.",
			"Can you look up why {w} was declined?",
		},
		replies: []string{
			"The {w} arrives in {n} days.",
			"I found {n} entries; the largest one is {w}.",
			"Done, the meeting is in your calendar.",
		},
	},
}

// model is a language model with its prices per million tokens.
type model struct {
	provider, name  string
	apiType, fn     string
	input, output   float64
	tokensPerSecond float64
	weight          float64
	thinks          bool
}

var models = []model{
	{"openai", "gpt-4o", "chat-completions", "openai.chat.completions.create", 2.5, 10, 90, 20, false},
	{"openai", "gpt-4o-mini", "chat-completions", "openai.chat.completions.create", 0.15, 0.6, 130, 18, false},
	{"openai", "gpt-4.1", "responses", "openai.responses.create", 2, 8, 100, 10, false},
	{"openai", "o4-mini", "responses", "openai.responses.create", 1.1, 4.4, 70, 6, true},
	{"anthropic", "claude-sonnet-4", "", "anthropic.messages.create", 3, 15, 70, 14, true},
	{"anthropic", "claude-3-5-haiku", "", "anthropic.messages.create", 0.8, 4, 110, 9, false},
	{"anthropic", "claude-opus-4", "", "anthropic.messages.create", 15, 75, 40, 2, true},
	{"google", "gemini-2.5-pro", "", "google.model.generate_content", 1.25, 10, 80, 6, true},
	{"google", "gemini-2.5-flash", "", "google.model.generate_content", 0.3, 2.5, 160, 7, false},
	{"mistral", "mistral-large", "", "mistral.client.chat", 2, 6, 60, 3, false},
	{"mistral", "mistral-small", "", "mistral.client.chat", 0.1, 0.3, 120, 3, false},
	{"amazon.bedrock", "nova-pro", "", "boto3.bedrock-runtime.converse", 0.8, 3.2, 90, 2, false},
}

var tags = []string{
	"production", "prod", "staging", "canary", "nightly", "beta", "mobile", "web", "ios", "android",
	"internal", "vip", "enterprise", "free-tier", "trial", "experiment-a", "experiment-b", "rag", "agent", "batch",
	"eu", "us", "apac", "retry", "cached", "long-context", "gdpr", "onboarding", "checkout", "team-red",
}

var (
	environments = []string{"prod", "staging", "dev"}
	regions      = []string{"eu-west-1", "us-east-1", "us-west-2", "ap-southeast-1"}
	features     = []string{"chat", "search", "inbox", "checkout", "editor", "reports", "import", "mobile-home", "api", "widget", "assistant", "admin"}
)

// failure is a way in which a request fails.
type failure struct {
	status, kind, message string
	// answers reports whether the model still returned an answer.
	answers bool
}

var failures = []failure{
	{"ERROR", "PROVIDER_TIMEOUT", "The provider did not answer within 60 seconds", false},
	{"ERROR", "PROVIDER_ERROR", "The server had an error while processing the request", false},
	{"ERROR", "PROVIDER_RATE_LIMIT", "Rate limit reached, please slow down", false},
	{"ERROR", "PROVIDER_AUTH_ERROR", "Incorrect API key provided", false},
	{"ERROR", "TEMPLATE_RENDER_ERROR", "Unexpected end of template", false},
	{"ERROR", "UNKNOWN_ERROR", "Something went wrong", false},
	{"ERROR", "PROVIDER_QUOTA_LIMIT", "The monthly quota is used up", false},
	{"WARNING", "PROVIDER_PARTIAL_RESPONSE", "The answer was cut at the token limit", true},
	{"WARNING", "VARIABLE_MISSING_OR_EMPTY", "Variable customer_name is empty", true},
	{"WARNING", "PROVIDER_RATE_LIMIT", "The request was retried after a rate limit", true},
}

// tool is a tool that a model can call. Its arguments are fields.
type tool struct {
	name, description string
	args              []field
}

// field is a member of a JSON output or of the arguments of a tool.
type field struct {
	key  string
	kind fieldKind
	// values are the values of an enumeration.
	values []string
	fields []field
}

type fieldKind uint8

const (
	enumeration fieldKind = iota
	number
	share
	sentence
	identifier
	wordList
	object
	maybe // a word or null
)

var tools = []tool{
	{"get_order", "Look up one order", []field{{key: "order_id", kind: identifier}}},
	{"search_orders", "Find orders", []field{{key: "query", kind: maybe}, {key: "limit", kind: number}}},
	{"create_refund", "Pay money back", []field{{key: "order_id", kind: identifier}, {key: "amount", kind: number}, {key: "reason", kind: sentence}}},
	{"get_weather", "Weather of a city", []field{{key: "city", values: []string{"Berlin", "Paris", "Lisbon", "Oslo", "Tokyo", "Austin"}}, {key: "unit", values: []string{"c", "f"}}}},
	{"search_flights", "Find flights", []field{{key: "from", values: []string{"BER", "CDG", "OSL", "HND"}}, {key: "to", values: []string{"JFK", "SFO", "LIS", "MAD"}}, {key: "seats", kind: number}}},
	{"run_sql", "Run a read-only query", []field{{key: "sql", kind: sentence}}},
	{"send_email", "Send an e-mail", []field{{key: "subject", kind: sentence}, {key: "priority", values: []string{"low", "normal", "high"}}}},
	{"create_event", "Add a calendar entry", []field{{key: "title", kind: sentence}, {key: "attendees", kind: number}}},
	{"web_search", "Search the web", []field{{key: "query", kind: sentence}}},
	{"lookup_user", "Find a user", []field{{key: "user_id", kind: identifier}}},
	{"reset_password", "Send a reset link", []field{{key: "user_id", kind: identifier}, {key: "channel", values: []string{"email", "sms"}}}},
	{"update_stock", "Change a stock count", []field{{key: "sku", kind: identifier}, {key: "count", kind: number}}},
}

// outputFields are the JSON outputs of the extraction prompts, in order.
var outputFields = [][]field{
	{{key: "invoice_number", kind: identifier}, {key: "vendor", kind: maybe}, {key: "total", kind: number}, {key: "currency", values: []string{"EUR", "USD", "GBP"}}, {key: "lines", kind: wordList}},
	{{key: "category", values: []string{"billing", "delivery", "account", "bug", "other"}}, {key: "priority", values: []string{"low", "medium", "high"}}, {key: "summary", kind: sentence}, {key: "confidence", kind: share}},
	{{key: "score", kind: number}, {key: "segment", values: []string{"smb", "midmarket", "enterprise"}}, {key: "reason", kind: sentence}},
	{{key: "candidate", kind: object, fields: []field{{key: "years", kind: number}, {key: "degree", kind: maybe}}}, {key: "skills", kind: wordList}, {key: "summary", kind: sentence}},
	{{key: "sentiment", values: []string{"positive", "neutral", "negative"}}, {key: "confidence", kind: share}},
	{{key: "party", kind: maybe}, {key: "term_months", kind: number}, {key: "clauses", kind: wordList}, {key: "risk", values: []string{"none", "minor", "major"}}, {key: "summary", kind: sentence}},
	{{key: "product", kind: object, fields: []field{{key: "name", kind: sentence}, {key: "color", values: []string{"red", "blue", "black"}}, {key: "weight", kind: number}}}, {key: "labels", kind: wordList}},
	{{key: "flagged", values: []string{"yes", "no"}}, {key: "category", values: []string{"spam", "abuse", "none"}}, {key: "confidence", kind: share}},
}
