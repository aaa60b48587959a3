package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// client is a minimal HTTP/1.1 client with one persistent connection. It shares
// the CPU with the server it measures.
type client struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
	head string // the headers of every request
	// media is the Content-Type of requests.
	media string
	body  []byte // of the last response
}

// requestTimeout limits a request, so that a hanging server does not hang the
// benchmark.
const requestTimeout = 2 * time.Minute

func dial(address, key string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &client{
		conn: conn,
		in:   bufio.NewReaderSize(conn, 32<<10),
		head: " HTTP/1.1\r\nHost: " + address + "\r\nX-API-KEY: " + key + "\r\nContent-Type: ", media: "application/json",
	}, nil
}

// close closes the connection.
func (c *client) close() { _ = c.conn.Close() }

// do sends a request and returns the status and body of the response. The body
// is valid until the next call.
func (c *client) do(method, path string, body []byte) (int, []byte, error) {
	c.out = append(c.out[:0], method...)
	c.out = append(c.out, ' ')
	c.out = append(c.out, path...)
	c.out = append(c.out, c.head...)
	c.out = append(c.out, c.media...)
	c.out = append(c.out, "\r\nContent-Length: "...)
	c.out = strconv.AppendInt(c.out, int64(len(body)), 10)
	c.out = append(c.out, "\r\n\r\n"...)
	c.out = append(c.out, body...)
	if err := c.conn.SetDeadline(time.Now().Add(requestTimeout)); err != nil {
		return 0, nil, fmt.Errorf("set deadline: %w", err)
	}
	if _, err := c.conn.Write(c.out); err != nil {
		return 0, nil, fmt.Errorf("send request: %w", err)
	}
	status, err := c.readAnswer()
	if err != nil {
		return 0, nil, fmt.Errorf("read answer: %w", err)
	}
	return status, c.body, nil
}

// expect sends a request and returns an error unless the response has the
// status.
func (c *client) expect(status int, method, path string, body []byte) ([]byte, error) {
	got, answer, err := c.do(method, path, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if got != status {
		return nil, fmt.Errorf("%s %s: status %d instead of %d: %.300s", method, path, got, status, answer)
	}
	return answer, nil
}

func (c *client) readAnswer() (int, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if len(line) < 12 {
		return 0, fmt.Errorf("bad status line %q", line)
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, fmt.Errorf("bad status line %q", line)
	}
	length, err := c.readHeaders()
	if err != nil {
		return 0, err
	}
	if length < 0 {
		return status, c.readChunks()
	}
	c.body = grow(c.body[:0], length)
	_, err = io.ReadFull(c.in, c.body)
	return status, err
}

// readHeaders returns the length of the body, negative if it is chunked.
func (c *client) readHeaders() (length int, err error) {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return length, nil
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			length = -1
		}
	}
}

func (c *client) readChunks() error {
	c.body = c.body[:0]
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(string(bytes.TrimRight(line, "\r\n")), 16, 32)
		if err != nil {
			return err
		}
		at := len(c.body)
		c.body = grow(c.body, int(size))
		if _, err := io.ReadFull(c.in, c.body[at:]); err != nil {
			return err
		}
		if _, err := c.in.Discard(len("\r\n")); err != nil {
			return err
		}
		if size == 0 {
			return nil
		}
	}
}

// grow returns b with n more bytes of arbitrary content.
func grow(b []byte, n int) []byte {
	for cap(b) < len(b)+n {
		b = append(b[:cap(b)], 0)[:len(b)]
	}
	return b[:len(b)+n]
}

// dialAll opens n connections.
func dialAll(n int, address string) ([]*client, error) {
	clients := make([]*client, n)
	for i := range clients {
		c, err := dial(address, apiKey)
		if err != nil {
			closeAll(clients[:i])
			return nil, err
		}
		clients[i] = c
	}
	return clients, nil
}

func closeAll(clients []*client) {
	for _, c := range clients {
		c.close()
	}
}

// awaitReady requests the path until the status is 200.
func awaitReady(address, path string, within time.Duration, ended <-chan error) error {
	deadline := time.Now().Add(within)
	for time.Now().Before(deadline) {
		answer, err := http.Get("http://" + address + path)
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case err := <-ended:
			return fmt.Errorf("the process ended: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	return fmt.Errorf("%s%s was not ready within %v", address, path, within)
}
