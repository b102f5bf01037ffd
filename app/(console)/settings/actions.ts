"use server"
import { cookies } from "next/headers"
import { renameAccount } from "@/lib/server/accounts/account-name"
import { createAccountToken, revokeAccountToken } from "@/lib/server/accounts/account-tokens"
import { muteMail, warnAt } from "@/lib/server/accounts/mail-settings"
import { cancelEmailChange, requestEmailChange } from "@/lib/server/auth/change-email"
import { requireSession } from "@/lib/server/auth/session"
import { endOwnSession } from "@/lib/server/auth/sessions"
import { userAction } from "@/lib/server/auth/user-action"
import { closeAccount } from "@/lib/server/closing/close-account"
import { deleteUser } from "@/lib/server/closing/delete-user"
import { leaveAccount } from "@/lib/server/members/change-members"
import { runtime } from "@/lib/server/platform/runtime"
import { CancelEmailInput, ChangeEmailInput, CloseAccountInput, DeleteUserInput } from "@/lib/shared/accounts/closing"
import { LeaveInput, RenameAccountInput } from "@/lib/shared/accounts/members"
import { CreateTokenInput, MuteMailInput, RevokeTokenInput, WarnAtInput } from "@/lib/shared/accounts/schema"
import { EndSessionInput } from "@/lib/shared/auth/schema"
import { THEME_COOKIE, themeOf } from "@/lib/shared/preferences"
import { YEAR_SECONDS } from "@/lib/shared/time"

export const createTokenAction = userAction(CreateTokenInput, createAccountToken)
export const revokeTokenAction = userAction(RevokeTokenInput, revokeAccountToken)
export const muteMailAction = userAction(MuteMailInput, muteMail)
export const warnAtAction = userAction(WarnAtInput, warnAt)
export const endSessionAction = userAction(EndSessionInput, endOwnSession)
export const renameAccountAction = userAction(RenameAccountInput, renameAccount)
export const leaveAccountAction = userAction(LeaveInput, leaveAccount)
export const changeEmailAction = userAction(ChangeEmailInput, requestEmailChange)
export const cancelEmailAction = userAction(CancelEmailInput, cancelEmailChange)
export const closeAccountAction = userAction(CloseAccountInput, closeAccount)
export const deleteUserAction = userAction(DeleteUserInput, deleteUser)

/** Saves the theme in a cookie, for browsers without JavaScript. Others save it themselves: see `chooseTheme`. */
export async function setTheme(form: FormData): Promise<void> {
  await requireSession("/settings")
  // A client may call an action with any argument.
  const theme = themeOf(form instanceof FormData ? form.get("theme") : null)
  const { isSecure } = runtime().env
  const options = { path: "/", maxAge: YEAR_SECONDS, sameSite: "lax", httpOnly: false, secure: isSecure } as const
  ;(await cookies()).set(THEME_COOKIE, theme, options)
}
