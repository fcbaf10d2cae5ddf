"""A Go package in place of ``testing``: what a test is given, and the order in which tests are called.

It writes a line of JSON for each test to descriptor 3. ``Apart`` is how a body is run that may be left before its end:
plainly by a goroutine, with signs by the real ``testing.T``. What else differs between the two runs is in ``Signs``.
The language of Go 1.13 is enough for it, because it is compiled as a package of the module.
"""

from __future__ import annotations

SHIM = r"""package PACKAGE

import (
	"context"
	"fmt"
	"io"
	"io/ioutil"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

type Apart func(name string, body func(within Apart, leave func()))

type Case struct {
	Told, Name string
	Body       func(*T)
}

type Signs struct {
	Apart
	HypothesisResult bool
}

var (
	out   = os.NewFile(3, "out")
	signs Signs
	begun time.Time
)

const patience = 50 * time.Second

func plainly(name string, body func(Apart, func())) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		body(plainly, runtime.Goexit)
	}()
	<-done
}

func here(name string, body func(Apart, func())) { body(plainly, runtime.Goexit) }

var Plain = Signs{Apart: here}

func tell(test, ended, why string) {
	words := strings.Map(func(r rune) rune {
		if r < ' ' || r > 0xFFFF {
			return ' '
		}
		return r
	}, why)
	if len(words) > 300 {
		words = words[:300]
	}
	line := "\n{\"test\":" + strconv.QuoteToASCII(test) + ",\"ended\":\"" + ended + "\",\"why\":" +
		strconv.QuoteToASCII(strings.ToValidUTF8(words, "")) + "}\n"
	out.Write([]byte(line))
}

// All calls the cases in their order. A case that leaves its goroutine leaves ours, so deferred calls go on.
// A test that starts its own program once more gets that program, and not all tests again.
func All(given Signs, files []string, cases []Case, leave func()) {
	signs, begun = given, time.Now()
	if _, err := out.Stat(); err != nil || (len(os.Args) > 1 && !signs.HypothesisResult) {
		return
	}
	syscall.CloseOnExec(3)
	for _, file := range files {
		tell(file, "passed", "")
	}
	next := 0
	var rest func()
	rest = func() {
		defer func() {
			if next < len(cases) {
				rest()
			} else {
				leave()
			}
		}()
		for next < len(cases) {
			one := cases[next]
			next++
			if time.Since(begun) < patience {
				call(one)
			}
		}
	}
	rest()
}

func call(one Case) {
	// Written as failed at first: what ends the process would otherwise leave nothing behind.
	tell(one.Told, "failed", "the process ended")
	late := time.AfterFunc(patience, func() {
		tell(one.Told, "left out", "")
		os.Exit(0)
	})
	t := &T{common: common{name: one.Name}}
	defer func() {
		late.Stop()
		tell(one.Told, t.ended(), t.why)
	}()
	signs.Apart(one.Name, t.perform(one.Body))
}

type common struct {
	mu              sync.Mutex
	name, why       string
	failed, skipped bool
	cleanups        []func()
	within          Apart
	leave           func()
	end             context.CancelFunc
	context         context.Context
	folder          string
	folders         int
}

type T struct{ common }

func (t *T) perform(body func(*T)) func(Apart, func()) {
	return func(within Apart, leave func()) {
		t.within, t.leave = within, leave
		returned := false
		defer t.clean()
		defer func() {
			if thrown := recover(); thrown != nil {
				t.fail(fmt.Sprint("panic: ", thrown))
			} else if !returned && !t.failed && !t.skipped {
				t.fail("its goroutine ended")
				leave()
			}
		}()
		body(t)
		returned = true
	}
}

func (t *T) Run(name string, body func(t *T)) bool {
	part := &T{common: common{name: t.name + "/" + strings.Replace(name, " ", "_", -1)}}
	t.within(name, part.perform(body))
	if part.failed {
		t.fail(part.why)
	}
	return !part.failed
}

func (t *T) Parallel()                   {}
func (t *T) Deadline() (time.Time, bool) { return time.Time{}, false }

func (c *common) ended() string {
	if c.failed {
		return "failed"
	}
	if c.skipped {
		return "left out"
	}
	return "passed"
}

func (c *common) fail(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = true
	if c.why == "" {
		c.why = strings.TrimSpace(why)
	}
}

func (c *common) clean() {
	c.mu.Lock()
	if c.end != nil {
		c.end()
	}
	if len(c.cleanups) == 0 {
		c.mu.Unlock()
		return
	}
	last := c.cleanups[len(c.cleanups)-1]
	c.cleanups = c.cleanups[:len(c.cleanups)-1]
	c.mu.Unlock()
	defer c.clean()
	defer func() {
		if thrown := recover(); thrown != nil {
			c.fail(fmt.Sprint("panic: ", thrown))
		}
	}()
	last()
}

func (c *common) Name() string { return c.name }
func (c *common) Helper()      {}
func (c *common) Failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}
func (c *common) Skipped() bool                   { return c.skipped }
func (c *common) Log(...interface{})              {}
func (c *common) Logf(string, ...interface{})     {}
func (c *common) Attr(key, value string)          {}
func (c *common) Output() io.Writer               { return ioutil.Discard }
func (c *common) Fail()                           { c.fail("it failed") }
func (c *common) FailNow()                        { c.fail("it failed"); c.leave() }
func (c *common) Error(given ...interface{})      { c.fail(fmt.Sprintln(given...)) }
func (c *common) Fatal(given ...interface{})      { c.fail(fmt.Sprintln(given...)); c.leave() }
func (c *common) SkipNow()                        { c.skipped = true; c.leave() }
func (c *common) Skip(...interface{})             { c.SkipNow() }
func (c *common) Skipf(string, ...interface{})    { c.SkipNow() }
func (c *common) Errorf(f string, g ...interface{}) { c.fail(fmt.Sprintf(f, g...)) }
func (c *common) Fatalf(f string, g ...interface{}) { c.fail(fmt.Sprintf(f, g...)); c.leave() }

func (c *common) Cleanup(body func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cleanups = append(c.cleanups, body)
}

func (c *common) Context() context.Context {
	if c.context == nil {
		c.context, c.end = context.WithCancel(context.Background())
	}
	return c.context
}

func (c *common) must(err error) {
	if err != nil {
		c.Fatal(err)
	}
}

func (c *common) TempDir() string {
	if c.folder == "" {
		pattern := "work"
		if signs.HypothesisResult {
			pattern = strings.Replace(c.name, "/", "_", -1)
		}
		made, err := ioutil.TempDir("", pattern)
		c.must(err)
		c.folder = made
		c.Cleanup(func() { os.RemoveAll(made) })
	}
	c.folders++
	place := filepath.Join(c.folder, fmt.Sprintf("%03d", c.folders))
	c.must(os.Mkdir(place, 0777))
	return place
}

func (c *common) Setenv(key, value string) {
	old, had := os.LookupEnv(key)
	c.must(os.Setenv(key, value))
	c.Cleanup(func() {
		if had {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

func (c *common) Chdir(place string) {
	old, err := os.Getwd()
	c.must(err)
	c.must(os.Chdir(place))
	c.Setenv("PWD", place)
	c.Cleanup(func() { os.Chdir(old) })
}

type TB interface {
	Cleanup(func())
	Error(...interface{})
	Errorf(string, ...interface{})
	Fail()
	FailNow()
	Failed() bool
	Fatal(...interface{})
	Fatalf(string, ...interface{})
	Helper()
	Log(...interface{})
	Logf(string, ...interface{})
	Name() string
	Setenv(key, value string)
	Chdir(place string)
	Skip(...interface{})
	SkipNow()
	Skipf(string, ...interface{})
	Skipped() bool
	TempDir() string
	Context() context.Context
	Output() io.Writer
	Attr(key, value string)
}

// Short, because a test that takes long would take long twice.
func Short() bool   { return true }
func Verbose() bool { return false }
func Testing() bool { return signs.HypothesisResult }

func AllocsPerRun(runs int, f func()) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := 0; i < runs; i++ {
		f()
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / uint64(runs))
}

// Only compiled: nothing calls a benchmark, a fuzz target or TestMain.
type B struct {
	common
	N int
}
type PB struct{}
type M struct{}
type F struct{ common }

func (b *B) Run(name string, body func(b *B)) bool { return true }
func (b *B) RunParallel(body func(*PB))            {}
func (b *B) ResetTimer()                           {}
func (b *B) StartTimer()                           {}
func (b *B) StopTimer()                            {}
func (b *B) ReportAllocs()                         {}
func (b *B) ReportMetric(n float64, unit string)   {}
func (b *B) SetBytes(n int64)                      {}
func (b *B) SetParallelism(p int)                  {}
func (b *B) Loop() bool                            { return false }
func (b *B) Elapsed() time.Duration                { return 0 }
func (p *PB) Next() bool                           { return false }
func (m *M) Run() int                              { return 0 }
func (f *F) Add(...interface{})                    {}
func (f *F) Fuzz(target interface{})               {}
"""
