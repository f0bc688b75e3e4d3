package running

import "syscall"

// oDirect is the flag of a file that the operating system does not cache.
const oDirect = syscall.O_DIRECT
