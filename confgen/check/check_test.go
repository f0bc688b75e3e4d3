package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

// files is the text of a server's files, with the version that reads them.
type files struct {
	version         string
	conf, databases string
	mode            confgen.Mode
	windows         bool
	name            string // of the firebird.conf; empty: firebird.conf
}

// input parses the files. A text of "-" stands for no file.
func (f files) input(t testing.TB) Input {
	t.Helper()
	v, err := confgen.ParseVersion(f.version)
	if err != nil {
		t.Fatal(err)
	}
	d := v.Dialect()
	d.Windows = f.windows
	in := Input{Files: confgen.Files{Version: v, Mode: f.mode, Windows: f.windows}}
	if f.conf != "-" {
		name := f.name
		if name == "" {
			name = "firebird.conf"
		}
		in.ConfText = []byte(f.conf)
		in.Conf = fbconf.Parse(in.ConfText, fbconf.Options{Name: name, Dialect: d})
	}
	if f.databases != "" {
		kind, name := fbconf.DatabasesConf, "databases.conf"
		if d.Legacy() {
			kind, name = fbconf.AliasesConf, "aliases.conf"
		}
		in.DatabasesText = []byte(f.databases)
		in.Databases = fbconf.Parse(in.DatabasesText, fbconf.Options{Name: name, Kind: kind, Dialect: d})
	}
	return in
}

// secured is the part of databases.conf that every one should have.
const secured = "security.db = $(dir_secDb)/security4.fdb\n{\nRemoteAccess = false\nDefaultDbCachePages = 256\n}\n"

