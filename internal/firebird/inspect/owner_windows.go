package inspect

import "os/exec"

// asOwner has a command run as it is: programs take no other account here.
func asOwner(*exec.Cmd, string) {}

// fileNumber is not known here.
func fileNumber(string) string { return "" }
