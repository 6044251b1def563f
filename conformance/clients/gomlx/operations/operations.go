// Operations drives the plugin by go-xla alone: every operation of its StableHLO builder against values computed in Go,
// compilations from many threads, and a network trained on buffers that stay on the device. It ends with its counts.
//
//	operations PLUGIN [NAME...]    PLUGIN: the path of the plugin; NAME: parts of names, only such trials run
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/gomlx/go-xla/pkg/pjrt"
)

// A trial builds a program and says what it must give, or does more by itself.
type trial struct {
	name string
	run  func(t *test)
}

var client *pjrt.Client

// attempt runs one trial; a panic in it is its failure.
func attempt(one trial) (failure any) {
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
	for _, list := range [][]trial{unaryTrials(), binaryTrials(), compareTrials(), shapeTrials(), reduceTrials(),
		numericTrials(), otherTrials()} {
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
