package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/access"
)

func newUserCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "user", Short: "Invite users to workspaces and manage their roles"}
	cmd.AddCommand(
		newUserInviteCommand(), newUserListCommand(), newUserRolesCommand(), newUserRemoveCommand(), newUserLinkCommand(),
		newUserOwnerCommand("make-owner", "Give a user full access to every workspace", true),
		newUserOwnerCommand("unmake-owner", "Take full access away from a user", false),
	)
	return cmd
}

// sayLink prints a one-time sign-in link.
func (m *manager) sayLink(email, token string) error {
	return m.say("%s can sign in once, within seven days, at the server's address followed by\n%s", email, access.SignInPath(token))
}

func newUserInviteCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "invite EMAIL", Short: "Add a user to a workspace", Args: cobra.ExactArgs(1)}
	roles := rolesFlag(cmd)
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		invited, err := m.Invite(ctx, w.ID, args[0], roles())
		if err != nil {
			return err
		}
		if invited.Token == "" {
			return m.say("%s already has an account and is now a member of %q", args[0], w.Name)
		}
		return m.sayLink(args[0], invited.Token)
	})
	return cmd
}

func newUserListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the members of a workspace", Args: cobra.NoArgs}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, _ []string) error {
		members, err := m.Members(ctx, w.ID)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "EMAIL", "ROLES", "OWNER", "JOINED", "LAST SIGN-IN"}}
		for _, u := range members {
			rows = append(rows, []string{
				strconv.FormatInt(u.ID, 10), u.Email, roleText(u.Roles, ","), strconv.FormatBool(u.Owner), moment(&u.JoinedAt), moment(u.LastSignInAt),
			})
		}
		return m.table(rows)
	})
	return cmd
}

func newUserRolesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "roles EMAIL", Short: "Set the roles of a member", Args: cobra.ExactArgs(1)}
	roles := rolesFlag(cmd)
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		chosen := roles()
		return m.change(ctx, w, args[0], access.MemberPatch{Roles: &chosen})
	})
	return cmd
}

func newUserOwnerCommand(use, short string, owner bool) *cobra.Command {
	cmd := &cobra.Command{Use: use + " EMAIL", Short: short, Args: cobra.ExactArgs(1)}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		return m.change(ctx, w, args[0], access.MemberPatch{Owner: &owner})
	})
	return cmd
}

func (m *manager) change(ctx context.Context, w access.Workspace, email string, patch access.MemberPatch) error {
	user, err := m.FindUser(ctx, email)
	if err != nil {
		return err
	}
	changed, err := m.ChangeMember(ctx, w.ID, user.ID, patch)
	if err != nil {
		return err
	}
	return m.say("%s: roles %s, owner %t", changed.Email, roleText(changed.Roles, ","), changed.Owner)
}

func newUserRemoveCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "remove EMAIL", Short: "Remove a user from a workspace", Args: cobra.ExactArgs(1)}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		user, err := m.FindUser(ctx, args[0])
		if err != nil {
			return err
		}
		if err := m.RemoveMember(ctx, w.ID, user.ID); err != nil {
			return err
		}
		return m.say("%s is no longer a member of %q", user.Email, w.Name)
	})
	return cmd
}

func newUserLinkCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "link EMAIL", Short: "Print a one-time sign-in link, with which a user can also set a new password", Args: cobra.ExactArgs(1)}
	manage(cmd, func(ctx context.Context, m *manager, args []string) error {
		user, err := m.FindUser(ctx, args[0])
		if err != nil {
			return err
		}
		token, err := m.MakeLink(ctx, user.ID)
		if err != nil {
			return err
		}
		return m.sayLink(user.Email, token)
	})
	return cmd
}
