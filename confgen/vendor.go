package confgen

import (
	"slices"
	"strings"
)

// Vendor is who made a distribution of Firebird with settings of its own.
type Vendor string

// Vendors.
const (
	HQbird      Vendor = "HQbird"
	RedDatabase Vendor = "RedDatabase"
)

// VendorSetting is a setting that only a vendor's distribution knows; stock
// Firebird ignores it in silence.
type VendorSetting struct {
	Name   string
	Vendor Vendor
	Effect string // one sentence
	Source string
}

// vendorSettings are the settings of vendors that turn up in files.
var vendorSettings = []VendorSetting{
	{"TempSpaceLogThreshold", HQbird, "Sorts that need more temporary space than this are logged.", "IBSurgeon's firebird.conf for HQbird 4"},
	{"MaxTempBlobs", HQbird, "Temporary blobs a transaction may hold.", "IBSurgeon's firebird.conf for HQbird 4"},
	{"BlobTempSpace", HQbird, "Where temporary blobs are kept.", "IBSurgeon's firebird.conf for HQbird 4"},
	{"LeftJoinConversion", HQbird, "Whether left joins are made inner joins.", "IBSurgeon's firebird.conf for HQbird 4"},
	{"CertUsernameDN", RedDatabase, "Part of a certificate that is the user's name.", "RED SOFT's test scripts for RED Database"},
	{"CertVerifyChain", RedDatabase, "Whether the chain of a certificate is verified.", "RED SOFT's test scripts for RED Database"},
	{"VerifyCertChain", RedDatabase, "Whether the chain of a certificate is verified.", "RED SOFT's test scripts for RED Database"},
	{"VerifyCertificateChain", RedDatabase, "Whether the chain of a certificate is verified.", "RED SOFT's test scripts for RED Database"},
	{"ServerCertificate", RedDatabase, "Certificate of the server.", "RED SOFT's test scripts for RED Database"},
	{"ServerPrivatePin", RedDatabase, "PIN of the server's private key.", "RED SOFT's test scripts for RED Database"},
	{"ProviderName", RedDatabase, "Provider of cryptography.", "RED SOFT's test scripts for RED Database"},
	{"GssServiceName", RedDatabase, "Service of the server in Kerberos.", "RED SOFT's test scripts for RED Database"},
	{"GssHostName", RedDatabase, "Host of the server in Kerberos.", "RED SOFT's test scripts for RED Database"},
}

// VendorSettings returns the settings that only vendors' distributions know.
func VendorSettings() []VendorSetting { return slices.Clone(vendorSettings) }

// LookupVendor returns the vendor's setting of that name, in any case.
func LookupVendor(name string) (VendorSetting, bool) {
	i := slices.IndexFunc(vendorSettings, func(s VendorSetting) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 {
		return VendorSetting{}, false
	}
	return vendorSettings[i], true
}

// forerunners are the settings of 1.5 to 2.1 that 2.5 no longer had, with the
// one to use instead; empty when there is none (B1_5_Release, B2_0_Release and
// B2_1_Release:src/common/config/config.cpp).
var forerunners = map[string]string{
	"SortMemBlockSize":      TempBlockSize,
	"SortMemUpperLimit":     TempCacheLimit,
	"MaxFileSystemCache":    FileSystemCacheThreshold,
	"OldParameterOrdering":  "",
	"IpcMapSize":            "",
	"LockSemCount":          "",
	"LockSignal":            "",
	"SolarisStallValue":     "",
	"TraceMemoryPools":      "",
	"DeadThreadsCollection": "",
	"CreateInternalWindow":  "",
}

// Forerunner reports whether a name is a setting of 1.5 to 2.1 only, and which
// one took its place, if any.
func Forerunner(name string) (instead string, ok bool) {
	for old, instead := range forerunners {
		if strings.EqualFold(old, name) {
			return instead, true
		}
	}
	return "", false
}

// imagined are names that circulate in advice and never were settings, with
// what does what they promise.
var imagined = map[string]string{
	"StatisticsGatherInterval": "Firebird gathers statistics on SET STATISTICS INDEX only",
	"DatabaseCacheSize":        "use DefaultDbCachePages, in pages",
	"DefaultCacheMem":          "use DefaultDbCachePages, in pages",
	"DefaultCachePages":        "use DefaultDbCachePages",
	"MaxDbCachePages":          "use DefaultDbCachePages",
	"CacheSize":                "use DefaultDbCachePages, in pages",
	"PageBuffers":              "use DefaultDbCachePages",
	"MaxMemory":                "use DefaultDbCachePages and TempCacheLimit",
	"MaxConnections":           "Firebird has no such limit",
	"ForcedWrites":             "it is set per database: gfix -write sync",
	"PageSize":                 "it is set when a database is created or restored",
	"SweepInterval":            "it is set per database: gfix -housekeeping",
	"TcpNoDelay":               "use TcpNoNagle",
	"SortMemory":               "use TempCacheLimit",
	"TempCacheSize":            "use TempCacheLimit",
	"SharedCache":              "use ServerMode; it existed before the release of 3.0 only",
	"SharedDatabase":           "use ServerMode; it existed before the release of 3.0 only",
	"Architecture":             "use ServerMode",
	"Port":                     "use RemoteServicePort",
}

// Imagined reports whether a name circulates although it never was a setting,
// be it with a letter wrong, and what to do instead.
func Imagined(name string) (instead string, ok bool) {
	for wrong, instead := range imagined {
		if distance(strings.ToLower(name), strings.ToLower(wrong)) <= len(wrong)/10 {
			return instead, true
		}
	}
	return "", false
}
