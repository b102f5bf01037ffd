import { getFirstSteps } from "@/lib/server/accounts/first-steps"
import { findSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"

/** Returns the member's first steps, null for a role that cannot take them; 401 without a session. The console polls this while a step is open and the list is shown. */
export async function GET(): Promise<Response> {
  const actor = await findSession()
  const headers = { "cache-control": "no-store" }
  if (!actor) return new Response(null, { status: 401, headers })
  return Response.json(await getFirstSteps(runtime(), actor), { headers })
}
