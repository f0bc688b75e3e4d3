package confgen

import (
	"fmt"
	"slices"

	"github.com/fbtune/fbtune/probe"
)

// Workload is what a server is mostly used for.
type Workload string

// Workloads. The empty Workload is OLTP.
const (
	OLTP      Workload = "oltp"      // short transactions
	Mixed     Workload = "mixed"     // short transactions and reports
	Reporting Workload = "reporting" // large sorts and aggregates
)

// ParseWorkload reads a workload's name.
func ParseWorkload(text string) (Workload, error) {
	switch w := Workload(text); w {
	case "":
		return OLTP, nil
	case OLTP, Mixed, Reporting:
		return w, nil
	}
	return "", fmt.Errorf("parse workload %q: write oltp, mixed or reporting", text)
}

// Current is a setting's present value and where it was found.
type Current struct {
	Value  string `json:"value"`
	Source string `json:"source"`
}

// Input is what advice is made from.
type Input struct {
	Host        probe.Host
	Memory      Bytes // overrides the host's usable memory; 0 does not
	CPUs        int   // overrides the host's usable CPUs; 0 does not
	Version     Version
	Bits        int  // of the server, 32 or 64; 0 is 64
	Mode        Mode // empty: choose one
	Isolation   bool // whether one connection's crash must not end the others'
	Connections int  // 0: a quarter more than the observed peak, else 20
	Workload    Workload
	Databases   []Database // Pages is the present value of each one's own block
	Share       float64    // the part of the memory that Firebird may have, above 0 up to 1; 0 is all
	Reserve     Bytes      // memory kept for other programs
	Storage     Storage    // of the databases; empty: as the host says
	Observed    Observed   // zero: nothing was
	Current     map[string]Current
}

// Storage is what databases lie on.
type Storage string

// Kinds of storage.
const (
	NVMe    Storage = "nvme"
	SSD     Storage = "ssd"
	HDD     Storage = "hdd"
	Network Storage = "network" // a network file system, which Firebird refuses by default
)

// ParseStorage reads a kind of storage; the empty text is the empty Storage.
func ParseStorage(text string) (Storage, error) {
	switch s := Storage(text); s {
	case "", NVMe, SSD, HDD, Network:
		return s, nil
	}
	return "", fmt.Errorf("parse storage %q: write nvme, ssd, hdd or network", text)
}

// networkFileSystems are the ones on which Firebird refuses databases.
var networkFileSystems = []string{"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse.sshfs"}

// storageOf returns what a disk is, or the empty Storage when it does not say.
func storageOf(d probe.Disk) Storage {
	switch {
	case slices.Contains(networkFileSystems, d.FileSystem.Or("")):
		return Network
	case d.NVMe.Or(false):
		return NVMe
	case d.Rotational.Or(false):
		return HDD
	case d.Rotational.Known():
		return SSD
	}
	return ""
}

// Advised returns the lines of versions that advice is given for, oldest
// first: 6.0 is a preview only.
func Advised() []Version {
	return slices.DeleteFunc(Lines(), func(v Version) bool { return v.AtLeast(v60) })
}

// defaultConnections is the number of connections advised for when none is
// given, that of fbtune's own load.
const defaultConnections = 20

// Bounds of what is believed of an Input.
const (
	mostConnections = 30000
	leastForServer  = 64 * MiB
)

// facts is an Input with its gaps filled and its contradictions refused.
type facts struct {
	Input
	memory       Bytes  // what Firebird may have
	memorySource string // where that comes from, with the arithmetic
	cpus         probe.Fact[int]

	connectionsSeen bool // whether Connections comes from what was observed
}

// check fills the gaps of an Input and refuses what makes no sense.
func check(in Input) (facts, error) {
	f := facts{Input: in, cpus: in.Host.CPU.Usable}
	fail := func(format string, args ...any) (facts, error) {
		return facts{}, fmt.Errorf("advise: "+format, args...)
	}
	if lines := Advised(); !slices.Contains(lines, in.Version.Line()) {
		return fail("the rules of sizing cover Firebird %s to %s, not %s; give one of these as --firebird", lines[0], lines[len(lines)-1], in.Version)
	}
	if in.Bits != 0 && in.Bits != 32 && in.Bits != 64 {
		return fail("a server of %d bits; give 32 or 64", in.Bits)
	}
	if in.Mode != "" && !slices.Contains(Modes(), in.Mode) {
		return fail("ServerMode %q is none of Super, SuperClassic, Classic; write one of them", in.Mode)
	}
	workload, err := ParseWorkload(string(in.Workload))
	if err != nil {
		return fail("%w", err)
	}
	f.Workload = workload
	if err := in.Observed.check(); err != nil {
		return fail("%w", err)
	}
	if f.Storage == "" {
		f.Storage = storageOf(in.Host.Disk)
	}
	if seen := in.Observed.connections(); f.Connections == 0 && seen > 0 {
		f.Connections, f.connectionsSeen = seen, true
	}
	if f.Connections == 0 {
		f.Connections = defaultConnections
	}
	if f.Connections < 1 || f.Connections > mostConnections {
		return fail("%d connections: give a number from 1 to %d", in.Connections, mostConnections)
	}
	if in.CPUs < 0 {
		return fail("%d CPUs: give a number above 0", in.CPUs)
	}
	if in.CPUs > 0 {
		f.cpus = probe.Given(in.CPUs, "given")
	}
	if err := f.setMemory(); err != nil {
		return facts{}, err
	}
	f.Databases, err = checkDatabases(in.Databases, in.Version)
	return f, err
}

// setMemory derives the memory that Firebird may have.
func (f *facts) setMemory() error {
	usable := f.Host.Memory.Usable
	if f.Memory != 0 {
		usable = probe.Given(f.Memory, "given")
	}
	switch {
	case !usable.Known() && usable.Missing == "":
		return &probe.MemoryError{Reason: "no facts about a host were given"}
	case !usable.Known():
		return &probe.MemoryError{Reason: usable.Missing}
	case usable.Value > PiB:
		return &probe.MemoryError{Reason: fmt.Sprintf("%s is more than any machine has", usable.Value)}
	case f.Share < 0 || f.Share > 1:
		return fmt.Errorf("advise: a share of %g: give a part above 0 up to 1, such as 50%%", f.Share)
	case f.Reserve < 0:
		return fmt.Errorf("advise: a reserve of %d bytes: give an amount of memory, such as 4G", f.Reserve)
	}
	f.memory, f.memorySource = usable.Value, fmt.Sprintf("%s, %s", usable.Value, usable.Source)
	if f.Share > 0 && f.Share < 1 {
		f.memory = Bytes(float64(f.memory) * f.Share)
		f.memorySource = fmt.Sprintf("%g %% of %s", f.Share*100, f.memorySource)
	}
	if f.Reserve > 0 {
		f.memory = min(f.memory, usable.Value-f.Reserve)
		f.memorySource += fmt.Sprintf(", with %s kept for others", f.Reserve)
	}
	if f.memory < leastForServer {
		return fmt.Errorf("advise: %s of memory for Firebird (%s) is too little; give it at least %s",
			max(f.memory, 0), f.memorySource, leastForServer)
	}
	return nil
}
