package private

import "os"

// claim is not available: private servers run on Linux only.
func claim(string) (*os.File, error) { return nil, errLinuxOnly }
