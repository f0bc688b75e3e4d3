package inspect

import "github.com/fbtune/fbtune/confgen"

// Observed returns what of the inspection moves an advice: what was seen of the
// server under its own load. Attachments and cache hits take a watch; one look
// says nothing about a peak.
func (d Database) Observed() confgen.Observed {
	var o confgen.Observed
	if a := d.Activity; a != nil && a.Watched > 0 {
		o.PeakAttachments = a.Peak
		o.HitRatio, _ = a.IO.HitRatio()
	}
	if l := d.Locks; l != nil {
		o.HashSlots, o.AverageChain, o.LongestChain = l.HashSlots, l.AverageChain, int(l.LongestChain)
		o.MutexWait, o.LockUsed = l.MutexWait(), l.Used
	}
	if d.Temp != nil {
		o.TempSpilled = d.Temp.Bytes
	}
	return o
}
