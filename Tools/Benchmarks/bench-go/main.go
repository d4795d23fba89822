// A client over Go's net/http, with the command line and output of the other clients.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"
)

type settings struct {
	url, work, root, file                  string
	requests, warmup, concurrency, version int
}

type sample struct {
	ID   int      `json:"id"`
	Name string   `json:"name"`
	Tags []string `json:"tags"`
	Text string   `json:"text"`
}

func refuse(sentence string) {
	fmt.Fprintln(os.Stderr, sentence)
	os.Exit(64)
}

func parse() settings {
	var s settings
	var unused string
	flag.StringVar(&s.url, "url", "", "where requests go")
	flag.StringVar(&s.work, "work", "get", "get, json, download, download-file, upload or new-connection")
	flag.StringVar(&s.root, "root", "", "the PEM file with the root to trust")
	flag.StringVar(&s.file, "file", "", "the file to upload")
	flag.StringVar(&unused, "engine", "", "there is one")
	flag.StringVar(&unused, "face", "", "there is one")
	flag.IntVar(&s.requests, "requests", 1000, "how many are measured")
	flag.IntVar(&s.warmup, "warmup", -1, "how many go before")
	flag.IntVar(&s.concurrency, "concurrency", 1, "how many are in flight concurrently")
	flag.IntVar(&s.version, "http", 1, "1 or 2")
	flag.Parse()
	if s.url == "" {
		refuse("--url is missing")
	}
	if s.concurrency > s.requests {
		s.concurrency = s.requests
	}
	if s.warmup < 0 {
		s.warmup = s.requests/10 + s.concurrency
	}
	return s
}

func makeClient(s settings) *http.Client {
	transport := &http.Transport{
		MaxIdleConnsPerHost: s.concurrency,
		DisableKeepAlives:   s.work == "new-connection",
		DisableCompression:  true,
		TLSClientConfig:     &tls.Config{},
		ForceAttemptHTTP2:   s.version == 2,
	}
	if s.root != "" {
		pem, err := os.ReadFile(s.root)
		if err != nil {
			refuse(err.Error())
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem)
	}
	return &http.Client{Transport: transport}
}

func perform(client *http.Client, s settings) error {
	method, body := "GET", io.Reader(nil)
	if s.work == "upload" {
		file, err := os.Open(s.file)
		if err != nil {
			return err
		}
		defer file.Close()
		method, body = "PUT", file
	}
	request, err := http.NewRequest(method, s.url, body)
	if err != nil {
		return err
	}
	if file, isFile := body.(*os.File); isFile {
		facts, err := file.Stat()
		if err != nil {
			return err
		}
		request.ContentLength = facts.Size()
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return fmt.Errorf("the status is %d", response.StatusCode)
	}
	var count int64
	switch s.work {
	case "download-file":
		var file *os.File
		if file, err = os.CreateTemp("", "bench-go."); err == nil {
			count, err = io.Copy(file, response.Body)
			file.Close()
			os.Remove(file.Name())
		}
	case "download":
		count, err = io.Copy(io.Discard, response.Body)
	case "json":
		var data []byte
		if data, err = io.ReadAll(response.Body); err == nil {
			count = int64(len(data))
			err = json.Unmarshal(data, &sample{})
		}
	default:
		var data []byte
		data, err = io.ReadAll(response.Body)
		count = int64(len(data))
	}
	if err == nil && count == 0 {
		err = errors.New("the body is empty")
	}
	return err
}

// run sends the requests with the given concurrency, and returns the latencies of the successful ones in microseconds.
func run(client *http.Client, s settings, requests int) []float64 {
	lanes := make([][]float64, s.concurrency)
	var explain sync.Once
	var all sync.WaitGroup
	for lane := range lanes {
		share := requests / s.concurrency
		if lane < requests%s.concurrency {
			share++
		}
		all.Add(1)
		go func(lane, share int) {
			defer all.Done()
			for ; share > 0; share-- {
				start := time.Now()
				if err := perform(client, s); err != nil {
					explain.Do(func() { fmt.Fprintln(os.Stderr, err) })
					continue
				}
				lanes[lane] = append(lanes[lane], float64(time.Since(start).Nanoseconds())/1000)
			}
		}(lane, share)
	}
	all.Wait()
	var latencies []float64
	for _, lane := range lanes {
		latencies = append(latencies, lane...)
	}
	return latencies
}

type usage struct {
	at           time.Time
	user, system float64
}

func usageNow() usage {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		refuse(err.Error())
	}
	micros := func(t syscall.Timeval) float64 { return float64(t.Sec)*1e6 + float64(t.Usec) }
	return usage{time.Now(), micros(used.Utime), micros(used.Stime)}
}

// peakMebibytes is VmHWM, since getrusage's peak survives exec.
func peakMebibytes() float64 {
	status, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer status.Close()
	lines := bufio.NewScanner(status)
	for lines.Scan() {
		var kibibytes float64
		if strings.HasPrefix(lines.Text(), "VmHWM:") {
			fmt.Sscanf(lines.Text(), "VmHWM: %f", &kibibytes)
			return kibibytes / 1024
		}
	}
	return 0
}

func main() {
	s := parse()
	client := makeClient(s)
	run(client, s, s.warmup)
	idle, before := peakMebibytes(), usageNow()
	latencies := run(client, s, s.requests)
	after, peak := usageNow(), peakMebibytes()

	sort.Float64s(latencies)
	percentile := func(percent int) float64 {
		if len(latencies) == 0 {
			return 0
		}
		return latencies[(len(latencies)-1)*percent/100]
	}
	requests, seconds := float64(s.requests), after.at.Sub(before.at).Seconds()
	user, system := (after.user-before.user)/requests, (after.system-before.system)/requests
	result, err := json.Marshal(map[string]any{
		"client": "go", "work": s.work, "concurrency": s.concurrency, "requests": s.requests,
		"failures": s.requests - len(latencies), "seconds": seconds, "rps": requests / seconds,
		"cpuMicrosPerRequest": user + system, "userMicros": user, "sysMicros": system,
		"idleMiB": idle, "peakMiB": peak, "p50Micros": percentile(50), "p99Micros": percentile(99),
	})
	if err != nil {
		refuse(err.Error())
	}
	fmt.Println(string(result))
}
