//go:build !linux

package running

// oDirect is not looked for on other systems.
const oDirect = 0
