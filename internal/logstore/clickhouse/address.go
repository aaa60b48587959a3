package clickhouse

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// scheme is what addresses of ClickHouse databases begin with.
const scheme = "clickhouse://"

// The ports of ClickHouse's HTTP interface.
const (
	plainPort  = "8123"
	securePort = "8443"
)

// address is where the database is, and how it is used.
type address struct {
	// hosts are base URLs, tried in this order.
	hosts          []string
	user, password string
	database       string
	// quorum is the number of replicas that a write waits for, or auto; "" if the
	// database is not replicated.
	quorum  string
	timeout time.Duration // of a query
	memory  int64         // of a query, in bytes
	// text is the address without the password.
	text string
}

var errAddress = errors.New("must be clickhouse://user:password@host:port/database")

// parseAddress reads clickhouse://user:password@host:port,host:port/database?options.
func parseAddress(text string) (*address, error) {
	authority, rest, _ := strings.Cut(strings.TrimPrefix(text, scheme), "/")
	at := strings.LastIndex(authority, "@") + 1
	hosts := authority[at:]
	u, err := url.Parse(scheme + authority[:at] + "host/" + rest) // it does not know lists of hosts
	if err != nil || !strings.HasPrefix(text, scheme) || hosts == "" || u.Fragment != "" {
		return nil, errAddress // the error of url.Parse has the password
	}
	a := &address{user: u.User.Username(), database: strings.Trim(u.Path, "/"), timeout: 30 * time.Second, memory: 4 << 30}
	a.password, _ = u.User.Password()
	if a.user == "" {
		a.user = "default"
	}
	if a.database == "" || strings.Contains(a.database, "/") {
		return nil, errAddress
	}
	protocol, port, err := a.options(u.Query())
	if err != nil {
		return nil, err
	}
	for _, host := range strings.Split(hosts, ",") {
		base, err := baseURL(protocol, host, port)
		if err != nil {
			return nil, err
		}
		a.hosts = append(a.hosts, base)
	}
	a.text = scheme + a.user + "@" + hosts + "/" + a.database
	return a, nil
}

func baseURL(protocol, host, port string) (string, error) {
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = net.JoinHostPort(strings.Trim(host, "[]"), port)
	}
	name, port, err := net.SplitHostPort(host)
	if _, failed := strconv.ParseUint(port, 10, 16); err != nil || failed != nil || name == "" || strings.ContainsAny(name, "?#@ ") {
		return "", errAddress
	}
	return protocol + "://" + host + "/", nil
}

// options reads the options and returns the protocol and its port.
func (a *address) options(given url.Values) (protocol, port string, err error) {
	protocol, port = "http", plainPort
	for name, values := range given {
		value := values[0]
		switch name {
		case "secure":
			var secure bool
			if secure, err = strconv.ParseBool(value); secure {
				protocol, port = "https", securePort
			}
		case "insert_quorum":
			if n, failed := strconv.Atoi(value); value != "auto" && (failed != nil || n < 1) {
				err = errors.New("a number or auto")
			}
			a.quorum = value
		case "query_timeout":
			if a.timeout, err = time.ParseDuration(value); err == nil && a.timeout < time.Second {
				err = errors.New("at least 1s")
			}
		case "query_memory_mb":
			var mb int64
			if mb, err = strconv.ParseInt(value, 10, 32); err == nil && mb < 64 {
				err = errors.New("at least 64")
			}
			a.memory = mb << 20
		default:
			return "", "", fmt.Errorf("has an unknown option %q: known are secure, insert_quorum, query_timeout and query_memory_mb", name)
		}
		if err != nil {
			return "", "", fmt.Errorf("has an invalid value of %s: %w", name, err)
		}
	}
	return protocol, port, nil
}
