package check

import (
	"cmp"
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
		{
			ID: "open-files", Severity: Warning, find: openFiles,
			About:  "more connections than the server may open files for",
			Source: "issue 8343; ib-aid.com, 23 more ways; measured on 3.0.11 and 4.0.5: 1 file for each connection in Super, 2 in SuperClassic",
		},
		{
			ID: "memory-maps", Severity: Warning, From: v30, find: memoryMaps,
			About:  "more connections in one process than it may have memory mappings for",
			Source: "IBSurgeon/firebirdlinuxinstall (vm.max_map_count); measured: 3 mappings for each connection of SuperClassic in 3.0.11, 11 in 4.0.5, and 2 for the stack of each that works",
		},
		{
			ID: "processor-groups", Severity: Warning, find: processorGroups,
			About:  "processors that one process on Windows never uses",
			Source: "issue 7292 (32 of 192 used)",
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
		Version: s.Version, Mode: s.mode, Connections: s.connections(), Settings: map[string]string{}, Databases: slices.Clone(s.Open),
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
		c.Databases[i] = s.sized(d)
	}
	return c
}

// connections is how many memory and limits are computed for.
func (s *subject) connections() int {
	if s.Connections == 0 {
		return defaultConnections
	}
	return s.Connections
}

// sized fills in what the header of a database, or else the files, say of it.
func (s *subject) sized(d confgen.Database) confgen.Database {
	if file, ok := s.fileOf(d.Path); ok && file.Header != nil {
		d.PageSize = cmp.Or(d.PageSize, file.Header.PageSize)
		d.Size = cmp.Or(d.Size, file.Header.FileSize)
		d.Pages = cmp.Or(d.Pages, file.Header.PageBuffers)
	}
	if d.Pages == 0 {
		pages, _, _ := s.viewOfDatabase(d.Name, d.Path).number(confgen.DefaultDbCachePages)
		d.Pages = confgen.Pages(pages)
	}
	return d
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
	const instead = "keep databases on disks of the server"
	var all []Finding
	for _, file := range s.DatabaseFiles {
		if kind := file.Disk.FileSystem.Value; slices.Contains(networkFileSystems, kind) {
			all = append(all, file.finding().does(instead, "cannot lock the file of %s on %s, which other machines may have open too", file.called(), kind))
		}
	}
	if len(all) == 0 && s.Host != nil && slices.Contains(networkFileSystems, s.Host.Disk.FileSystem.Value) {
		all = append(all, Finding{}.does(instead, "cannot lock database files on %s, where %s lies", s.Host.Disk.FileSystem.Value, s.Host.Disk.Path))
	}
	return all
}

// Files that a server opens: besides those of connections, and for each
// connection its socket and in SuperClassic a file of its own of the database.
const (
	filesOfServer  = 64
	filesWithSorts = 2 // times as many when each connection sorts in a file, or waits for events
)

func openFiles(s *subject) []Finding {
	if s.Host == nil || !s.modeKnown || s.mode == confgen.Classic || !s.Host.Limits.OpenFilesHard.Known() {
		return nil // each process of Classic has the files of one connection
	}
	each, limit := 1, s.Host.Limits.OpenFilesHard // the server raises the soft limit to it
	if s.mode == confgen.SuperClassic {
		each = 2
	}
	need := int64(filesOfServer + s.connections()*each*filesWithSorts)
	if limit.Value < 0 || need <= limit.Value {
		return nil
	}
	return []Finding{Finding{}.does("set LimitNOFILE=65535 in the service's unit",
		"may open %d files (%s), and %d connections in %s take %d, up to %d when they sort in files or wait for events", limit.Value, limit.Source, s.connections(), s.mode, s.connections()*each, need)}
}

// Memory mappings that each connection of SuperClassic takes, with the stack of
// the thread that works for it.
const (
	mapsOf30 = 5
	mapsOf40 = 13
)

func memoryMaps(s *subject) []Finding {
	if s.Host == nil || s.mode != confgen.SuperClassic || !s.Host.Limits.MaxMapCount.Known() {
		return nil
	}
	limit := s.Host.Limits.MaxMapCount.Value
	each := int64(mapsOf30)
	if s.Version.AtLeast(v40) {
		each = mapsOf40
	}
	need := int64(s.connections()) * each
	if need <= limit/2 { // the other half is for sorts, blobs and what the allocator splits
		return nil
	}
	return []Finding{Finding{}.does("run sysctl -w vm.max_map_count=256000 or more, and write it into /etc/sysctl.d; or use Classic, where each connection is a process",
		"takes about %d memory mappings for %d connections in SuperClassic, of %d that a process may have: at that it fails with \"unable to allocate memory from operating system\"", need, s.connections(), limit)}
}

// largestGroup is how many processors a group of Windows has at most.
const largestGroup = 64

func processorGroups(s *subject) []Finding {
	if s.Host == nil || s.Host.OS.Value != "windows" || s.mode == confgen.Classic || s.Host.CPU.LogicalCPUs.Value <= largestGroup {
		return nil
	}
	return []Finding{Finding{}.does("count the processors of one group, not of the machine, for workers and affinity; run a second server for another group, or Classic, whose processes Windows spreads over the groups",
		"runs in one process, which stays in one group of at most %d of the %d processors", largestGroup, s.Host.CPU.LogicalCPUs.Value)}
}
