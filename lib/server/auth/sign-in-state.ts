import { cookies } from "next/headers"
import { z } from "zod"
import type { Env } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { setCookieText } from "./session-cookie"

const State = z.object({
  /** As typed, so it may be no e-mail address. */
  email: z.string().max(320),
  sentAtMs: z.number().int().optional(),
  retryAtMs: z.number().int().optional(),
  /** The page after a sign-in with the OpenID provider. */
  next: z.string().max(320).optional(),
})

/** The state of the sign-in pages between two requests. It is in a cookie, so that no address is in a URL or a log. */
export type SignInState = z.output<typeof State>

/** Returns the cookie's name. Over HTTPS the prefix makes the browser reject it from other hosts and paths. */
export const signInStateCookie = (env: Pick<Env, "isSecure">): string =>
  env.isSecure ? "__Host-svcd-sign-in" : "svcd-sign-in"

/** Returns the `Set-Cookie` text that keeps the state for ten minutes; null deletes it. */
export function writeSignInState(state: SignInState | null, env: Pick<Env, "isSecure">): string {
  const kept = state && { ...state, email: state.email.slice(0, 320) }
  const value = kept ? Buffer.from(JSON.stringify(kept)).toString("base64url") : ""
  return setCookieText(signInStateCookie(env), value, { maxAgeSeconds: kept ? 600 : 0 }, env)
}

/** Parses the cookie's value. Returns an empty state for anything invalid, since browsers may send anything. */
export function readSignInState(value: string | undefined): SignInState {
  try {
    return State.parse(JSON.parse(Buffer.from(value ?? "", "base64url").toString()))
  } catch {
    return { email: "" }
  }
}

/** Returns the state of the current request's browser; an empty state without a cookie. */
export async function findSignInState({ env }: Runtime): Promise<SignInState> {
  return readSignInState((await cookies()).get(signInStateCookie(env))?.value)
}
