import { z } from "zod"
import type { Env } from "@/lib/server/platform/env"
import { setCookieText } from "./session-cookie"

const State = z.object({
  /** As typed: it may be no address at all. */
  email: z.string().max(320),
  sentAtMs: z.number().int().optional(),
  retryAtMs: z.number().int().optional(),
})

/** What the sign-in pages remember between a form and its answer, so that no address stands in a URL or a log. */
export type SignInState = z.output<typeof State>

/** Its cookie's name; over https the browser itself refuses it from any other host or path. */
export const signInStateCookie = (env: Pick<Env, "isSecure">): string =>
  env.isSecure ? "__Host-svcd-sign-in" : "svcd-sign-in"

/** The `Set-Cookie` text that carries the state to the sign-in pages for ten minutes; null takes it away. */
export function writeSignInState(state: SignInState | null, env: Pick<Env, "isSecure">): string {
  const kept = state && { ...state, email: state.email.slice(0, 320) }
  const value = kept ? Buffer.from(JSON.stringify(kept)).toString("base64url") : ""
  return setCookieText(signInStateCookie(env), value, { maxAgeSeconds: kept ? 600 : 0 }, env)
}

/** The state in the cookie's value, or an empty one: the browser could send anything. */
export function readSignInState(value: string | undefined): SignInState {
  try {
    return State.parse(JSON.parse(Buffer.from(value ?? "", "base64url").toString()))
  } catch {
    return { email: "" }
  }
}
