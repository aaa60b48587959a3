package registry

// demoSnippets are snippets that prompts use.
var demoSnippets = []demoPrompt{
	{
		name: "brand-voice", folder: replies, tags: []string{"snippet"},
		versions: []promptVersion{
			{system: "Write as a friendly colleague would.", commit: "First wording"},
			{system: "Write as a friendly colleague would: short sentences, no slang, and never more than one exclamation mark.", commit: "Fewer exclamation marks", labels: []string{"prod"}},
		},
	},
	{
		name: "refund-policy", folder: support, tags: []string{"snippet", "legal"},
		versions: []promptVersion{
			{system: "Unused goods can be returned within 14 days.", commit: "As in the terms of 2024"},
			{system: "Unused goods can be returned within 30 days of delivery. Broken goods are replaced within two years.", commit: "The new terms", labels: []string{"prod"}},
		},
	},
}

const (
	openAI    = "openai"
	anthropic = "anthropic"
)

// demoPrompts are the prompts that logs refer to. The first one has an A/B test.
var demoPrompts = []demoPrompt{
	{
		name: "support-reply", folder: replies, tags: []string{"support", "customer-facing"}, variables: []string{"customer", "question"},
		versions: []promptVersion{
			{
				system: "You help the customers of an online store.", user: "{question}",
				provider: openAI, model: "gpt-4o-mini", parameters: `{"temperature":0.9}`, commit: "First draft",
			},
			{
				system: "You help the customers of an online store. Answer {customer} by name.", user: "{question}",
				provider: openAI, model: "gpt-4o-mini", parameters: `{"temperature":0.7}`, commit: "Use the customer's name", labels: []string{"dev"},
			},
			{
				system: "You help the customers of an online store. @@@brand-voice@@@", user: "{customer} writes: {question}",
				provider: openAI, model: "gpt-4o", parameters: `{"temperature":0.7}`, commit: "Voice from the snippet, larger model",
			},
			{
				system: "You help the customers of an online store. @@@brand-voice@@@\n\n@@@refund-policy@@@", user: "{customer} writes: {question}",
				provider: openAI, model: "gpt-4o", parameters: `{"temperature":0.4,"max_tokens":600}`, commit: "Know the refund policy", labels: []string{"staging"},
			},
			{
				system: "You help the customers of an online store. @@@brand-voice@@@\n\n@@@refund-policy@@@\n\nAnswer in at most four sentences.", user: "{customer} writes: {question}",
				provider: anthropic, model: "claude-sonnet-4", parameters: `{"temperature":0.3,"max_tokens":400}`, commit: "Shorter replies", labels: []string{"prod"},
			},
		},
	},
	{
		name: "refund-helper", folder: support, tags: []string{"support"}, variables: []string{"order", "question"},
		versions: []promptVersion{
			{
				system: "Decide whether the customer gets money back.", user: "Order {order}: {question}",
				provider: openAI, model: "gpt-4o-mini", parameters: `{"temperature":0}`, commit: "First draft",
			},
			{
				system: "Decide whether the customer gets money back.\n\n@@@refund-policy@@@", user: "Order {order}: {question}",
				provider: openAI, model: "gpt-4o", parameters: `{"temperature":0}`, commit: "The policy decides", labels: []string{"prod"},
			},
			{
				system: "Decide whether the customer gets money back. Name the rule that you applied.\n\n@@@refund-policy@@@", user: "Order {order}: {question}",
				provider: openAI, model: "gpt-4.1", parameters: `{"temperature":0}`, commit: "Name the rule", labels: []string{"staging"},
			},
		},
	},
	{
		name: "ticket-summary", folder: support, tags: []string{"support", "internal"}, variables: []string{"ticket", "language"}, jinja2: true,
		versions: []promptVersion{
			{
				system: "Sum up the ticket in one sentence.", user: "{{ ticket }}",
				provider: openAI, model: "gpt-4o-mini", commit: "One sentence",
			},
			{
				system: "Sum up the ticket{% if language %} in {{ language }}{% endif %}, in one sentence.", user: "{{ ticket }}",
				provider: openAI, model: "gpt-4o-mini", parameters: `{"temperature":0.2}`, commit: "In the language of the team", labels: []string{"prod"},
			},
			{
				system: "Sum up the ticket{% if language %} in {{ language }}{% endif %}.\n{% for part in ['problem', 'what was tried', 'next step'] %}- {{ part }}\n{% endfor %}", user: "{{ ticket | trim }}",
				provider: anthropic, model: "claude-3-5-haiku", parameters: `{"temperature":0.2,"max_tokens":300}`, commit: "Three points instead of a sentence", labels: []string{"dev"},
			},
		},
	},
	{
		name: "classify-ticket", folder: support, tags: []string{"support", "structured"}, variables: []string{"ticket"},
		versions: []promptVersion{
			{
				system: "Name the category of the ticket: billing, delivery, account, bug or other.", user: "{ticket}",
				provider: openAI, model: "gpt-4o-mini", parameters: `{"temperature":0}`, commit: "Only the category",
			},
			{
				system: "Classify the ticket. Answer with a JSON object that has category and priority.", user: "{ticket}",
				provider: openAI, model: "gpt-4o-mini", parameters: `{"temperature":0,"response_format":{"type":"json_object"}}`, commit: "Category and priority", labels: []string{"staging"},
			},
			{
				system: "Classify the ticket.", user: "{ticket}",
				provider: openAI, model: "gpt-4o", commit: "A schema instead of words", labels: []string{"prod"},
				parameters: `{"temperature":0,"response_format":{"type":"json_schema","json_schema":{"name":"ticket","strict":true,"schema":{"type":"object","additionalProperties":false,` +
					`"required":["category","priority"],"properties":{"category":{"type":"string","enum":["billing","delivery","account","bug","other"]},"priority":{"type":"integer"}}}}}}`,
			},
		},
	},
	{
		name: "order-agent", folder: support, tags: []string{"agent", "customer-facing"}, variables: []string{"question"},
		versions: []promptVersion{
			{
				system: "You are an agent of an online store.", user: "{question}",
				provider: openAI, model: "gpt-4o", commit: "Without tools",
			},
			{
				system: "You are an agent of an online store. Look orders up before you answer.", user: "{question}",
				provider: openAI, model: "gpt-4o", parameters: `{"parallel_tool_calls":false}`, registered: []string{"order_status"},
				commit: "Can look up orders", labels: []string{"staging"},
			},
			{
				system: "You are an agent of an online store. Look orders up before you answer, and hand over to a person when you cannot help.", user: "{question}",
				provider: openAI, model: "gpt-4.1", parameters: `{"parallel_tool_calls":true}`, registered: []string{"order_status", "shipping_cost"},
				tools: []string{
					`{"type":"function","function":{"name":"hand_over","description":"Hands the case over to a person","parameters":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"]}}}`,
				},
				commit: "Knows prices and when to give up", labels: []string{"prod"},
			},
		},
	},
	{
		name: "lead-scoring", folder: growth, tags: []string{"growth", "structured"}, variables: []string{"company"},
		versions: []promptVersion{
			{
				system: "Score the lead from 0 to 100.", user: "{company}",
				provider: openAI, model: "gpt-4o-mini", parameters: `{"temperature":0}`, commit: "One number",
			},
			{
				system: "Score the lead from 0 to 100 and say why in one sentence.", user: "{company}",
				provider: "google", model: "gemini-2.5-flash", parameters: `{"temperature":0}`, commit: "With a reason", labels: []string{"prod"},
			},
		},
	},
	{
		name: "translate-german", folder: growth, tags: []string{"growth", "translation"}, variables: []string{"text"},
		versions: []promptVersion{
			{
				system: "Translate into German.", user: "{text}",
				provider: openAI, model: "gpt-4o-mini", commit: "First draft",
			},
			{
				system: "Translate into German. Keep names, numbers and line breaks, and address readers formally.", user: "{text}",
				provider: openAI, model: "gpt-4o", parameters: `{"temperature":0.1}`, commit: "Formal address", labels: []string{"prod", "staging"},
			},
		},
	},
	{
		name: "code-review", folder: tools, tags: []string{"engineering"}, variables: []string{"diff"},
		versions: []promptVersion{
			{
				system: "Review the change.", user: "{diff}",
				provider: openAI, model: "gpt-4o", commit: "First draft",
			},
			{
				system: "You are a careful senior engineer. Review the change and point to the lines that matter.", user: "{diff}",
				provider: anthropic, model: "claude-sonnet-4", parameters: `{"max_tokens":2000}`, commit: "Point to lines", labels: []string{"prod"},
			},
			{
				system: "You are a careful senior engineer. Review the change, point to the lines that matter, and suggest the smallest fix. Say nothing about style.", user: "{diff}",
				provider: anthropic, model: "claude-opus-4", parameters: `{"max_tokens":4000}`, commit: "Fixes instead of style", labels: []string{"dev"},
			},
		},
	},
}
