import { getFirstSteps } from "@/lib/server/accounts/first-steps"
import { findSession } from "@/lib/server/auth/session"

/** Returns the signed-in member's first steps. The console polls this route while a step is open. */
export async function GET(): Promise<Response> {
  const actor = await findSession()
  const headers = { "cache-control": "no-store" }
  if (!actor) return new Response(null, { status: 401, headers })
  return Response.json(await getFirstSteps(actor), { headers })
}
