"""What stands in a Go package while calls of its functions are recorded: code of Autopilot, not of the product.

Each new call of a test is followed by calls near it: another number, another letter, a word of the new code.
Only the outermost call of all is followed, so that a function which calls itself is asked once.
"""

from __future__ import annotations

RECORDER = r"""package PACKAGE

import (
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
)

const mostWORD, mostNearWORD = 12, 24

var (
	outWORD   = os.NewFile(3, "out")
	lockWORD  sync.Mutex
	busyWORD  bool
	knownWORD = map[string]bool{}
	askedWORD = map[string]int{}
	nearWORD  = map[string]int{}
	wordsWORD = []string{LISTED}
)

func recordWORD(name string, function interface{}, given ...interface{}) {
	spelled, err := json.Marshal(given)
	key := name + string(spelled)
	lockWORD.Lock()
	if err != nil || busyWORD || knownWORD[key] || askedWORD[name] >= mostWORD {
		lockWORD.Unlock()
		return
	}
	busyWORD, knownWORD[key] = true, true
	askedWORD[name]++
	lockWORD.Unlock()
	defer func() {
		lockWORD.Lock()
		busyWORD = false
		lockWORD.Unlock()
	}()
	if !askWORD(name, false, function, given) {
		return
	}
	for place := range given {
		for _, other := range othersWORD(given[place]) {
			if nearWORD[name] >= mostNearWORD {
				return
			}
			nearWORD[name]++
			with := append([]interface{}{}, given...)
			with[place] = other
			if !askWORD(name, true, function, with) {
				return
			}
		}
	}
}

type lineWORD struct {
	Call   string        `json:"call"`
	Near   bool          `json:"near"`
	Inputs []interface{} `json:"inputs"`
	How    string        `json:"how"`
	Value  interface{}   `json:"value"`
}

// False where the answer does not come in time: nothing more is asked.
func askWORD(name string, near bool, function interface{}, given []interface{}) bool {
	done := make(chan lineWORD, 1)
	go func() {
		line := lineWORD{name, near, given, "raised", nil}
		defer func() {
			recover()
			done <- line
		}()
		line = answerWORD(line, function, given)
	}()
	select {
	case line := <-done:
		if written, err := json.Marshal(line); err == nil {
			outWORD.Write([]byte("\n" + string(written) + "\n"))
		}
		return true
	case <-time.After(2 * time.Second):
		return false
	}
}

func answerWORD(line lineWORD, function interface{}, given []interface{}) lineWORD {
	called, values := reflect.ValueOf(function), []reflect.Value{}
	for place, value := range given {
		copied := reflect.New(called.Type().In(place))
		written, _ := json.Marshal(value)
		if json.Unmarshal(written, copied.Interface()) != nil {
			return line
		}
		values = append(values, copied.Elem())
	}
	call := called.Call
	if called.Type().IsVariadic() {
		call = called.CallSlice
	}
	answers := []interface{}{}
	for _, result := range call(values) {
		if failed, isError := result.Interface().(error); isError && failed != nil {
			return line
		}
		if result.Type() != reflect.TypeOf((*error)(nil)).Elem() {
			answers = append(answers, result.Interface())
		}
	}
	line.How, line.Value = "value", answers
	if len(answers) == 1 {
		line.Value = answers[0]
	}
	return line
}

func othersWORD(given interface{}) []interface{} {
	value, others := reflect.ValueOf(given), []interface{}{}
	put := func(other interface{}) {
		if made := reflect.ValueOf(other); made.CanConvert(value.Type()) {
			others = append(others, made.Convert(value.Type()).Interface())
		}
	}
	switch value.Kind() {
	case reflect.String:
		for _, other := range textsWORD(value.String()) {
			put(other)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		for _, other := range []int64{value.Int() + 1, value.Int() + NUMBER, value.Int()*2 + 3, value.Int()/2 + 4} {
			put(other)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		for _, other := range []uint64{value.Uint() + 1, value.Uint() + NUMBER, value.Uint()*2 + 3} {
			put(other)
		}
	case reflect.Float32, reflect.Float64:
		for _, other := range []float64{value.Float() + 1, value.Float() + NUMBER, value.Float()*2 + 0.5} {
			put(other)
		}
	case reflect.Slice:
		for place := 0; place < value.Len() && place < 3; place++ {
			for _, other := range othersWORD(value.Index(place).Interface()) {
				copied := reflect.MakeSlice(value.Type(), value.Len(), value.Len())
				reflect.Copy(copied, value)
				copied.Index(place).Set(reflect.ValueOf(other))
				put(copied.Interface())
				break
			}
		}
		if value.Len() > 1 {
			put(value.Slice(0, value.Len()-1).Interface())
		}
	}
	return others
}

func textsWORD(text string) []string {
	others := []string{}
	for place := len(text) - 1; place >= 0; place-- {
		if digit := text[place]; digit >= '0' && digit <= '9' {
			other := byte('1')
			if digit > '0' {
				other = digit - 1
			}
			others = append(others, text[:place]+string(rune(other))+text[place+1:])
			break
		}
	}
	next := strings.Map(func(char rune) rune {
		switch {
		case char >= 'a' && char <= 'z':
			return 'a' + (char-'a'+1)%26
		case char >= 'A' && char <= 'Z':
			return 'A' + (char-'A'+1)%26
		}
		return char
	}, text)
	others = append(others, next, text+"DRAWN", text+text)
	others = append(others, wordsWORD...)
	if len(text) > 1 {
		others = append(others, text[:len(text)-1])
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		others = append(others, text+"1")
	}
	return others
}
"""
