import type { IncomingMessage } from "node:http"
import { actorOfCookies } from "@/lib/server/auth/session-store"
import { clientAddress } from "@/lib/server/platform/client-address"
import { isOwnOrigin } from "@/lib/server/platform/own-origin"
import { runtime } from "@/lib/server/platform/runtime"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { ServiceError } from "@/lib/shared/errors"

/** Who is signed in. The browser's cookie is only taken from our own pages: throws `forbidden`, else `signed_out`. */
export async function requireConsoleActor(request: IncomingMessage): Promise<UserActor> {
  const { env } = runtime()
  if (!isOwnOrigin(request.headers.origin, env.CONSOLE_URL)) throw new ServiceError("forbidden")
  const actor = await actorOfCookies(request.headers.cookie, clientAddress(request, env.TRUSTED_PROXY_HOPS))
  if (!actor) throw new ServiceError("signed_out")
  return actor
}
