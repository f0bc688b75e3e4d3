package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply"
	"github.com/fbtune/fbtune/internal/apply/service"
	"github.com/fbtune/fbtune/tuner"
)

// serviceFlags say that trials run on a server which is not fbtune's own.
type serviceFlags struct {
	on     tuner.Service
	force  bool
	target apply.Target
}

func (f *serviceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.on.Name, "service", "", "measure on the systemd service of this `name` instead of a private server; its firebird.conf is put back at the end")
	flags.StringVar(&f.on.Start, "start-cmd", "", "the same for a server that this `command` starts (with --stop-cmd)")
	flags.StringVar(&f.on.Stop, "stop-cmd", "", "the `command` that stops it")
	flags.StringVar(&f.on.Files, "service-files", "", "`directory` of its firebird.conf (default: the installation's)")
	flags.BoolVar(&f.force, "force", false, "cut off whoever is connected to the service")
}

// asked reports whether a service is to be measured on.
func (f *serviceFlags) asked() bool { return f.on != tuner.Service{} }

// locate checks the flags and finds the service's files and installation, which
// is then the Firebird that runs.
func (f *serviceFlags) locate(ctx context.Context, cmd *cobra.Command, load *loadFlags) error {
	commands := f.on.Start != "" || f.on.Stop != ""
	switch {
	case !f.asked():
		if f.force {
			return usagef("--force is about the users of a service; name it by --service")
		}
		return nil
	case f.on.Name != "" && commands:
		return usagef("--service, or --start-cmd and --stop-cmd, not both")
	case f.on.Name == "" && (f.on.Start == "" || f.on.Stop == ""):
		return usagef("give both --start-cmd and --stop-cmd, or --service NAME")
	case cmd.Flags().Changed("cap"):
		return usagef("--cap is for private servers: a service has the memory of the machine, and what would not fit that is refused")
	}
	var err error
	if f.target, err = apply.Locate(ctx, f.on.Files, load.root); err != nil {
		return err
	}
	if f.target.NoServer != nil {
		return f.target.NoServer
	}
	load.root = f.target.Installation.Root
	return nil
}

// resumed takes the service over from the plan of a study that goes on.
func (f *serviceFlags) resumed(ctx context.Context, cmd *cobra.Command, on *tuner.Service, load *loadFlags) error {
	if on != nil {
		f.on = *on
	}
	return f.locate(ctx, cmd, load)
}

// planned is what the plan of a study records.
func (f *serviceFlags) planned() *tuner.Service {
	if !f.asked() {
		return nil
	}
	return &f.on
}

// use has a setup measure on the service, with the memory of the machine.
func (f *serviceFlags) use(e *env, setup *tuner.Setup) error {
	if !f.asked() {
		return nil
	}
	o := service.Options{
		Control: service.Control{Name: f.on.Name, Start: f.on.Start, Stop: f.on.Stop},
		Target:  f.target, Force: f.force,
		User: e.getenv("ISC_USER"), Password: e.getenv("ISC_PASSWORD"),
	}
	if o.User == "" || o.Password == "" {
		return usagef("measuring on a service needs its SYSDBA: set ISC_USER and ISC_PASSWORD")
	}
	if usable := setup.Host.Memory.Usable; usable.Known() {
		setup.Cap = usable.Or(0) / confgen.MiB * confgen.MiB
	}
	setup.Server = func(ctx context.Context) (tuner.Server, error) {
		server, err := service.New(ctx, o)
		if err != nil {
			return nil, mayNot(err)
		}
		return server, nil
	}
	return nil
}

// lentNote says what a person must know of a loan that was ended here.
func lentNote(loan *apply.Loan) string {
	state := "did not run before: stop it if it runs now"
	if loan.Running {
		state = "ran before: restart it, for it may run with a trial's settings, or not at all"
	}
	return fmt.Sprintf("the files were lent to trials by a run that was killed; %s %s", loan.Service, state)
}
