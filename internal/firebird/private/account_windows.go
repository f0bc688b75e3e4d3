package private

import "io/fs"

// passes is true: no account is switched to on Windows.
func (account) passes(fs.FileInfo) bool { return true }
