package document

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// frames opens the report at three widths and says for each how wide its content
// is and how many charts with a height it shows.
const frames = `<!doctype html><link rel="icon" href="data:,"><pre id="seen"></pre><script>
let left = 3
for (const width of [360, 800, 1280]) {
	const f = document.createElement("iframe")
	f.style.cssText = "border:0;height:800px;width:" + width + "px"
	f.onload = () => {
		const d = f.contentDocument
		const charts = [...d.querySelectorAll("svg[role=img]")].filter(s => s.getBoundingClientRect().height > 50)
		document.getElementById("seen").append(width + " " + d.documentElement.scrollWidth + " " + charts.length + "\n")
		if (--left == 0) document.getElementById("seen").append("done")
	}
	f.src = "/report.html"
	document.body.append(f)
}
</script>`

func TestPageInABrowser(t *testing.T) {
	for _, kind := range []string{"tune", "sweep"} {
		d, err := New("demo", recorded(t, kind, all))
		if err != nil {
			t.Fatal(err)
		}
		page := text(t, func(b *bytes.Buffer) error { return d.HTML(b) })
		dom, console := browse(t, page)
		for _, width := range []int{360, 800, 1280} {
			// A scroll bar may take some of the width, which leaves the content less.
			var content, charts int
			found := false
			for line := range strings.Lines(dom) {
				_, line, _ = strings.Cut("\n"+line, fmt.Sprintf("%d ", width))
				if n, err := fmt.Sscanf(line, "%d %d", &content, &charts); err == nil && n == 2 {
					found = true
					break
				}
			}
			if !found || content > width || charts != len(d.Charts()) {
				t.Errorf("%s at %d px: seen %t, content %d px wide, %d charts; want at most %d and %d", kind, width, found, content, charts, width, len(d.Charts()))
			}
		}
		if console != "" {
			t.Errorf("%s: the console has\n%s", kind, console)
		}
	}
}

// browse opens a page in Chromium and returns what its frames have seen and what
// came to the console.
func browse(t *testing.T, page string) (dom, console string) {
	t.Helper()
	binary, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("this test opens the report in Chromium: apt-get install chromium")
	}
	mux := http.NewServeMux()
	for path, body := range map[string]string{"/": frames, "/report.html": page} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(body)) // a browser that is gone is seen below
		})
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a browser that hangs
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--enable-logging=stderr", "--user-data-dir="+t.TempDir(), "--virtual-time-budget=10000", "--dump-dom", server.URL+"/")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("chromium: %v\n%s", err, errors.String())
	}
	if !strings.Contains(string(out), "done</pre>") {
		t.Fatalf("the page was not opened at every width:\n%s", out)
	}
	for line := range strings.Lines(errors.String()) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return string(out), console
}