// TestRules shows every rule what it looks for, and what is next to that and
// fine. A row without a rule must have no finding but notes.
func TestRules(t *testing.T) {
	rows := []struct {
		rule string // that finds something; "" for none
		files
		severity Severity
		at       string // file:line
		does     string // part of what the engine does
		instead  string // part of what to do
	}{
		{"server-down", files{version: "4.0.5", conf: "TempDirectories = \"/tmp\n"}, ServerDown, "firebird.conf:1", "server exits at start", "correct or delete"},
		{"server-down", files{version: "4.0.5", conf: "", databases: secured + "a = /a.fdb\na = /b.fdb\n"}, ServerDown, "databases.conf:7", "Duplicated alias a", ""},
		{"server-down", files{version: "5.0.4", conf: "", databases: "{\nRemoteAccess = false\n}\n"}, ServerDown, "databases.conf:1", "before 3.0.13, 4.0.6 and 5.0.3 it crashes", ""},
		{"server-down", files{version: "2.5", conf: "DefaultDbCachePages 4096\n"}, ServerDown, "firebird.conf:1", "1 bad lines", ""},
		{"git-lfs-pointer", files{version: "5.0", conf: "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"}, Error, "firebird.conf:1", "finds no setting", "git lfs pull"},
		{"build-template", files{version: "2.5", conf: "#UdfAccess = None\n@UDF_COMMENT@\n"}, Note, "firebird.conf:2", "server exits at start", "the build makes of it"},
		{"build-template", files{version: "3.0", conf: "@UDF_COMMENT@\n"}, Note, "firebird.conf:1", "ignores the line", ""},
		{"utf-16", files{version: "5.0", conf: "\xff\xfe#\x00\n\x00"}, Error, "firebird.conf:1", "UTF-16", "UTF-8 without byte order mark"},
		{"file-name", files{version: "5.0", conf: "ServerMode = Super\n", name: "/etc/firebird.conf.txt"}, Error, "/etc/firebird.conf.txt:0", "never opens", "name it firebird.conf"},

		{"grammar", files{version: "4.0.5", conf: "DefaultDbCachePages 4096\n"}, Error, "firebird.conf:1", "has no =", "write Key = value"},
		{"grammar", files{version: "5.0", conf: "\xef\xbb\xbfTempCacheLimit = 1G\n"}, Error, "firebird.conf:1", "byte order mark", "save the file without"},
		{"", files{version: "5.0", conf: "\xef\xbb\xbf# comment\nTempCacheLimit = 1G\n"}, "", "", "", ""},
		{"grammar", files{version: "5.0", conf: "", databases: secured + "a = /a.fdb\n{ # big\nDefaultDbCachePages = 5000\n}\n"}, Error, "databases.conf:7", "block belongs to nothing", ""},
		{"grammar", files{version: "5.0", conf: "", databases: secured + "a = data/a.fdb\n"}, Error, "databases.conf:6", "not a fully qualified path", ""},
		{"grammar", files{version: "5.0", conf: "TempCacheLimit\xc2\xa0= 1G\n"}, Error, "firebird.conf:1", "no-break space", "type it again"},

		{"duplicate", files{version: "4.0.5", conf: "TempCacheLimit = 64M\ntempcachelimit = 1G\n"}, Error, "firebird.conf:2", "line 1 counts, with 64M", "keep one"},
		{"duplicate", files{version: "4.0.5", conf: "TempCacheLimit = 64M\nTempCacheLimit = 64M\n"}, Warning, "firebird.conf:2", "line 1 counts", ""},
		{"duplicate", files{version: "2.5", conf: "LockHashSlots = 2003\nLockHashSlots = 4003\n"}, Error, "firebird.conf:1", "line 2 counts", ""},
		{"duplicate", files{version: "4.0.5", conf: "TempCacheLimit = 64M\nTempCacheLimit = 128M\n", windows: true}, Error, "firebird.conf:2", "whichever", ""},
		{"empty-value", files{version: "4.0.5", conf: "DefaultDbCachePages =\n"}, Error, "firebird.conf:1", "takes it as 50 pages", "2048 pages"},
		{"empty-value", files{version: "4.0.5", conf: "AuditTraceConfigFile =\n"}, Note, "firebird.conf:1", "takes it as nothing", ""},
		{"empty-value", files{version: "2.5", conf: "LockMemSize =\n"}, Note, "firebird.conf:1", "takes it as 1 MiB", ""},

		{"misspelt", files{version: "5.0", conf: "TempCacheLimt = 1G\n"}, Error, "firebird.conf:1", "no such setting", "write TempCacheLimit"},
		{"misspelt", files{version: "5.0", conf: "", databases: secured + "a = /a.fdb\n{\nDefaultDBCashPages = 9000\n}\n"}, Error, "databases.conf:8", "", "write DefaultDbCachePages"},
		{"no-such-setting", files{version: "5.0", conf: "TcpNoDelay = 1\n"}, Error, "firebird.conf:1", "no version of Firebird", "TcpNoNagle"},
		{"no-such-setting", files{version: "3.0", conf: "SharedChache = false\n"}, Error, "firebird.conf:1", "", "use ServerMode"},
		{"unknown-setting", files{version: "5.0", conf: "InnodbBufferPoolSize = 4G\n"}, Warning, "firebird.conf:1", "ignores it", "delete"},
		{"vendor-setting", files{version: "4.0", conf: "MaxTempBlobs = 10000\n"}, Warning, "firebird.conf:1", "a setting of HQbird", ""},
		{"old-setting", files{version: "2.5", conf: "SortMemUpperLimit = 1000000\n"}, Warning, "firebird.conf:1", "before 2.5", "now it is TempCacheLimit"},
		{"old-version", files{version: "2.5", conf: "#OldParameterOrdering = 0\n"}, Warning, "firebird.conf:0", "OldParameterOrdering", "of the version that runs"},
		{"other-version", files{version: "4.0", conf: "MaxParallelWorkers = 8\n"}, Warning, "firebird.conf:1", "from 5.0.0 on", ""},
		{"other-version", files{version: "6.0", conf: "FileSystemCacheThreshold = 1M\n"}, Warning, "firebird.conf:1", "from 6.0 on it is gone", ""},
		{"other-version", files{version: "3.0", conf: "RootDirectory = /opt/firebird\n"}, Warning, "firebird.conf:1", "from 3.0 on it is gone", ""},
		{"name-case", files{version: "2.5", conf: "tempcachelimit = 1000000\n"}, Error, "firebird.conf:1", "upper and lower case", "write TempCacheLimit"},
		{"", files{version: "2.5", conf: "lockhashslots = 2003\n", windows: true}, "", "", "", ""},
		{"", files{version: "3.0", conf: "lockhashslots = 20011\n"}, "", "", "", ""},
		{"server-setting-in-block", files{version: "4.0.5", conf: "", databases: secured + "a = /a.fdb\n{\nServerMode = Classic\n}\n"}, Error, "databases.conf:8", "setting of the whole server", "move it"},
		{"server-setting-in-block", files{version: "3.0.11", conf: "", databases: strings.ReplaceAll(secured, "y4", "y3") + "a = /a.fdb\n{\nTempCacheLimit = 1G\n}\n"}, Error, "databases.conf:8", "setting of the whole server", ""},
		{"", files{version: "4.0.5", conf: "", databases: secured + "a = /a.fdb\n{\nTempCacheLimit = 1G\n}\n"}, "", "", "", ""},
		{"setting-outside-block", files{version: "4.0.5", conf: "", databases: secured + "DefaultDbCachePages = 768\n"}, Error, "databases.conf:6", "takes it for an alias", "put it into the block"},

		{"template", files{version: "5.0", conf: "RemoteServicePort = !PORT!\n"}, Error, "firebird.conf:1", "as it stands", "put the value there"},
		{"template", files{version: "5.0", conf: "TempDirectories = ${TEMP_DIR}\n"}, Error, "firebird.conf:1", "", ""},
		{"reads-as-zero", files{version: "4.0.5", conf: "DefaultDbCachePages = 64MB\n"}, Error, "firebird.conf:1", "means 50 pages", "8192 pages of 8 KB"},
		{"reads-as-zero", files{version: "4.0.5", conf: "TempCacheLimit = 2GB\n"}, Error, "firebird.conf:1", "means 0 B", "write 2048M"},
		{"reads-as-zero", files{version: "4.0.5", conf: "LockMemSize = 1.5M\n"}, Error, "firebird.conf:1", "means 256 KiB", "write 1536K"},
		{"reads-as-zero", files{version: "4.0.5", conf: "LockHashSlots = 30,011\n"}, Error, "firebird.conf:1", "means 101 slots", "write 30011"},
		{"reads-as-zero", files{version: "4.0.5", conf: "DefaultDbCachePages = lots\n"}, Error, "firebird.conf:1", "", "the default of 2048"},
		{"", files{version: "4.0.5", conf: "LockHashSlots = 30011 # prime\nTempCacheLimit = \"256m\"\n"}, "", "", "", ""},
		{"suffix-in-2.5", files{version: "2.5", conf: "TempCacheLimit = 64M\n"}, Error, "firebird.conf:1", "only the digits: 64 B", "write 67108864"},
		{"suffix-in-2.5", files{version: "2.5", conf: "TempCacheLimit = 4G\n"}, Error, "firebird.conf:1", "", "up to 2147483647"},
		{"boolean", files{version: "4.0.5", conf: "UseFileSystemCache = on\n"}, Error, "firebird.conf:1", "as false", "write true or false"},
		{"boolean", files{version: "2.5", conf: "BugcheckAbort = true\n"}, Error, "firebird.conf:1", "as false", "write 1 or 0"},
		{"", files{version: "4.0.5", conf: "UseFileSystemCache = yes\n"}, "", "", "", ""},
		{"word", files{version: "4.0.5", conf: "ServerMode = SuperServer\n"}, Error, "firebird.conf:1", "takes Super", "Classic"},
		{"word", files{version: "3.0.11", conf: "GCPolicy = Background\n"}, Error, "firebird.conf:1", "takes combined", "background"},
		{"word", files{version: "5.0", conf: "DataTypeCompatibility = 4.0\n"}, Error, "firebird.conf:1", "takes nothing", "2.5, 3.0"},
		{"", files{version: "4.0.5", conf: "ServerMode = threadedshared\n"}, "", "", "", ""},
		{"overflow", files{version: "3.0.11", conf: "DefaultDbCachePages = 3000000000\n"}, Error, "firebird.conf:1", "2048 pages", "fits in memory"},
		{"overflow", files{version: "5.0.4", conf: "LockHashSlots = 100003\n"}, Error, "firebird.conf:1", "34467 slots", "65521"},
		{"overflow", files{version: "4.0.5", conf: "LockMemSize = 4G\n"}, ServerDown, "firebird.conf:1", "no database can be attached", ""},
		{"overflow", files{version: "2.5", conf: "TempCacheLimit = 10737418240\n"}, Error, "firebird.conf:1", "low digits of 10737418240: 0 B", "2147483647 or less"},
		{"out-of-bounds", files{version: "5.0.3", conf: "LockHashSlots = 99999\n"}, Warning, "firebird.conf:1", "takes 65521 instead of 99999", ""},
		{"out-of-bounds", files{version: "5.0", conf: "ParallelWorkers = 8\n"}, Warning, "firebird.conf:1", "takes 1 instead of 8", "raise MaxParallelWorkers to 8"},
		{"out-of-bounds", files{version: "4.0", conf: "TempCacheLimit = -1\n"}, Note, "firebird.conf:1", "", ""},
		{"out-of-bounds", files{version: "3.0", conf: "TempBlockSize = 2048576\n"}, Note, "firebird.conf:1", "takes 2097152", ""},
		{"out-of-bounds", files{version: "4.0.2", conf: "LockMemSize = 0\n"}, ServerDown, "firebird.conf:1", "no database can be attached", ""},
		{"unit", files{version: "4.0", conf: "TempCacheLimit = 512\n"}, Error, "firebird.conf:1", "512 bytes", "write 512M"},
		{"unit", files{version: "3.0", conf: "TempCacheLimit = 128K\n"}, Warning, "firebird.conf:1", "131072 bytes", ""},
		{"unit", files{version: "4.0", conf: "DefaultDbCachePages = 67108864\n"}, Error, "firebird.conf:1", "67108864 pages", "divide by the page size"},
		{"unit", files{version: "3.0", conf: "FileSystemCacheThreshold = 268435456\n"}, Warning, "firebird.conf:1", "268435456 pages", "pages, not of bytes"},
		{"unit", files{version: "5.0", conf: "MaxUserTraceLogSize = 10485760\n"}, Error, "firebird.conf:1", "10485760 MiB", "write 10"},
		{"unit", files{version: "5.0", conf: "InlineSortThreshold = 128M\n"}, Warning, "firebird.conf:1", "more than any record", ""},
		{"no-effect-here", files{version: "3.0", conf: "CpuAffinityMask = 15\n"}, Warning, "firebird.conf:1", "outside Windows", "taskset"},
		{"no-effect-here", files{version: "3.0", conf: "FileSystemCacheSize = 80\n"}, Warning, "firebird.conf:1", "outside Windows", ""},
		{"no-effect-here", files{version: "3.0", conf: "GuardianOption = 1\n"}, Note, "firebird.conf:1", "", ""},
		{"", files{version: "3.0", conf: "CpuAffinityMask = 15\n", windows: true}, "", "", "", ""},

		{"o-direct", files{version: "3.0", conf: "DefaultDbCachePages = 65536\n"}, Warning, "firebird.conf:1", "O_DIRECT", "FileSystemCacheThreshold = 131072"},
		{"o-direct", files{version: "4.0", conf: "DefaultDbCachePages = 100K\n"}, Warning, "firebird.conf:1", "O_DIRECT", "UseFileSystemCache = true"},
		{"o-direct", files{version: "4.0", conf: "", databases: secured + "a = /a.fdb\n{\nDefaultDbCachePages = 100K\n}\n"}, Warning, "databases.conf:8", "database file of a with O_DIRECT", ""},
		{"o-direct", files{version: "3.0", conf: "FileSystemCacheThreshold = 0\n"}, Warning, "firebird.conf:1", "threshold of 0", ""},
		{"o-direct", files{version: "4.0", conf: "UseFileSystemCache = false\n"}, Note, "firebird.conf:1", "O_DIRECT", ""},
		{"", files{version: "3.0", conf: "DefaultDbCachePages = 65535\n"}, "", "", "", ""},
		{"", files{version: "3.0", conf: "DefaultDbCachePages = 100K\nFileSystemCacheThreshold = 1M\n"}, "", "", "", ""},
		{"", files{version: "4.0", conf: "DefaultDbCachePages = 100K\nUseFileSystemCache = true\n"}, "", "", "", ""},
		{"", files{version: "6.0", conf: "DefaultDbCachePages = 100K\n"}, "", "", "", ""},
		{"cache-per-connection", files{version: "5.0", conf: "ServerMode = Classic\nDefaultDbCachePages = 50K\n"}, Warning, "firebird.conf:2", "400 MiB of 8 KB pages, times the connections", "Super"},
		{"cache-per-connection", files{version: "5.0", conf: "ServerMode = SuperClassic\nDefaultDbCachePages = 2048\n"}, Note, "firebird.conf:2", "", ""},
		{"cache-per-connection", files{version: "2.5", conf: "DefaultDbCachePages = 8192\n"}, Note, "firebird.conf:1", "once in SuperServer", "--mode"},
		{"cache-per-connection", files{version: "2.5", conf: "DefaultDbCachePages = 8192\n", mode: confgen.Classic}, Warning, "firebird.conf:1", "in Classic", ""},
		{"cache-per-database", files{version: "5.0", conf: "DefaultDbCachePages = 50K\n"}, Note, "firebird.conf:1", "every database that is opened", "databases.conf"},
		{"small-cache", files{version: "5.0", conf: "DefaultDbCachePages = 256\n"}, Note, "firebird.conf:1", "fewer than its default of 2048", ""},
		{"small-cache", files{version: "5.0.2", conf: "ServerMode = Classic\nDefaultDbCachePages = 128\n"}, Warning, "firebird.conf:2", "page in use during flush", ""},
		{"growth", files{version: "5.0", conf: "DatabaseGrowthIncrement = 0\n"}, Warning, "firebird.conf:1", "page by page", ""},
		{"growth", files{version: "5.0", conf: "DatabaseGrowthIncrement = 4G\n"}, Warning, "firebird.conf:1", "page by page", ""},
		{"remote-files", files{version: "5.0", conf: "RemoteFileOpenAbility = 1\n"}, Error, "firebird.conf:1", "network file systems", ""},
		{"file-cache-size", files{version: "5.0", conf: "FileSystemCacheSize = 70\n", windows: true}, Warning, "firebird.conf:1", "every program on the machine", "write 0"},

		{"sort-memory-zero", files{version: "5.0", conf: "TempCacheLimit = 0\n"}, Warning, "firebird.conf:1", "every sort goes to files", ""},
		{"sort-memory-per-connection", files{version: "4.0.3", conf: "ServerMode = SuperClassic\nTempCacheLimit = 3000M\n"}, Warning, "firebird.conf:2", "every connection take up to 2.9 GiB", "upgrade to 4.0.5"},
		{"sort-memory-per-connection", files{version: "4.0", conf: "ServerMode = SuperClassic\nTempCacheLimit = 3000M\n"}, Note, "firebird.conf:2", "from 4.0.0 to 4.0.4", ""},
		{"sort-memory-per-connection", files{version: "3.0.11", conf: "ServerMode = SuperClassic\nTempCacheLimit = 3000M\n"}, Note, "firebird.conf:2", "mind", ""},
		{"sort-memory-per-connection", files{version: "5.0", conf: "ServerMode = Classic\nTempCacheLimit = 1G\n"}, Warning, "firebird.conf:2", "every connection take up to 1 GiB", ""},
		{"sort-memory-per-connection", files{version: "2.5", conf: "TempCacheLimit = 640000000\n"}, Warning, "firebird.conf:1", "once for each connection in Classic", ""},
		{"", files{version: "4.0.5", conf: "ServerMode = SuperClassic\nTempCacheLimit = 3000M\n"}, "", "", "", ""},
		{"", files{version: "5.0", conf: "ServerMode = Super\nTempCacheLimit = 3000M\n"}, "", "", "", ""},
		{"sort-block", files{version: "5.0", conf: "TempBlockSize = 32M\nTempCacheLimit = 16M\n"}, Warning, "firebird.conf:1", "nothing is sorted in memory", ""},
		{"temp-in-memory", files{version: "5.0", conf: "TempDirectories = /mnt/ramdisk\nTempCacheLimit = 1G\n"}, Warning, "firebird.conf:1", "memory twice", "directory on a disk"},
		{"temp-directories", files{version: "5.0", conf: "TempDirectories = /tmp:/var/tmp\n"}, Warning, "firebird.conf:1", "one directory", "by ;"},
		{"", files{version: "5.0", conf: "TempDirectories = d:\\temp;c:\\temp\n", windows: true}, "", "", "", ""},

		{"lock-table", files{version: "4.0.5", conf: "LockHashSlots = 65521\nLockMemSize = 256K\n"}, ServerDown, "firebird.conf:2", "crashes at the first attach", "LockMemSize = 1M"},
		{"lock-table", files{version: "4.0.5", conf: "LockHashSlots = 31172\nLockMemSize = 256K\n"}, Warning, "firebird.conf:2", "hardly room", ""},
		{"lock-table", files{version: "3.0.11", conf: "LockMemSize = 60K\n"}, ServerDown, "firebird.conf:1", "8191 slots need 78296 bytes", ""},
		{"", files{version: "5.0.4", conf: "LockHashSlots = 65521\nLockMemSize = 256K\n"}, "", "", "", ""},
		{"", files{version: "4.0.5", conf: "LockHashSlots = 65521\nLockMemSize = 1M\n"}, "", "", "", ""},
		{"lock-table-growth", files{version: "4.0.5", conf: "LockMemSize = 1G\n"}, Warning, "firebird.conf:1", "at 2 GiB the server crashes", "256M or less"},
		{"lock-spins", files{version: "4.0.5", conf: "LockAcquireSpins = 100\n"}, Note, "firebird.conf:1", "in vain", ""},

		{"parallel-workers", files{version: "5.0", conf: "ServerMode = Classic\nMaxParallelWorkers = 64\n"}, Note, "firebird.conf:2", "64 workers", ""},
		{"gc-policy", files{version: "4.0", conf: "ServerMode = Classic\nGCPolicy = background\n"}, Note, "firebird.conf:2", "always cooperative", ""},
		{"statement-timeout", files{version: "4.0.4", conf: "StatementTimeout = 600\n"}, Warning, "firebird.conf:1", "loses memory", "4.0.5"},
		{"statement-timeout", files{version: "5.0", conf: "StatementTimeout = 600\n"}, Note, "firebird.conf:1", "", ""},
		{"", files{version: "5.0.1", conf: "StatementTimeout = 600\n"}, "", "", "", ""},
		{"audit-trace", files{version: "4.0", conf: "AuditTraceConfigFile = fbtrace.conf\n"}, Warning, "firebird.conf:1", "fbtrace.conf", ""},
		{"unflushed-writes", files{version: "4.0", conf: "MaxUnflushedWrites = -1\nMaxUnflushedWriteTime = -1\n", windows: true}, Note, "firebird.conf:1", "never flushes", ""},

		{"plugin-name", files{version: "5.0", conf: "AuthServer = Srp256, Legacy_auth\nUserManager = Srp, Legacy_UserManager\nWireCrypt = Enabled\n"}, Error, "firebird.conf:1", "no plugin Legacy_auth", "write Legacy_Auth"},
		{"plugin-name", files{version: "4.0", conf: "UserManager = Srp, Win_Sspi\n"}, Error, "firebird.conf:1", "only lets them in", ""},
		{"plugin-name", files{version: "4.0", conf: "AuthServer = Srp256, Win_Sspi\n"}, Warning, "firebird.conf:1", "outside Windows", ""},
		{"", files{version: "4.0", conf: "AuthServer = Srp256,Srp\nAuthClient=Srp256, Win_Sspi\n", windows: true}, "", "", "", ""},
		{"legacy-users", files{version: "4.0", conf: "AuthServer = Srp, Legacy_Auth\nWireCrypt = Enabled\n"}, Note, "firebird.conf:1", "no user manager", ""},
		{"wire-crypt-login", files{version: "4.0", conf: "AuthServer = Legacy_Auth\nUserManager = Legacy_UserManager\n"}, Error, "firebird.conf:1", "lets nobody in", "WireCrypt = Enabled"},
		{"wire-crypt-login", files{version: "4.0", conf: "AuthServer = Srp, Legacy_Auth\nUserManager = Srp, Legacy_UserManager\n"}, Warning, "firebird.conf:1", "refuses every login by Legacy_Auth", ""},
		{"providers", files{version: "4.0", conf: "Providers = Remote, Engine13, Engine12, Loopback\n"}, Warning, "firebird.conf:1", "Engine13 and Engine12", ""},
		{"providers", files{version: "5.0", conf: "Providers = Engine12\n"}, Warning, "firebird.conf:1", "comes with Engine13", ""},
		{"", files{version: "3.0", conf: "Providers = Engine12\n"}, "", "", "", ""},
		{"security-database", files{version: "4.0", conf: "SecurityDatabase = /data/security3.fdb\n"}, Error, "firebird.conf:1", "another version", "security4.fdb"},
		{"security-database", files{version: "3.0", conf: "SecurityDatabase = /data/security3.fdb3\n"}, Warning, "firebird.conf:1", "as it stands", "check the name"},
		{"", files{version: "3.0", conf: "SecurityDatabase = /data/users.fdb\n"}, "", "", "", ""},
		{"database-access", files{version: "3.0", conf: "DatabaseAccess = Restrict /data\n"}, Warning, "firebird.conf:1", "security database", "directory of security3.fdb"},
		{"database-access", files{version: "3.0", conf: "DatabaseAccess = Restrict /data; /more\nSecurityDatabase = /sys/security3.fdb\n"}, Error, "firebird.conf:1", "nobody can log in", ""},
		{"database-access", files{version: "3.0", conf: "DatabaseAccess = Limit /data\n"}, Error, "firebird.conf:1", "takes None", ""},
		{"database-access", files{version: "3.0", conf: "DatabaseAccess = None\n", databases: "a = /a.fdb\n"}, Warning, "firebird.conf:1", "no security.db", ""},
		{"", files{version: "3.0", conf: "DatabaseAccess = Restrict /data; /sys\nSecurityDatabase = /sys/security3.fdb\n"}, "", "", "", ""},
		{"open-directories", files{version: "3.0", conf: "ExternalFileAccess = Full\n"}, Note, "firebird.conf:1", "every file", ""},
		{"wire-compression", files{version: "3.0", conf: "WireCompression = true\n"}, Note, "firebird.conf:1", "at the server it has no effect", "of the clients"},
		{"wire-crypt-off", files{version: "3.0", conf: "WireCrypt = Disabled\n"}, Note, "firebird.conf:1", "encrypts nothing", ""},
		{"port", files{version: "3.0", conf: "RemoteServiceName = gds_db\nRemoteServicePort = 3051\n"}, Note, "firebird.conf:1", "RemoteServicePort = 3051 (line 2)", ""},

		{"security-db", files{version: "4.0", conf: "-", databases: "a = /a.fdb\n"}, Warning, "databases.conf:0", "does not know security.db", "security4.fdb"},
		{"security-db", files{version: "5.0", conf: "-", databases: secured}, Error, "databases.conf:1", "another version", "security5.fdb"},
		{"security-db", files{version: "4.0", conf: "DefaultDbCachePages = 50000\n", databases: "security.db = $(dir_secDb)/security4.fdb\n"}, Warning, "databases.conf:1", "cache of 50000 pages", "DefaultDbCachePages = 256"},
		{"", files{version: "4.0", conf: "DefaultDbCachePages = 50000\n", databases: secured}, "", "", "", ""},
		{"bare-path-block", files{version: "3.0.11", conf: "-", databases: strings.ReplaceAll(secured, "y4", "y3") + "/data/a.fdb\n{\nDefaultDbCachePages = 5000\n}\n"}, Error, "databases.conf:6", "every attach fail", "write alias = /data/a.fdb"},
		{"grammar", files{version: "2.5", conf: "-", databases: "a = data/a.fdb\n"}, Error, "aliases.conf:1", "not a fully qualified path", "absolute path"},
		{"", files{version: "2.5", conf: "-", databases: "    a = D:\\Data\\a.fdb\r\n b = C:\\b.fdb\n", windows: true}, "", "", "", ""},
	}
	found := map[string]bool{}
	for _, row := range rows {
		name := fmt.Sprintf("%s/%s %.60q %.60q", row.rule, row.version, row.conf, strings.TrimPrefix(row.databases, secured))
		t.Run(name, func(t *testing.T) {
			got := Run(row.input(t))
			if row.rule == "" {
				for _, f := range got {
					if f.Severity != Note {
						t.Errorf("false alarm: %+v", f)
					}
				}
				return
			}
			found[row.rule] = true
			i := slices.IndexFunc(got, func(f Finding) bool { return f.Rule == row.rule })
			if i < 0 {
				t.Fatalf("not found among %+v", got)
			}
			f := got[i]
			if at := fmt.Sprintf("%s:%d", f.File, f.Line); f.Severity != row.severity || at != row.at {
				t.Errorf("%s at %s, want %s at %s: %+v", f.Severity, at, row.severity, row.at, f)
			}
			text := f.EngineDoes + "; " + f.Instead
			if !strings.Contains(f.EngineDoes, row.does) && !strings.Contains(text, row.does) || !strings.Contains(f.Instead, row.instead) {
				t.Errorf("does %q, instead %q; want %q, %q", f.EngineDoes, f.Instead, row.does, row.instead)
			}
			if f.EngineDoes == "" || f.Instead == "" || f.Source == "" {
				t.Errorf("a finding says what the engine does, what to do and why that is known: %+v", f)
			}
		})
	}
	for _, c := range factCases() {
		found[c.rule] = true
	}
	for _, r := range Rules() {
		if !found[r.ID] {
			t.Errorf("no row for the rule %s", r.ID)
		}
	}
}

// TestSorted puts the worst first and says nothing twice.
func TestSorted(t *testing.T) {
	got := Run(files{version: "4.0.5", conf: "GuardianOption = 1\nTempCacheLimit = 64MB\nServerMode = Classic;\nLockMemSize = 4G\nMaxTempBlobs = 9\n"}.input(t))
	var severities []Severity
	for _, f := range got {
		severities = append(severities, f.Severity)
	}
	if want := []Severity{ServerDown, Error, Error, Warning, Note}; !slices.Equal(severities, want) {
		t.Errorf("%v, want %v: %+v", severities, want, got)
	}
}
