"use server"
import { cookies } from "next/headers"
import { requireSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { THEME_COOKIE, themeOf } from "@/lib/shared/preferences"
import { YEAR_SECONDS } from "@/lib/shared/time"

/** Saves the theme in a cookie, for browsers without JavaScript. Others save it themselves: see `chooseTheme`. */
export async function setTheme(form: FormData): Promise<void> {
  await requireSession("/settings")
  // A client may call an action with any argument.
  const theme = themeOf(form instanceof FormData ? form.get("theme") : null)
  const { isSecure } = runtime().env
  const options = { path: "/", maxAge: YEAR_SECONDS, sameSite: "lax", httpOnly: false, secure: isSecure } as const
  ;(await cookies()).set(THEME_COOKIE, theme, options)
}
