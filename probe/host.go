package probe

// Host is what is known about one machine. It is written by `fbtune probe
// --json` and read back by `fbtune recommend --host`.
type Host struct {
	OS             Fact[string] `json:"os"`             // GOOS: linux, windows, darwin
	OSName         Fact[string] `json:"os_name"`        // the distribution's own name
	Kernel         Fact[string] `json:"kernel"`         // kernel release
	Virtualisation Fact[string] `json:"virtualisation"` // hypervisor or cloud; "none" when the hardware shows no sign of one
	Container      Fact[string] `json:"container"`      // docker, kubernetes, podman, lxc...; "none" when there is no sign of one
	CPU            CPU          `json:"cpu"`
	Memory         Memory       `json:"memory"`
	Disk           Disk         `json:"disk"`
	Limits         Limits       `json:"limits"`
	KernelSettings KernelKnobs  `json:"kernel_settings"`
	Busy           Fact[[]Busy] `json:"busy"`               // processes that read or write 1 MiB/s and more now; absent when not sampled
	Warnings       []string     `json:"warnings,omitempty"` // what a person should look at, each ending in what to do
}

// CPU describes the processors and the part of them that a server may use.
type CPU struct {
	Model         Fact[string] `json:"model"`
	Sockets       Fact[int]    `json:"sockets"`
	PhysicalCores Fact[int]    `json:"physical_cores"`
	LogicalCPUs   Fact[int]    `json:"logical_cpus"`

	// Affinity is the number of CPUs this process may be scheduled on
	// (taskset, cpuset).
	Affinity Fact[int] `json:"affinity"`

	// Quota is the smallest CPU bandwidth set on this process's cgroup or an
	// ancestor, in CPUs: 1.5 is one and a half. Absent when there is no limit.
	Quota Fact[float64] `json:"quota"`

	// Steal is the share of CPU time since the start of the machine that the
	// hypervisor gave to others, in percent.
	Steal Fact[float64] `json:"steal_percent"`

	// Usable is the smallest of logical CPUs, affinity and quota (rounded
	// up, at least 1).
	Usable Fact[int] `json:"usable"`
}

// Memory describes the memory and the part of it that a server may use.
type Memory struct {
	Total     Fact[Bytes] `json:"total_bytes"`
	Available Fact[Bytes] `json:"available_bytes"` // what could be given to programs now without swapping
	SwapTotal Fact[Bytes] `json:"swap_total_bytes"`
	SwapFree  Fact[Bytes] `json:"swap_free_bytes"`

	// Limits are the memory limits found on this process's cgroup and its
	// ancestors, innermost first; at last what cgroup v1 says is in force over
	// all of them. "No limit" values are left out.
	Limits []GroupLimit `json:"limits,omitempty"`

	// Usable is the smallest of Total and Limits: what a server here can ever
	// have. Its source names which one that is.
	Usable Fact[Bytes] `json:"usable_bytes"`
}

// GroupLimit is the memory limit of one cgroup.
type GroupLimit struct {
	Group string `json:"group"` // path of the cgroup inside its hierarchy
	Limit Bytes  `json:"limit_bytes"`
	File  string `json:"file"` // the file that states it
}

// Disk describes where a path is stored.
type Disk struct {
	Path       string         `json:"path"` // the path asked about, absolute, symbolic links followed
	MountPoint Fact[string]   `json:"mount_point"`
	Source     Fact[string]   `json:"mount_source"` // what is mounted: /dev/vda1, tank/data, server:/export
	FileSystem Fact[string]   `json:"file_system"`
	Options    Fact[[]string] `json:"mount_options"`       // of the mount and of its super block, without repetition
	Devices    Fact[[]string] `json:"devices"`             // the whole disks underneath, through partitions, LVM, RAID
	Rotational Fact[bool]     `json:"rotational"`          // true when any of the disks says it rotates
	NVMe       Fact[bool]     `json:"nvme"`                // true when all of the disks are NVMe
	Drives     []Drive        `json:"drives,omitempty"`    // the same disks, described; none when they are not known
	Throttles  []Throttle     `json:"throttles,omitempty"` // limits of cgroups on their speed
	Total      Fact[Bytes]    `json:"total_bytes"`
	Free       Fact[Bytes]    `json:"free_bytes"` // free to an unprivileged user
}

// Limits are the operating system's limits that a server runs into.
type Limits struct {
	OpenFilesSoft Fact[int64] `json:"open_files_soft"` // -1 is unlimited
	OpenFilesHard Fact[int64] `json:"open_files_hard"`
	MaxMapCount   Fact[int64] `json:"max_map_count"` // vm.max_map_count, memory mappings a process may have
}

// KernelKnobs are settings of the kernel that change how a server behaves.
type KernelKnobs struct {
	TransparentHugePages Fact[string] `json:"transparent_huge_pages"` // always, madvise, never
	Swappiness           Fact[int64]  `json:"swappiness"`
	Overcommit           Fact[int64]  `json:"overcommit_memory"` // vm.overcommit_memory: 0 heuristic, 1 always, 2 strict
	Governor             Fact[string] `json:"governor"`          // of CPU 0: performance, powersave, schedutil...
}
