package probe

import (
	"context"
	"path"
	"strings"
)

// Drive is a whole disk under a path, as the kernel and the disk tell of it.
type Drive struct {
	Name       string       `json:"name"`        // vda, sdb, nvme0n1
	Model      Fact[string] `json:"model"`       // its own name
	Virtual    Fact[string] `json:"virtual"`     // whose virtual disk it is; absent when it shows no sign of being one
	WriteCache Fact[string] `json:"write_cache"` // write back: the kernel flushes it; write through: the kernel sends no flush
	Battery    Fact[string] `json:"battery"`     // of a RAID controller before it; the kernel never tells, the reason says who does

	// SMARTPassed is the disk's own verdict, by smartctl.
	SMARTPassed Fact[bool] `json:"smart_passed"`
	// Worn is the share of its life an NVMe disk has used, in percent, by its
	// own estimate; it may exceed 100. By smartctl.
	Worn Fact[int64] `json:"worn_percent"`
}

// virtualModels are parts of the models of virtual disks, in lower case.
var virtualModels = []struct{ mark, name string }{
	{"amazon elastic block store", "Amazon EBS"},
	{"persistentdisk", "Google Persistent Disk"},
	{"nvme_card-pd", "Google Persistent Disk"},
	{"msft", "Microsoft"},
	{"virtual disk", "a hypervisor"},
	{"vmware", "VMware"},
	{"qemu", "QEMU"},
	{"vbox", "VirtualBox"},
}

// raidTools are the drivers of RAID controllers, and the program that tells of
// their battery.
var raidTools = map[string]string{
	"megaraid_sas": "storcli /c0/bbu show, or /c0/cv show",
	"hpsa":         "ssacli ctrl all show status",
	"smartpqi":     "ssacli ctrl all show status",
	"aacraid":      "arcconf getconfig 1 ad",
	"arcmsr":       "cli64 hw info",
	"3w-9xxx":      "tw_cli /c0/bbu show",
}

// readDrives describes the disks under a path.
func readDrives(ctx context.Context, sys System, t tree, disks Fact[[]string]) []Drive {
	var drives []Drive
	for _, name := range disks.Value {
		dir := path.Join("sys/class/block", name)
		d := Drive{
			Name:       name,
			Model:      t.word(path.Join(dir, "device/model")),
			WriteCache: t.word(path.Join(dir, "queue/write_cache")),
			Battery:    battery(t, name),
		}
		d.Virtual = virtualDisk(name, d.Model)
		d.SMARTPassed, d.Worn = readSMART(ctx, sys, name)
		drives = append(drives, d)
	}
	return drives
}

// virtualDisk tells whose virtual disk one is, by its driver's names and by
// its model.
func virtualDisk(name string, model Fact[string]) Fact[string] {
	switch {
	case strings.HasPrefix(name, "xvd"):
		return known("Xen", "name of the disk")
	case isVirtual(name):
		return known("virtio", "name of the disk")
	}
	for _, v := range virtualModels {
		if strings.Contains(strings.ToLower(model.Value), v.mark) {
			return known(v.name, model.Source)
		}
	}
	return missing[string]("neither its name nor its model is that of a known virtual disk")
}

// battery says why the battery before a disk is not known.
func battery(t tree, name string) Fact[string] {
	for part := range strings.SplitSeq(t.follow(path.Join("sys/class/block", name)), "/") {
		driver, err := t.text(path.Join("sys/class/scsi_host", part, "proc_name"))
		if err != nil {
			continue // not the part of the path that names the controller
		}
		if tool, ok := raidTools[driver]; ok {
			return missing[string]("the kernel does not tell of the battery behind %s; run %s", driver, tool)
		}
		return missing[string]("%s is not the driver of a known RAID controller", driver)
	}
	return missing[string]("no controller of SCSI or RAID is seen before %s", name)
}
