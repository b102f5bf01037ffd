import { RequestCookies } from "next/dist/server/web/spec-extension/cookies"
import type { UserActor } from "@/lib/server/platform/actor"

/** The request that Next's functions and the session see while a test calls an action or a page. */
export const nextRequest = {
  /** Null for a visitor. Undefined: the user of the session cookie. */
  actor: undefined as UserActor | null | undefined,
  headers: new Headers(),
  /** What the code refreshed, such as `/ layout`. */
  refreshed: [] as string[],
}

type Original = <Module>() => Promise<Module>

// Each mock keeps the rest of its module. A missing function would end every case of a sweep at the same line.

/** For `vi.mock("next/headers")`. A cookie that the code sets is in the request's headers afterwards. */
export const mockHeaders = async (original: Original) => ({
  ...(await original<typeof import("next/headers")>()),
  headers: async () => nextRequest.headers,
  cookies: async () => new RequestCookies(nextRequest.headers),
})

/** For `vi.mock("next/cache")`. */
export const mockCache = async (original: Original) => ({
  ...(await original<typeof import("next/cache")>()),
  revalidatePath: (path: string, type: string) => void nextRequest.refreshed.push(`${path} ${type}`),
})

/** For `vi.mock("@/lib/server/auth/actor-of-cookies")`. */
export async function mockSessionStore(original: Original) {
  const store = await original<typeof import("@/lib/server/auth/actor-of-cookies")>()
  const actorOfCookies: typeof store.actorOfCookies = async (...given) =>
    nextRequest.actor === undefined ? store.actorOfCookies(...given) : nextRequest.actor
  return { ...store, actorOfCookies }
}
