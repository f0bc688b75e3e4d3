package workload

import "time"

// Phases of a run, as Tick.Phase spells them.
const (
	PhaseConnect = "connect"
	PhaseWarmup  = "warmup"
	PhaseMeasure = "measure"
)

// Tick is one second of a run.
type Tick struct {
	Phase   string        `json:"phase"`
	Elapsed time.Duration `json:"elapsed"` // in the phase
	Ops     int64         `json:"ops"`     // operations committed in this second
	Retries int64         `json:"retries"` // attempts repeated after a conflict in this second
	Errors  int64         `json:"errors"`  // operations given up after an error in this second
	P95     time.Duration `json:"p95"`     // latency of this second's operations, to 2 significant digits
}

// Latency holds percentiles in milliseconds of the successful operations to
// the commit, to 3 significant digits. In a closed loop they begin with the
// first attempt: a slow server is asked less often, so they are service times.
// In an open loop they begin when the operation was due, so that what waited
// for the server counts with its wait.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// OperationResult is what one kind of operation did in the window.
type OperationResult struct {
	OpsPerSecond   float64       `json:"ops_per_second"`
	CommittedTotal int64         `json:"committed_total"`
	RolledBack     int64         `json:"rolled_back"` // as planned; only new orders are
	Retries        int64         `json:"retries"`
	Errors         map[int]int64 `json:"errors"` // by the first gds code
	Latency        Latency       `json:"latency_ms"`
}

// CPU is where the machine's processor time went in the window, in seconds.
type CPU struct {
	Client      float64 `json:"client_s"` // this process, all of it
	Server      float64 `json:"server_s"` // 0 when Plan.ServerCPU is nil
	Others      float64 `json:"others_s"` // everything else that was busy, stolen time included
	Stolen      float64 `json:"stolen_s"` // part of Others: what a hypervisor gave to other machines; 0 where it is not told
	Idle        float64 `json:"idle_s"`   // waiting for disks included
	ClientShare float64 `json:"client_share"`
}

// Transactions are the database's transaction counters at one moment.
type Transactions struct {
	OldestActive int64 `json:"oldest_active"`
	Next         int64 `json:"next"`
}

// Result is what a run measured. Counts are of the window: an operation counts
// if it starts and ends inside it and commits.
type Result struct {
	OpsPerSecond   float64                    `json:"ops_per_second"` // all five kinds; the score
	CommittedTotal int64                      `json:"committed_total"`
	RolledBack     int64                      `json:"rolled_back"` // new orders rolled back as planned, 1 % of them; not committed
	Retries        int64                      `json:"retries"`
	Errors         map[int]int64              `json:"errors"` // by the first gds code
	ClientCPUShare float64                    `json:"client_cpu_share"`
	Operations     map[string]OperationResult `json:"operations"` // by new_order, payment, order_status, delivery, stock_level
	Latency        Latency                    `json:"latency_ms"`
	Seconds        []int64                    `json:"seconds"`        // operations per second of the window; sums to CommittedTotal
	WarmupSeconds  []int64                    `json:"warmup_seconds"` // operations per second of the warm-up
	Warmup         time.Duration              `json:"warmup_ns"`      // used
	Window         time.Duration              `json:"window_ns"`

	Reports          int64   `json:"reports"` // sorts that ended in the window, all report connections together
	ReportsPerSecond float64 `json:"reports_per_second"`

	CPU          CPU           `json:"cpu"`
	Before       Transactions  `json:"transactions_before"`
	After        Transactions  `json:"transactions_after"`
	ConnectTime  time.Duration `json:"connect_ns"`    // all connections open and prepared
	Disconnect   time.Duration `json:"disconnect_ns"` // all connections closed
	Reconnects   int64         `json:"reconnects"`    // of workers, between operations
	Unseen       int64         `json:"unseen"`        // attempts repeated because a row that must exist was not found
	MixDeviation float64       `json:"mix_deviation"` // largest distance of a kind's share from its planned share, in percentage points

	OpenLoop *OpenLoop `json:"open_loop,omitempty"` // how the schedule was kept; nil for a closed loop
	// Disturbed is which other load disturbed the window, by fixed limits that
	// do not look at the score; empty when none did.
	Disturbed string   `json:"disturbed"`
	Warnings  []string `json:"warnings"`
}
