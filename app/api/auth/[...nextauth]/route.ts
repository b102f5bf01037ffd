import type { NextRequest } from "next/server"
import { handleAuthRequest } from "@/lib/server/auth/auth-routes"

type Context = { params: Promise<{ nextauth: string[] }> }

/**
 * Handles POST /api/auth/{signin/email, callback/email, signout, signout/everywhere}. Only the console's pages call it.
 */
export async function POST(request: NextRequest, { params }: Context): Promise<Response> {
  return handleAuthRequest((await params).nextauth.join("/"), request)
}

export function GET(): Response {
  return new Response("Method not allowed", { status: 405, headers: { allow: "POST" } })
}
