import type { NextRequest } from "next/server"
import { handleAuthRequest } from "@/lib/server/auth/auth-routes"
import { runtime } from "@/lib/server/platform/runtime"

type Context = { params: Promise<{ nextauth: string[] }> }

/** Handles the console's forms for sign-in, confirmations, sign-out and switching the account, such as POST /api/auth/signin/email. */
export async function POST(request: NextRequest, { params }: Context): Promise<Response> {
  return handleAuthRequest(runtime(), (await params).nextauth.join("/"), request)
}

/** Responds with 405 and the allowed method, which Next's own 405 does not name. */
export function GET(): Response {
  return new Response("Method not allowed", { status: 405, headers: { allow: "POST" } })
}
