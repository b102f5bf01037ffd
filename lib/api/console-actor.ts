import "server-only"
import type { IncomingMessage } from "node:http"
import { actorOfCookies } from "../auth/session-store"
import type { UserActor } from "../auth/user-actor"
import { ServiceError } from "../errors"
import { runtime } from "../runtime"
import { clientAddress } from "./client-address"
import { isOwnOrigin } from "./own-origin"

/** Who is signed in. The browser's cookie is only taken from our own pages: throws `forbidden`, else `signed_out`. */
export async function requireConsoleActor(request: IncomingMessage): Promise<UserActor> {
  const { env } = runtime()
  if (!isOwnOrigin(request.headers.origin, env.CONSOLE_URL)) throw new ServiceError("forbidden")
  const actor = await actorOfCookies(request.headers.cookie, clientAddress(request, env.TRUSTED_PROXY_HOPS))
  if (!actor) throw new ServiceError("signed_out")
  return actor
}
