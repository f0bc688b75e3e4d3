package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// hostRules are about the machine that is to carry the configuration.
func hostRules() []Rule {
	return []Rule{
		{
			ID: "memory", Severity: Error, find: memory,
			About:  "more memory than the machine has, once caches are full: it fails hours after the start",
			Source: "the memory model of confgen; measured on 3.0.11 and 4.0.5; issues 3587, 7500; cases of containers",
		},
		{
			ID: "memory-tight", Severity: Warning, find: memoryTight,
			About:  "so much of the memory that nothing is left for the operating system",
			Source: "issue 3587 (a cache of 85 % of RAM)",
		},
		{
			ID: "workers-cpus", Severity: Warning, From: v50, find: workersCPUs,
			About:  "more workers than processors",
			Source: "issues 7389, 8928",
		},
		{
			ID: "network-disk", Severity: Error, find: networkDisk,
			About:  "databases on a network file system",
			Source: "doc/README.raw_devices; jacobalberty/firebird-docker issue 1",
		},
	}
}

// defaultConnections is how many connections memory is computed for when it is
// not said.
const defaultConnections = 20

// candidate returns the configuration with its load, as the memory model takes
// it.
func (s *subject) candidate() confgen.Candidate {
	c := confgen.Candidate{
		Version: s.Version, Mode: s.mode, Connections: s.Connections, Settings: map[string]string{}, Databases: s.Open,
	}
	if c.Connections == 0 {
		c.Connections = defaultConnections
	}
	for _, in := range s.views[0].Settings {
		if in.Set {
			c.Settings[in.Name] = in.Raw
		}
	}
	if len(c.Databases) == 0 {
		c.Databases = s.openAliases()
	}
	for i, d := range c.Databases {
		if d.Pages == 0 {
			pages, _, _ := s.viewNamed(d.Name).number(confgen.DefaultDbCachePages)
			c.Databases[i].Pages = confgen.Pages(pages)
		}
	}
	return c
}

// openAliases returns the databases that databases.conf names, each file once,
// but for the security database and the sample, which count apart or hardly.
func (s *subject) openAliases() []confgen.Database {
	var open []confgen.Database
	seen := map[string]bool{}
	for _, a := range s.aliases() {
		apart := strings.EqualFold(a.Name, securityAlias) || strings.Contains(strings.ToLower(a.Raw), "dir_sampledb")
		if a.Ignored != "" || a.Path == "" || apart || seen[a.Path] {
			continue
		}
		seen[a.Path] = true
		open = append(open, confgen.Database{Name: a.Name, Path: a.Path})
	}
	return open
}

// limit returns the memory of the machine, and false when it is not known or
// the server would not run.
func (s *subject) limit() (confgen.Bytes, bool) {
	if s.Host == nil || s.views[0].Fatal != "" || !s.Host.Memory.Usable.Known() {
		return 0, false
	}
	return s.Host.Memory.Usable.Value, true
}

// largestLine is the line that the page cache comes from.
func (s *subject) largestLine() Finding {
	in, _ := s.views[0].Get(confgen.DefaultDbCachePages)
	for _, v := range s.views[1:] {
		if pages, own, _ := v.number(confgen.DefaultDbCachePages); pages > in.Number {
			in = own
		}
	}
	return at(in)
}

func memory(s *subject) []Finding {
	limit, known := s.limit()
	if !known {
		return nil
	}
	var tooLarge *confgen.DoesNotFit
	if err := confgen.Fits(s.candidate(), limit); !errors.As(err, &tooLarge) {
		return nil
	}
	instead := fmt.Sprintf("write DefaultDbCachePages = %d or less", tooLarge.Largest)
	if tooLarge.Largest == 0 {
		instead = "give the machine more memory, or let in fewer connections"
	}
	return []Finding{s.largestLine().does(instead, "needs %s once its caches are full, and the machine has %s (%s): %s",
		tooLarge.Budget.Total.Worst, limit, s.Host.Memory.Usable.Source, arithmetic(tooLarge.Budget))}
}

// arithmetic is a budget in one line.
func arithmetic(b confgen.Budget) string {
	parts := make([]string, 0, len(b.Lines))
	for _, l := range b.Lines {
		parts = append(parts, fmt.Sprintf("%s %s = %s", l.Name, l.Formula, l.Worst))
	}
	return strings.Join(parts, "; ")
}

// mostOfMemory is the part of the memory from which the operating system has
// too little left.
const mostOfMemory = 0.85

func memoryTight(s *subject) []Finding {
	limit, known := s.limit()
	if !known {
		return nil
	}
	budget, err := confgen.Plan(s.candidate())
	worst := budget.Total.Worst
	if err != nil || worst > limit || worst <= confgen.Bytes(float64(limit)*mostOfMemory) {
		return nil
	}
	return []Finding{s.largestLine().does("leave 15 % of the memory to the system: fewer page buffers, or a smaller TempCacheLimit", "needs %s of %s once its caches are full", worst, limit)}
}

func workersCPUs(s *subject) []Finding {
	workers, in, _ := s.views[0].number(confgen.MaxParallelWorkers)
	if s.Host == nil || !in.Set || !s.Host.CPU.Usable.Known() || workers <= 2*int64(s.Host.CPU.Usable.Value) {
		return nil
	}
	return []Finding{at(in).does(fmt.Sprintf("write %d or less", s.Host.CPU.Usable.Value), "allows %d workers on %d processors", workers, s.Host.CPU.Usable.Value)}
}

// networkFileSystems are file systems whose files other machines may have
// open.
var networkFileSystems = []string{"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "fuse.sshfs", "ceph", "glusterfs"}

func networkDisk(s *subject) []Finding {
	if s.Host == nil || !slices.Contains(networkFileSystems, s.Host.Disk.FileSystem.Value) {
		return nil
	}
	return []Finding{Finding{}.does("keep databases on disks of the server", "cannot lock database files on %s, where %s lies", s.Host.Disk.FileSystem.Value, s.Host.Disk.Path)}
}
