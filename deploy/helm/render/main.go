// Command render writes what `helm template` does: render CHART VALUES. It is Helm's own engine, which also checks the
// values against values.schema.json.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)


func main() {
	chart, err := loader.Load(os.Args[1])
	check(err)
	values := chartutil.Values{}
	if len(os.Args) > 2 {
		values, err = chartutil.ReadValuesFile(os.Args[2])
		check(err)
	}
	release := chartutil.ReleaseOptions{Name: "tapeline", Namespace: "tapeline", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, release, chartutil.DefaultCapabilities)
	check(err)
	files, err := engine.Render(chart, all)
	check(err)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if strings.HasSuffix(name, ".yaml") && strings.TrimSpace(files[name]) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", name, strings.TrimSpace(files[name]))
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
