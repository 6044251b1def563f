// Operations tests the plugin through go-xla alone: every operation of its StableHLO builder against values computed in Go,
// compilations from many threads, and training of a network on buffers that stay on the device. It prints the numbers of
// passed and failed cases.
//
//	operations PLUGIN [NAME...]    PLUGIN: the path of the plugin; NAME: parts of names, only these cases run
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/gomlx/go-xla/pkg/pjrt"
)

// A testCase is a named test of one or more operations.
type testCase struct {
	name string
	run  func(t *test)
}

var client *pjrt.Client

// attempt runs one test case and returns the value of its panic, or nil.
func attempt(one testCase) (failure any) {
	defer func() { failure = recover() }()
	t := newTest(one.name)
	one.run(t)
	t.finish()
	return nil
}

func chosen(name string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(name, part) {
			return true
		}
	}
	return len(parts) == 0
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "operations PLUGIN [NAME...]")
		os.Exit(2)
	}
	client = must(must(pjrt.GetPlugin(os.Args[1])).NewClient(nil))
	passed, failed := 0, 0
	for _, list := range [][]testCase{unaryCases(), binaryCases(), compareCases(), shapeCases(), reduceCases(),
		numericCases(), otherCases()} {
		for _, one := range list {
			if !chosen(one.name, os.Args[2:]) {
				continue
			}
			if failure := attempt(one); failure != nil {
				failed++
				fmt.Printf("FAILED  %s: %v\n", one.name, failure)
			} else {
				passed++
			}
		}
	}
	check(client.Destroy())
	fmt.Printf("%d passed, %d failed, 0 skipped\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
