package registry

import (
	"math/rand/v2"
	"strconv"
)

// topic is a topic of customer questions. A good answer contains the expected
// fact, a weak one does not.
type topic struct {
	category, question string
	expected           string
	good, weak         string
}

var topics = []topic{
	{"delivery", "Where is my {p}?", "tracking", "Your {p} left our warehouse yesterday; the tracking link is in your mail.", "It should be with you at some point; maybe there is a link in your mail."},
	{"delivery", "Can you send the {p} to another address?", "until it is packed", "You can change the address of the {p} in your account until it is packed.", "I do not know whether that is possible."},
	{"billing", "I was charged twice for the {p}.", "refund", "Sorry about that. I started the refund of the second payment for the {p}.", "Please ask your bank about this."},
	{"billing", "Where do I find the invoice for the {p}?", "invoice", "The invoice for the {p} is in your account under Orders, with a link to download it.", "It must be somewhere in your account."},
	{"account", "I cannot sign in to see my {p}.", "reset", "I sent you a link to reset your password; your {p} is shown after you sign in.", "Try it again later."},
	{"account", "Please delete my account after the {p} has arrived.", "30 days", "Your account will be deleted within 30 days of the delivery of the {p}; a colleague confirms it by mail.", "Why would you want to do that?"},
	{"bug", "The page of the {p} stays empty.", "colleague", "Thank you for telling us. A colleague repairs the page of the {p} today.", "It works on my computer."},
	{"other", "Does the {p} come with a warranty?", "two years", "Yes, the {p} has a warranty of two years; a replacement is free.", "I think so, most things do."},
}

var products = []string{"desk lamp", "coffee grinder", "travel bag", "bicycle pump", "wool blanket"}

// replyColumns are the columns with the replies of two versions of a prompt.
var replyColumns = []string{"reply_v4", "reply_v5"}

// questionRows returns a row for each topic and product, with a reply for each
// quality. The quality is the approximate share of good replies.
func (f *Filler) questionRows(qualities ...float64) []byte {
	sources := make([]*rand.Rand, len(qualities))
	for i, quality := range qualities {
		sources[i] = f.random(quality)
	}
	var rows rowWriter
	for _, t := range topics {
		for _, product := range products {
			cells := []string{"question", fill(t.question, product), "category", t.category, "expected", t.expected}
			for i, quality := range qualities {
				cells = append(cells, replyColumns[i], fill(t.reply(sources[i].Float64() < quality), product))
			}
			rows.add(cells...)
		}
	}
	return rows.Bytes()
}

func (t *topic) reply(good bool) string {
	if good {
		return t.good
	}
	return t.weak
}

// draftRows are the additional rows of the draft.
const draftRows = `[
{"question":"Do you ship to Norway?","category":"delivery","expected":"customs"},
{"question":"Can I pay by bank transfer?","category":"billing","expected":"bank transfer"},
{"question":"The app closes when I open my orders.","category":"bug","expected":"colleague"}]`

const regressionCount = 200

// regressionRows returns tickets with the expected and the actual output of a
// classifier. The quality is the approximate share of correct outputs.
func (f *Filler) regressionRows(quality float64) []byte {
	rng, tickets := f.random(quality), f.random(0)
	var rows rowWriter
	for i := range regressionCount {
		t := topics[tickets.IntN(len(topics))]
		expected := 1 + tickets.IntN(5)
		category, priority := t.category, expected
		if rng.Float64() >= quality {
			category = topics[rng.IntN(len(topics))].category
			priority = 1 + rng.IntN(5)
		}
		rows.add("id", "T-"+strconv.Itoa(1000+i), "ticket", fill(t.question, products[tickets.IntN(len(products))]),
			"expected_category", t.category, "category", category,
			"expected_priority", strconv.Itoa(expected), "priority", strconv.Itoa(priority))
	}
	return rows.Bytes()
}

// random returns a random source that depends on the seed and the purpose.
func (f *Filler) random(purpose float64) *rand.Rand {
	return rand.New(rand.NewPCG(f.Seed, uint64(purpose*1000)))
}
