import type { IncomingMessage } from "node:http"
import type { KnownKey } from "@/lib/server/keys/key-cache"
import { requireAllowed } from "@/lib/server/keys/restrictions"
import { verifyKey } from "@/lib/server/keys/verify-key"
import { clientAddress, clientBlock } from "@/lib/server/platform/client-address"
import { runtime } from "@/lib/server/platform/runtime"
import type { KeyRoute } from "@/lib/shared/keys/key-routes"

/** Throws `invalid_api_key` when the key is restricted to other routes or addresses. */
export const requireAllowedHere = (key: KnownKey, routes: readonly KeyRoute[], request: IncomingMessage): void =>
  requireAllowed(key, routes, () => clientAddress(request, runtime().env.TRUSTED_PROXY_HOPS))

/** Returns the key of `Authorization`, which may be used for one of `routes`. Throws `invalid_api_key`. */
export async function keyOf(request: IncomingMessage, routes: readonly KeyRoute[]): Promise<KnownKey> {
  const clientOf = () => clientBlock(request, runtime().env.TRUSTED_PROXY_HOPS)
  const key = await verifyKey(runtime(), request.headers.authorization, clientOf)
  requireAllowedHere(key, routes, request)
  return key
}
