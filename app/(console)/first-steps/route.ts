import { getFirstSteps } from "@/lib/server/accounts/first-steps"
import { findSession } from "@/lib/server/auth/session"

/** How far the signed-in member has come: what the console asks while a step is still open. */
export async function GET(): Promise<Response> {
  const actor = await findSession()
  const headers = { "cache-control": "no-store" }
  if (!actor) return new Response(null, { status: 401, headers })
  return Response.json(await getFirstSteps(actor), { headers })
}
