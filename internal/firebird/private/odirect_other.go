//go:build !linux

package private

// oDirect is not looked for on other systems.
const oDirect = 0
