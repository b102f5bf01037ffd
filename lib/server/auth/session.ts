import { cookies, headers } from "next/headers"
import { redirect } from "next/navigation"
import { cache } from "react"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { signInPath } from "./return-path"
import { sessionCookieName } from "./session-cookie"
import { actorOfToken } from "./session-store"

async function sessionToken(): Promise<string | undefined> {
  return (await cookies()).get(sessionCookieName(runtime().env))?.value
}

/** Returns the signed-in user, or null. Queries the database once per request. */
export const findSession = cache(async (): Promise<UserActor | null> => {
  return actorOfToken(await sessionToken(), (await headers()).get("x-svc-client"))
})

/** Returns the signed-in user. Without a session it redirects to sign-in, which leads back to `returnTo`. */
export async function requireSession(returnTo: string): Promise<UserActor> {
  return (await findSession()) ?? redirect(signInPath(returnTo))
}
