package check

import (
	"errors"
	"fmt"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/probe"
)

// TestAdvisedFilesAreClean holds that what recommend writes is nothing that
// check warns of, on the machine it was advised for.
func TestAdvisedFilesAreClean(t *testing.T) {
	checked := 0
	for _, v := range confgen.Advised() {
		for _, mode := range confgen.Modes() {
			for _, memory := range []confgen.Bytes{confgen.GiB, 16 * confgen.GiB, 256 * confgen.GiB} {
				for _, connections := range []int{1, 50, 1000} {
					for _, named := range []int{0, 1, 3} {
						in := confgen.Input{Version: v, Mode: mode, Memory: memory, CPUs: 8, Connections: connections}
						for i := range named {
							in.Databases = append(in.Databases, confgen.Database{
								Name: fmt.Sprintf("d%d", i), Path: fmt.Sprintf("/data/%d.fdb", i), Size: confgen.Bytes(i+1) * 20 * confgen.GiB, PageSize: 16 * confgen.KiB,
							})
						}
						advice, err := confgen.Recommend(in)
						var infeasible *confgen.Infeasible
						if errors.As(err, &infeasible) {
							continue
						}
						if err != nil {
							t.Fatal(err)
						}
						made, err := advice.Files(confgen.Base{})
						if err != nil {
							t.Fatal(err)
						}
						subject := files{version: v.String(), mode: mode, conf: string(made[0].Content), databases: string(made[1].Content)}.input(t)
						subject.Host = &probe.Host{Memory: probe.Memory{Usable: probe.Given(memory, "given")}}
						subject.Connections = connections
						subject.Open = in.Databases
						checked++
						for _, f := range Run(subject) {
							if f.Severity.AtLeast(Warning) {
								t.Errorf("%s %s, %s, %d connections, %d databases: %+v", v, mode, memory, connections, named, f)
							}
						}
					}
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d advices were checked", checked)
	}
}
