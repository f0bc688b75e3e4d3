package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// Settings writes the catalogue as a table, one topic after the other: for the
// version asked for, or as of the newest version that knows each setting.
func Settings(w io.Writer, list []confgen.SettingFacts) error {
	var b strings.Builder
	for from := 0; from < len(list); {
		to := from
		for to < len(list) && list[to].Topic == list[from].Topic && list[to].Vendor == list[from].Vendor {
			to++
		}
		if from > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(topicTable(list[from:to]))
		from = to
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// topicTable is a table of settings of one topic, or of one vendor.
func topicTable(list []confgen.SettingFacts) string {
	title := string(list[0].Topic)
	if list[0].Vendor != "" {
		title = string(list[0].Vendor) + " only"
	}
	t := newTable(left, left, left, left, left, left).Headers(title, "versions", "default", "unit", "per", "felt by")
	for _, s := range list {
		t.Row(s.Name, versions(s), defaults(s), string(s.Unit), string(newest(s).Scope), felt(s))
	}
	return render(t)
}

// newest is what holds in the version asked for, else in the last that knows
// the setting.
func newest(s confgen.SettingFacts) confgen.EraFacts {
	if s.In != nil {
		return s.In.EraFacts
	}
	var last confgen.EraFacts
	for _, era := range s.Versions {
		if era.Known {
			last = era
		}
	}
	return last
}

// versions is the range of versions that know a setting: "2.5 - 5.0", "4.0 -".
func versions(s confgen.SettingFacts) string {
	if len(s.Versions) == 0 {
		return ""
	}
	first, last := s.Versions[0], s.Versions[len(s.Versions)-1]
	from := short(first.From)
	if last.Known {
		return from + " -"
	}
	return from + ", gone in " + short(last.From)
}

// short leaves out a patch level of 0.
func short(v confgen.Version) string {
	if v.Patch == 0 {
		return v.Line().String()
	}
	return v.String()
}

// defaults is the default, by architecture where it differs.
func defaults(s confgen.SettingFacts) string {
	return byMode(newest(s).Default)
}

func byMode(d confgen.ByMode) string {
	if d.Super != d.Classic {
		return fmt.Sprintf("%s; Classic %s", d.Super, d.Classic)
	}
	return d.Super
}

// felt is what a setting is felt by, and that it has an effect on one system
// only.
func felt(s confgen.SettingFacts) string {
	var words []string
	for _, load := range s.FeltBy {
		words = append(words, string(load))
	}
	text := strings.Join(words, ", ")
	if s.Platform != confgen.Anywhere {
		text = strings.TrimSpace(text + " (" + string(s.Platform) + " only)")
	}
	return text
}

// Setting writes one setting in full.
func Setting(w io.Writer, s confgen.SettingFacts) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", s.Name, indented(s.Effect))
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-12s  %s\n", name, value)
		}
	}
	line("vendor", string(s.Vendor))
	line("type", strings.TrimSpace(string(s.Type)+" "+parenthesised(string(s.Unit))))
	line("topic", string(s.Topic))
	line("felt by", felt(s))
	line("takes effect", string(s.Restart))
	if s.Durability {
		line("safety", "trades safety of data for speed")
	}
	line("memory", string(s.Memory))
	if s.MemoryFormula != "" {
		b.WriteString(indented(s.MemoryFormula))
	}
	for _, era := range s.Versions {
		fmt.Fprintf(&b, "\n  from %s", short(era.From))
		if !era.Known {
			b.WriteString(": removed\n")
			continue
		}
		fmt.Fprintf(&b, ": default %s, per %s\n", orNothing(byMode(era.Default)), era.Scope)
		if era.WindowsDefault != nil {
			fmt.Fprintf(&b, "    on Windows %s\n", byMode(*era.WindowsDefault))
		}
		for _, rule := range era.Bounds {
			fmt.Fprintf(&b, "    %s\n", rule)
		}
	}
	fmt.Fprintf(&b, "\n  source: %s\n", s.Source)
	_, err := io.WriteString(w, b.String())
	return err
}

func parenthesised(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}
