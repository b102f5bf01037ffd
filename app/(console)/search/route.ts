import type { NextRequest } from "next/server"
import { findSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { searchAccount, searchRequests } from "@/lib/server/usage/search-account"
import type { AccountSearch } from "@/lib/shared/search/account-search"

/** Returns the keys and newest requests of the account for the command menu; with `?request=`, the request with that id. */
export async function GET({ nextUrl }: NextRequest): Promise<Response> {
  const actor = await findSession()
  const headers = { "cache-control": "no-store" }
  if (!actor) return new Response(null, { status: 401, headers })
  const id = nextUrl.searchParams.get("request")
  const found: AccountSearch =
    id === null
      ? await searchAccount(runtime(), actor)
      : { keys: [], requests: await searchRequests(runtime(), actor, id) }
  return Response.json(found, { headers })
}
