package inspect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/gstat"
	"github.com/fbtune/fbtune/workload"
)

// withService calls f with a connection to the services of a server. The
// driver's calls take no context, so its end breaks the connection.
func withService(ctx context.Context, t workload.Target, f func(*firebirdsql.ServiceManager) error) (err error) {
	svc, err := firebirdsql.NewServiceManagerContext(ctx, t.Addr, t.User, t.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		return fmt.Errorf("connect to the services of %s: %w", t.Addr, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = svc.Close() }) // its error is that of the call it breaks
	err = f(svc)
	if !stop() {
		return context.Cause(ctx)
	}
	return errors.Join(err, svc.Close())
}

// serverVersion asks a server which version it is.
func serverVersion(ctx context.Context, t workload.Target) (v confgen.Version, err error) {
	err = withService(ctx, t, func(svc *firebirdsql.ServiceManager) error {
		text, err := svc.GetServerVersionString() // "LI-V3.0.11.33637 Firebird 3.0"
		if err != nil {
			return fmt.Errorf("ask %s for its version: %w", t.Addr, err)
		}
		v, err = confgen.ParseVersion(text)
		return err
	})
	return v, err
}

// askGstat has a server run its gstat on a database.
func askGstat(ctx context.Context, t workload.Target, options ...firebirdsql.StatisticsOption) (s gstat.Statistics, err error) {
	var text strings.Builder
	err = withService(ctx, t, func(svc *firebirdsql.ServiceManager) error {
		lines, collected := make(chan string), make(chan struct{})
		go func() {
			defer close(collected)
			for line := range lines {
				text.WriteString(line)
				text.WriteByte('\n')
			}
		}()
		err := svc.GetDbStats(t.Path, firebirdsql.NewStatisticsOptions(options...), lines)
		close(lines)
		<-collected
		return err
	})
	if err != nil {
		return gstat.Statistics{}, fmt.Errorf("have the server at %s read the statistics of %s: %w", t.Addr, t.Path, err)
	}
	return gstat.Parse(strings.NewReader(text.String()))
}

// limbo returns the transactions of a database that are in limbo: prepared, and
// neither committed nor rolled back.
func limbo(t workload.Target) ([]int64, error) {
	m, err := firebirdsql.NewMaintenanceManager(t.Addr, t.User, t.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		return nil, fmt.Errorf("connect to the services of %s: %w", t.Addr, err)
	}
	list, err := m.GetLimboTransactions(t.Path)
	if err != nil {
		return nil, fmt.Errorf("ask for transactions in limbo of %s: %w", t.Path, err)
	}
	return list, nil
}
