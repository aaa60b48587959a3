package demo

// Link describes a prompt that logs refer to.
type Link struct {
	// Versions is the number of versions. Newer logs refer to newer versions.
	Versions int
	// Variables are its input variables. The generator ignores those it has no
	// values for.
	Variables []string
}

// KnowsVariable reports whether the generator has values for an input variable.
func KnowsVariable(name string) bool { return len(variableValues[name]) > 0 }

// link writes the reference to the prompt. It uses its own random source, so
// that the rest of the log is the same with and without links.
func (d *draft) link() {
	if !d.cfg.Linked {
		return
	}
	name := d.style.prompts[d.prompt]
	d.str(`,"prompt_name":"`, name, `"`)
	link, ok := d.cfg.Links[name]
	if !ok || link.Versions < 1 {
		return
	}
	drawn := mix(d.cfg.Seed ^ mix(uint64(d.index)+1))
	d.str(`,"prompt_version_number":`)
	d.int(int64(d.version(link.Versions, drawn)))
	d.str(`,"prompt_input_variables":{`)
	separator := ``
	for _, variable := range link.Variables {
		if !KnowsVariable(variable) {
			continue
		}
		drawn = mix(drawn)
		values := variableValues[variable]
		d.str(separator, `"`, variable, `":"`, values[drawn%uint64(len(values))], `"`)
		separator = `,`
	}
	d.str(`}`)
}

// version returns the number of the version at the time of the request. One in
// five requests uses the previous version.
func (d *draft) version(versions int, drawn uint64) int {
	released := 1 + min(d.index*versions/max(1, d.cfg.Logs), versions-1)
	if drawn%5 == 0 {
		released = max(1, released-1)
	}
	return released
}

// variableValues are the values of the input variables of prompts.
var variableValues = map[string][]string{
	"customer": {"Amina", "Bruno", "Chiara", "David", "Elif", "Farid"},
	"question": {"Where is my order?", "I was charged twice.", "Can I change the address?", "The lamp arrived broken.", "How do I cancel?"},
	"order":    {"10442", "10518", "10977", "11203", "11386"},
	"ticket":   {"The invoice is missing.", "The parcel is late.", "I cannot sign in.", "The page stays empty.", "Two items are missing."},
	"language": {"English", "German", "French"},
	"company":  {"Northwind Bakery, 40 people", "Harbor Logistics, 900 people", "Juniper Dental, 12 people"},
	"text":     {"The delivery is late.", "Your invoice is attached.", "Please confirm the meeting."},
	"diff":     {"-return nil +return err", "-for i := 0; i < n; i++ +for i := range n", "-panic(err) +return err"},
}
