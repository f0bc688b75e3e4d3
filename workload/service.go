package workload

import (
	"context"
	"errors"
	"fmt"

	firebirdsql "github.com/nakagami/firebirdsql"
)

// Bytes of the services protocol, from Firebird's src/include/consts_pub.h.
const (
	actionProperties  = 8   // isc_action_svc_properties
	spbDatabase       = 106 // isc_spb_dbname
	propSweepInterval = 6   // isc_spb_prp_sweep_interval
	propWriteMode     = 12  // isc_spb_prp_write_mode
	writeModeAsync    = 37  // isc_spb_prp_wm_async
	writeModeSync     = 38  // isc_spb_prp_wm_sync
)

// setForcedWrites switches forced writes of the target's database.
func setForcedWrites(ctx context.Context, t Target, on bool) error {
	mode := byte(writeModeAsync)
	if on {
		mode = writeModeSync
	}
	err := setProperty(ctx, t, func(spb *firebirdsql.XPBWriter) { spb.PutByte(propWriteMode, mode) })
	if err != nil {
		return fmt.Errorf("set forced writes of %s to %t: %w", t.Path, on, err)
	}
	return nil
}

// forceWrites switches forced writes on and returns what the database says then.
func forceWrites(ctx context.Context, t Target) (databaseState, error) {
	if err := setForcedWrites(ctx, t, true); err != nil {
		return databaseState{}, err
	}
	state, err := readState(ctx, t)
	if err == nil && !state.forcedWrites {
		err = fmt.Errorf("%s: forced writes are off though the server was told to switch them on; is another program attached?", t.Path)
	}
	return state, err
}

// setSweepInterval sets after how many transactions the database is swept; 0 is never.
func setSweepInterval(ctx context.Context, t Target, transactions int32) error {
	err := setProperty(ctx, t, func(spb *firebirdsql.XPBWriter) { spb.PutInt32(propSweepInterval, transactions) })
	if err != nil {
		return fmt.Errorf("set the sweep interval of %s: %w", t.Path, err)
	}
	return nil
}

// setProperty runs one "properties" service and waits for its end. The
// driver's own maintenance calls take no context.
func setProperty(ctx context.Context, t Target, put func(*firebirdsql.XPBWriter)) (err error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	svc, err := firebirdsql.NewServiceManagerContext(ctx, t.Addr, t.User, t.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		return fmt.Errorf("connect to the services of %s: %w", t.Addr, err)
	}
	defer func() { err = errors.Join(err, svc.CloseContext(ctx)) }()
	spb := firebirdsql.NewXPBWriterFromTag(actionProperties)
	spb.PutString(spbDatabase, t.Path)
	put(spb)
	if err := svc.ServiceStartContext(ctx, spb.Bytes()); err != nil {
		return err
	}
	return svc.WaitContext(ctx)
}
