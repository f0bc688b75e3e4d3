package probe

import (
	"strings"
)

// osName returns PRETTY_NAME of os-release.
func osName(t tree) Fact[string] {
	for _, file := range [...]string{"etc/os-release", "usr/lib/os-release"} {
		text, err := t.text(file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
				return known(strings.Trim(name, `"'`), rooted(file))
			}
		}
	}
	return missing[string]("no PRETTY_NAME in /etc/os-release")
}

// hypervisors are the marks by which a virtual machine's vendor or product in
// DMI is known, in lower case.
var hypervisors = []struct{ mark, name string }{
	{"amazon ec2", "Amazon EC2"},
	{"google compute", "Google Compute Engine"},
	{"firecracker", "Firecracker"},
	{"qemu", "QEMU/KVM"},
	{"kvm", "QEMU/KVM"},
	{"openstack", "OpenStack"},
	{"vmware", "VMware"},
	{"virtualbox", "VirtualBox"},
	{"virtual machine", "Hyper-V"},
	{"xen", "Xen"},
	{"parallels", "Parallels"},
	{"nutanix", "Nutanix"},
	{"digitalocean", "DigitalOcean"},
	{"hetzner", "Hetzner"},
}

// virtualisation tells what the machine runs on, by its DMI names, else by the
// processor's flag.
func virtualisation(t tree) Fact[string] {
	for _, file := range [...]string{"sys/class/dmi/id/product_name", "sys/class/dmi/id/sys_vendor", "sys/hypervisor/type"} {
		text, err := t.text(file)
		if err != nil {
			continue
		}
		for _, h := range hypervisors {
			if strings.Contains(strings.ToLower(text), h.mark) {
				return known(h.name, rooted(file))
			}
		}
	}
	info, err := t.text("proc/cpuinfo")
	if err != nil {
		return missing[string]("%v", err)
	}
	flags, ok := table(info)["flags"]
	switch {
	case strings.Contains(" "+flags+" ", " hypervisor "):
		return known("a hypervisor without a name", "/proc/cpuinfo flags")
	case ok:
		return known("none", "/proc/cpuinfo flags, /sys/class/dmi/id")
	}
	return missing[string]("this processor's /proc/cpuinfo does not tell")
}

// containerFiles are files that only a container of a kind has.
var containerFiles = []struct{ file, name string }{
	{".dockerenv", "docker"},
	{"run/.containerenv", "podman"},
	{"var/run/secrets/kubernetes.io", "kubernetes"},
	{"dev/lxd", "lxd"},
}

// containerGroups are parts of a cgroup's path that tell a container.
var containerGroups = []struct{ mark, name string }{
	{"kubepods", "kubernetes"}, {"docker", "docker"}, {"libpod", "podman"}, {"lxc", "lxc"}, {"containerd", "containerd"},
}

// container tells whether this is a container.
func container(t tree) Fact[string] {
	for _, c := range containerFiles {
		if t.exists(c.file) {
			return known(c.name, rooted(c.file))
		}
	}
	text, err := t.text("proc/self/cgroup")
	if err != nil {
		return missing[string]("%v", err)
	}
	for _, c := range containerGroups {
		if strings.Contains(text, c.mark) {
			return known(c.name, "/proc/self/cgroup")
		}
	}
	return known("none", "/proc/self/cgroup")
}
