package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/access"
)

func newKeyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Create, list, rotate and revoke API keys"}
	cmd.AddCommand(newKeyCreateCommand(), newKeyListCommand(), newKeyRotateCommand(), newKeyRevokeCommand())
	return cmd
}

func newKeyCreateCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "create", Short: "Create an API key and print it once", Args: cobra.NoArgs}
	name := cmd.Flags().String("name", "", "name of the key")
	roles := rolesFlag(cmd)
	owner := cmd.Flags().String("owner", "", "email address of the member who is recorded as the creator of what the key creates")
	days := cmd.Flags().Int("expires-in-days", 0, "number of days until the key expires, 0 for never")
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, _ []string) error {
		input := access.NewKeyInput{Name: *name, Roles: roles()}
		var err error
		if *days != 0 {
			input.ExpiresAt = new(time.Now().AddDate(0, 0, *days))
		}
		if cmd.Flags().Changed("owner") {
			if ctx, err = m.onBehalfOf(ctx, w, *owner); err != nil {
				return err
			}
		}
		_, secret, err := m.CreateKey(ctx, w.ID, input)
		if err != nil {
			return err
		}
		return m.say("%s", secret)
	})
	return cmd
}

// onBehalfOf returns a context in which the command line creates keys for a
// member of the workspace.
func (m *manager) onBehalfOf(ctx context.Context, w access.Workspace, email string) (context.Context, error) {
	members, err := m.Members(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	for i := range members {
		if strings.EqualFold(members[i].Email, email) {
			caller := access.CommandLine()
			caller.Email = members[i].Email
			return access.WithCaller(ctx, caller), nil
		}
	}
	return nil, fmt.Errorf("%q is not a member of workspace %q: see promptuary user list", email, w.Name)
}

func newKeyListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the API keys of a workspace", Args: cobra.NoArgs}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, _ []string) error {
		keys, err := m.Keys(ctx, w.ID)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "KEY", "NAME", "ROLES", "CREATED", "LAST USED", "EXPIRES", "REVOKED"}}
		for _, k := range keys {
			rows = append(rows, []string{
				strconv.FormatInt(k.ID, 10), "pl_…" + k.LastFour, k.Name, roleText(k.Roles, ","),
				moment(&k.CreatedAt), moment(k.LastUsedAt), moment(k.ExpiresAt), moment(k.RevokedAt),
			})
		}
		return m.table(rows)
	})
	return cmd
}

func newKeyRotateCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "rotate ID", Short: "Replace an API key with a new one that has the same roles, and print it once", Args: cobra.ExactArgs(1)}
	overlap := cmd.Flags().Duration("overlap", 0, "how long the old key remains valid, such as 24h")
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		id, err := keyID(args[0])
		if err != nil {
			return err
		}
		_, secret, err := m.RotateKey(ctx, w.ID, id, *overlap)
		if err != nil {
			return err
		}
		return m.say("%s", secret)
	})
	return cmd
}

func newKeyRevokeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "revoke ID", Short: "Revoke an API key", Args: cobra.ExactArgs(1)}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		id, err := keyID(args[0])
		if err != nil {
			return err
		}
		key, err := m.RevokeKey(ctx, w.ID, id)
		if err != nil {
			return err
		}
		return m.say("revoked key %d (pl_…%s); running servers reject it within seconds", key.ID, key.LastFour)
	})
	return cmd
}

func keyID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a key id: see promptuary key list", text)
	}
	return id, nil
}
