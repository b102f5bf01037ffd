"use server"
import { cookies } from "next/headers"
import { requireSession } from "@/lib/server/auth/session"
import { EndSessionInput, endOwnSession } from "@/lib/server/auth/sessions"
import { userAction } from "@/lib/server/auth/user-action"
import { runtime } from "@/lib/server/platform/runtime"
import { Theme } from "./theme"

const YEAR_SECONDS = 31_536_000

export const endSessionAction = userAction(EndSessionInput, endOwnSession)

/** Stores the theme in a cookie, so that the server renders every page with it. */
export async function setTheme(form: FormData): Promise<void> {
  await requireSession("/settings")
  // A client may send anything to an action.
  const theme = Theme.parse(form instanceof FormData ? form.get("theme") : null)
  const { isSecure } = runtime().env
  const options = { path: "/", maxAge: YEAR_SECONDS, sameSite: "lax", httpOnly: true, secure: isSecure } as const
  ;(await cookies()).set("theme", theme, options)
}
