import type { Runtime } from "@/lib/server/platform/runtime"
import { type SignInState, writeSignInState } from "./sign-in-state"

/** Redirects to a path, never to a URL, so that no header of the request can choose another host. */
export function seeOther(path: string, ...cookies: string[]): Response {
  const headers = new Headers({ location: path, "cache-control": "no-store" })
  for (const cookie of cookies) headers.append("set-cookie", cookie)
  return new Response(null, { status: 303, headers })
}

/** Returns who sends a request. The edge in front of the console sets the client's address. */
export const senderOf = (request: Request) => ({
  cookieHeader: request.headers.get("cookie") ?? undefined,
  clientAddress: request.headers.get("x-svc-client"),
})

/** Returns the cookie that keeps the state of the sign-in pages; null deletes it. */
export const remember = ({ env }: Runtime, state: SignInState | null): string => writeSignInState(state, env)
