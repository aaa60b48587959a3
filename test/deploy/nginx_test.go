package deploy

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/promptuary/promptuary/internal/check"
)

// startNginx runs nginx with the configuration of the compose file for three
// servers. It returns its address.
func startNginx(t *testing.T, servers [3]string) string {
	t.Helper()
	home := t.TempDir()
	listener := check.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := listener.Addr().String()
	check.OK(t, listener.Close())
	text := strings.NewReplacer("listen 8080", "listen "+address, "/tmp/", home+"/",
		"promptuary-1:8080", servers[0], "promptuary-2:8080", servers[1], "promptuary-3:8080", servers[2]).Replace(read(t, "compose/nginx.conf"))
	if os.Geteuid() == 0 {
		text = "user root;\n" + text // other users may not use the folder
	}
	path := filepath.Join(home, "nginx.conf")
	check.OK(t, os.WriteFile(path, []byte(text), 0o600))
	nginx := exec.Command(program(t), "-c", path, "-p", home, "-g", "daemon off;")
	log := check.Must(os.Create(filepath.Join(home, "log")))(t)
	nginx.Stderr = log
	check.OK(t, nginx.Start())
	t.Cleanup(func() {
		check.OK(t, nginx.Process.Signal(syscall.SIGTERM))
		check.OK(t, nginx.Wait())
		check.OK(t, log.Close())
		if t.Failed() {
			t.Log(string(check.Must(os.ReadFile(log.Name()))(t)))
		}
	})
	check.Eventually(t, "nginx to listen", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	return address
}

func program(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("nginx"); err == nil {
		return path
	}
	return check.Must(exec.LookPath("/usr/sbin/nginx"))(t)
}

// upstream answers with its name, what it was sent, and the address of the client.
// It echoes what comes over a WebSocket, and refuses /busy with 503.
func upstream(t *testing.T, name string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		if websocket.IsWebSocketUpgrade(r) {
			echo(w, r)
			return
		}
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%s %d %s", name, n, r.Header.Get("X-Forwarded-For"))
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func echo(w http.ResponseWriter, r *http.Request) {
	conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	kind, message, err := conn.ReadMessage()
	if err == nil {
		_ = conn.WriteMessage(kind, message)
	}
}

// post sends a body through the proxy.
func post(t *testing.T, url string, body []byte) (status int, text string) {
	t.Helper()
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	check.OK(t, err)
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode, string(check.Must(io.ReadAll(response.Body))(t))
}

func TestProxy(t *testing.T) {
	t.Parallel()
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	address := startNginx(t, [3]string{upstream(t, "server"), strings.TrimPrefix(away.URL, "http://"), upstream(t, "server")})
	large := make([]byte, 20<<20)
	for range 6 { // each server is asked
		status, text := post(t, "http://"+address+"/", large)
		check.Equal(t, "status", status, http.StatusOK)
		check.Equal(t, "answer", text, fmt.Sprintf("server %d 127.0.0.1", len(large)))
	}
	status, _ := post(t, "http://"+address+"/busy", nil)
	check.Equal(t, "status of a busy server", status, http.StatusServiceUnavailable)
	conn, response, err := websocket.DefaultDialer.Dial("ws://"+address+"/live", nil)
	check.OK(t, err)
	check.OK(t, response.Body.Close())
	defer func() { _ = conn.Close() }()
	check.OK(t, conn.WriteMessage(websocket.TextMessage, []byte("hello")))
	_, message, err := conn.ReadMessage()
	check.OK(t, err)
	check.Equal(t, "echo", string(message), "hello")
}
