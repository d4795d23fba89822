// gorilla/websocket: the echo server of the benchmark, and a client under the command line of bench-websocket.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gorilla/websocket"
)

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() {
	upgrader := websocket.Upgrader{EnableCompression: true}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fail(err)
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	fail(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer connection.Close()
		for {
			kind, data, err := connection.ReadMessage()
			if err != nil {
				return
			}
			if connection.WriteMessage(kind, data) != nil {
				return
			}
		}
	})))
}

func text(size int) []byte {
	words := []string{"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"}
	var out strings.Builder
	state := uint32(1)
	for out.Len() < size {
		state = state*1664525 + 1013904223
		fmt.Fprintf(&out, "%s-%d ", words[(state>>24)%8], state>>20)
	}
	return []byte(out.String()[:size])
}

func cpuMicros() float64 {
	var usage syscall.Rusage
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Sec+usage.Stime.Sec)*1e6 + float64(usage.Utime.Usec+usage.Stime.Usec)
}

func status(name string) float64 {
	content, err := os.ReadFile("/proc/self/status")
	fail(err)
	for _, line := range strings.Split(string(content), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name+":" {
			value, err := strconv.ParseFloat(fields[1], 64)
			fail(err)
			return value
		}
	}
	return 0
}

func main() {
	var words []string
	compressed := false
	for _, word := range os.Args[1:] {
		if word == "--compressed" {
			compressed = true
		} else {
			words = append(words, word)
		}
	}
	if len(words) == 1 && words[0] == "serve" {
		serve()
	}
	if len(words) != 5 {
		fmt.Fprintln(os.Stderr, "usage: bench-go-websocket serve | URL echo|idle COUNT SOCKETS BYTES [--compressed]")
		os.Exit(64)
	}
	url := words[0]
	count, err := strconv.Atoi(words[2])
	fail(err)
	sockets, err := strconv.Atoi(words[3])
	fail(err)
	size, err := strconv.Atoi(words[4])
	fail(err)
	dialer := websocket.Dialer{EnableCompression: compressed}
	connect := func() *websocket.Conn {
		connection, _, err := dialer.Dial(url, nil)
		fail(err)
		return connection
	}
	if words[1] == "idle" {
		connections := []*websocket.Conn{connect()}
		before := status("VmRSS")
		for i := 0; i < sockets; i++ {
			connection := connect()
			connections = append(connections, connection)
			// A reader waits on each socket, as in every program that receives.
			go connection.ReadMessage()
		}
		time.Sleep(100 * time.Millisecond)
		held := (status("VmRSS") - before) / float64(sockets)
		fmt.Printf("{\"client\": \"go\", \"idleKiB\": %f, \"sockets\": %d}\n", held, sockets)
		runtime.KeepAlive(connections)
		return
	}
	message := text(size)
	var connections []*websocket.Conn
	for i := 0; i < sockets; i++ {
		connections = append(connections, connect())
	}
	run := func(count int) {
		var group sync.WaitGroup
		for _, connection := range connections {
			group.Add(1)
			go func(connection *websocket.Conn) {
				defer group.Done()
				for i := 0; i < count/sockets; i++ {
					fail(connection.WriteMessage(websocket.TextMessage, message))
					_, data, err := connection.ReadMessage()
					fail(err)
					if len(data) != size {
						fail(fmt.Errorf("an echo of %d bytes", len(data)))
					}
				}
			}(connection)
		}
		group.Wait()
	}
	warm := count / 10
	if warm < sockets {
		warm = sockets
	}
	run(warm)
	cpu, begun := cpuMicros(), time.Now()
	run(count)
	seconds := time.Since(begun).Seconds()
	fmt.Printf("{\"client\": \"go\", \"cpuMicros\": %f, \"perSecond\": %f, \"peakMiB\": %f}\n",
		(cpuMicros()-cpu)/float64(count), float64(count)/seconds, status("VmHWM")/1024)
}
