import { findSession } from "@/lib/server/auth/session"
import { isConfirmed } from "@/lib/server/platform/actor"
import { ALL_SCOPES } from "@/lib/shared/auth/confirmations"

/** Returns the scopes that are confirmed in the session; 401 without a session. The console polls this. */
export async function GET(): Promise<Response> {
  const actor = await findSession()
  const headers = { "cache-control": "no-store" }
  if (!actor) return new Response(null, { status: 401, headers })
  return Response.json({ confirmed: ALL_SCOPES.filter((scope) => isConfirmed(actor, scope)) }, { headers })
}
