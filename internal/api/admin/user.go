package admin

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h administration) userOperations() []rest.Op {
	const one = adminBase + "/users/{user_id}"
	missing := []int{http.StatusNotFound}
	return []rest.Op{
		{
			Method: http.MethodGet, Path: adminBase + "/users", ID: "listUsers", Handler: rest.Handle(h.users),
			Summary: "List members", Description: "Returns the members of a workspace with their roles.", Also: missing,
		},
		{
			Method: http.MethodPost, Path: adminBase + "/users", ID: "inviteUser", Handler: rest.Handle(h.invite),
			Summary: "Invite a member",
			Description: "Adds a person to a workspace. Without an account, one is created and the response has the token of a sign-in link, which works once; " +
				"the token is not sent by email and cannot be shown again.",
			Status: http.StatusCreated, Also: []int{http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodPatch, Path: one, ID: "updateUser", Handler: rest.Handle(h.changeUser),
			Summary: "Change a member", Description: "Replaces the roles of a member. Owners can also make a member an owner, who may do everything in every workspace.",
			Also: []int{http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: one, ID: "removeUser", Handler: rest.Handle(h.removeUser),
			Summary: "Remove a member", Description: "Removes a person from a workspace. The account is kept.", Also: missing,
		},
		{
			Method: http.MethodPost, Path: one + "/sign-in-link", ID: "createSignInLink", Handler: rest.Handle(h.link),
			Summary:     "Create a sign-in link",
			Description: "Returns the token of a link with which a person can sign in once and set a new password. Owners only, because the token grants access as that person.",
			Status:      http.StatusCreated, Also: missing,
		},
	}
}

type userItem struct {
	ID           int64      `json:"id" required:"true" description:"The id of the person's account."`
	Email        string     `json:"email" required:"true" description:"Email address."`
	Roles        []string   `json:"roles" required:"true" description:"Roles of the person in the workspace."`
	Owner        bool       `json:"owner" required:"true" description:"Whether the person is an owner, who may do everything in every workspace."`
	HasPassword  bool       `json:"has_password" required:"true" description:"Whether the person has set a password."`
	JoinedAt     rest.Time  `json:"joined_at" required:"true" description:"When the person became a member."`
	LastSignInAt *rest.Time `json:"last_sign_in_at" required:"true" description:"When the person last signed in; null if never."`
}

func wireMember(m access.Member) userItem {
	return userItem{
		ID: m.ID, Email: m.Email, Roles: wireRoles(m.Roles), Owner: m.Owner, HasPassword: m.Password != "",
		JoinedAt: kit.Time(m.JoinedAt), LastSignInAt: kit.TimeOrNil(m.LastSignInAt),
	}
}

type userList struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	Users   []userItem `json:"users" required:"true" description:"The members."`
}

func (h administration) users(ctx context.Context, _ *kit.WorkspaceQuery) (*userList, error) {
	found, err := h.service.Members(ctx, kit.Workspace(ctx))
	return &userList{Success: true, Users: kit.Each(found, wireMember)}, err
}

type inviteRequest struct {
	kit.WorkspaceQuery
	Email string `json:"email" required:"true" minLength:"3" maxLength:"254" description:"Email address of the person to invite."`
	roleNames
}

type invitationResponse struct {
	Success bool     `json:"success" required:"true" description:"Always true."`
	User    userItem `json:"user" required:"true" description:"The member."`
	Token   *string  `json:"sign_in_token" required:"true" description:"Token of the sign-in link, valid once within seven days; null if the person already has an account."`
	Path    *string  `json:"sign_in_path" required:"true" description:"Path of the sign-in link on this server, with the token."`
}

func (h administration) invite(ctx context.Context, in *inviteRequest) (*invitationResponse, error) {
	invited, err := h.service.Invite(ctx, kit.Workspace(ctx), in.Email, in.roles())
	answer := &invitationResponse{Success: true, User: wireMember(invited.Member)}
	if invited.Token != "" {
		answer.Token, answer.Path = &invited.Token, new(access.SignInPath(invited.Token))
	}
	return answer, err
}

type userPath struct {
	UserID int64 `path:"user_id" minimum:"1" description:"The id of the person's account."`
	kit.WorkspaceQuery
}

type changeUserRequest struct {
	userPath
	Roles rest.Opt[[]string] `json:"roles" maxItems:"100" items.maxLength:"64" description:"Names of the new built-in or custom roles, which replace all."`
	Owner *bool              `json:"owner" description:"Whether the person is an owner, who may do everything in every workspace."`
}

type userResponse struct {
	Success bool     `json:"success" required:"true" description:"Always true."`
	User    userItem `json:"user" required:"true" description:"The member."`
}

func (h administration) changeUser(ctx context.Context, in *changeUserRequest) (*userResponse, error) {
	patch := access.MemberPatch{Owner: in.Owner}
	if names, ok := in.Roles.Get(); ok {
		roles := roleNames{names}.roles()
		patch.Roles = &roles
	}
	changed, err := h.service.ChangeMember(ctx, kit.Workspace(ctx), in.UserID, patch)
	return &userResponse{Success: true, User: wireMember(changed)}, err
}

func (h administration) removeUser(ctx context.Context, in *userPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.RemoveMember(ctx, kit.Workspace(ctx), in.UserID))
}

type linkRequest struct {
	UserID int64 `path:"user_id" minimum:"1" description:"The id of the person's account."`
}

type linkResponse struct {
	Success bool   `json:"success" required:"true" description:"Always true."`
	Token   string `json:"sign_in_token" required:"true" description:"Token of the sign-in link, valid once within seven days."`
	Path    string `json:"sign_in_path" required:"true" description:"Path of the sign-in link on this server, with the token."`
}

func (h administration) link(ctx context.Context, in *linkRequest) (*linkResponse, error) {
	token, err := h.service.MakeLink(ctx, in.UserID)
	return &linkResponse{Success: true, Token: token, Path: access.SignInPath(token)}, err
}
