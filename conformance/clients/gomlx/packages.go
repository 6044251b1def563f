//go:build never

// Package gomlx names what run.sh tests but no program here imports, so that its checksums are recorded in go.sum.
package gomlx

import (
	_ "github.com/gomlx/go-xla/pkg/installer"
	_ "github.com/gomlx/go-xla/pkg/pjrt"
	_ "github.com/gomlx/go-xla/pkg/stablehlo"
)
