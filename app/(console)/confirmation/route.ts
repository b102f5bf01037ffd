import { findSession } from "@/lib/server/auth/session"
import { isConfirmed } from "@/lib/server/platform/actor"

/** Returns whether the user signed in or confirmed within the last 24 hours; 401 without a session. The console polls this. */
export async function GET(): Promise<Response> {
  const actor = await findSession()
  const headers = { "cache-control": "no-store" }
  if (!actor) return new Response(null, { status: 401, headers })
  return Response.json({ confirmed: isConfirmed(actor) }, { headers })
}
