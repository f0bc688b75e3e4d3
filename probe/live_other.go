//go:build !linux

package probe

// Live returns the running machine.
func Live() System { return System{Resolve: resolve} }
