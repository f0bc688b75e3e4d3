package probe

import (
	"context"
	"path"
	"slices"
	"strings"
)

// readDisk reads what lies under a path.
func readDisk(ctx context.Context, sys System, t tree, m mounts, dir string) Disk {
	d := Disk{Path: dir}
	if sys.Resolve != nil {
		resolved, err := sys.Resolve(dir)
		if err != nil {
			d.Total, d.Free = missing[Bytes]("%v", err), missing[Bytes]("%v", err)
			d.absent(err)
			return d
		}
		d.Path = resolved
	}
	d.Total, d.Free = space(sys, d.Path)
	found, err := m.under(d.Path)
	if err != nil {
		d.absent(err)
		return d
	}
	d.MountPoint = known(found.Point, mountInfo)
	d.Source = known(found.Source, mountInfo)
	d.FileSystem = known(found.Type, mountInfo)
	d.Options = known(found.Options, mountInfo)
	d.Devices = wholeDisks(t, found)
	d.Rotational, d.NVMe = kinds(t, d.Devices)
	d.Drives = readDrives(ctx, sys, t, d.Devices)
	return d
}

// absent marks all but the space as unknown for the reason err.
func (d *Disk) absent(err error) {
	for _, f := range [...]*Fact[string]{&d.MountPoint, &d.Source, &d.FileSystem} {
		*f = missing[string]("%v", err)
	}
	for _, f := range [...]*Fact[[]string]{&d.Options, &d.Devices} {
		*f = missing[[]string]("%v", err)
	}
	for _, f := range [...]*Fact[bool]{&d.Rotational, &d.NVMe} {
		*f = missing[bool]("%v", err)
	}
}

// space returns the size and the free part of the file system under a path.
func space(sys System, dir string) (total, free Fact[Bytes]) {
	if sys.Space == nil {
		absent := missing[Bytes]("not a live machine")
		return absent, absent
	}
	t, f, err := sys.Space(dir)
	if err != nil {
		absent := missing[Bytes]("statfs %s: %v", dir, cause(err))
		return absent, absent
	}
	return known(t, "statfs "+dir), known(f, "statfs "+dir)
}

// wholeDisks returns the disks under a mount: by its device number where /sys
// knows it, else (btrfs has a number of its own) by the name of its source.
// Nothing local lies under a network file system, tmpfs or overlay; ZFS does
// not tell.
func wholeDisks(t tree, m mount) Fact[[]string] {
	dir := t.follow(path.Join("sys/dev/block", m.Device))
	source := "/sys/dev/block/" + m.Device
	if dir == "" && strings.HasPrefix(m.Source, "/dev/") {
		dir = t.follow(path.Join("sys/class/block", path.Base(m.Source)))
		source = "/sys/class/block/" + path.Base(m.Source)
	}
	if dir == "" {
		return missing[[]string]("%s on %s has no block device in /sys", m.Type, m.Source)
	}
	disks := disksUnder(t, dir, 0)
	slices.Sort(disks)
	return known(slices.Compact(disks), source)
}

// deepest is how many layers of LVM, RAID and encryption are followed.
const deepest = 16

// disksUnder returns the whole disks under the block device at dir in /sys:
// through the devices it is built of, and from a partition to its disk.
func disksUnder(t tree, dir string, depth int) []string {
	var disks []string
	if depth < deepest {
		for _, slave := range t.names(path.Join(dir, "slaves")) {
			if below := t.follow(path.Join("sys/class/block", slave)); below != "" {
				disks = append(disks, disksUnder(t, below, depth+1)...)
			}
		}
	}
	switch {
	case len(disks) > 0:
		return disks
	case t.exists(path.Join(dir, "partition")):
		return disksUnder(t, path.Dir(dir), deepest)
	}
	return []string{path.Base(dir)}
}

// kinds tells whether any of the disks rotates and whether all are NVMe.
func kinds(t tree, disks Fact[[]string]) (rotational, nvme Fact[bool]) {
	if !disks.Known() {
		return missing[bool]("%s", disks.Missing), missing[bool]("%s", disks.Missing)
	}
	nvme = known(true, "names of the disks")
	for _, disk := range disks.Value {
		if !strings.HasPrefix(disk, "nvme") {
			nvme.Value = false
		}
		file := path.Join("sys/class/block", disk, "queue/rotational")
		text, err := t.text(file)
		if err != nil {
			if !rotational.Known() {
				rotational = missing[bool]("%v", err)
			}
			continue
		}
		if !rotational.Known() || text == "1" {
			rotational = known(text == "1", rooted(file))
		}
	}
	return rotational, nvme
}
