import type { NextRequest } from "next/server"
import { handleAuthRequest } from "@/lib/server/auth/auth-routes"

type Context = { params: Promise<{ nextauth: string[] }> }

/** Handles the forms of sign-in and sign-out, such as POST /api/auth/signin/email. Only the console's pages call it. */
export async function POST(request: NextRequest, { params }: Context): Promise<Response> {
  return handleAuthRequest((await params).nextauth.join("/"), request)
}

/** Names the allowed method, which Next's own 405 does not. */
export function GET(): Response {
  return new Response("Method not allowed", { status: 405, headers: { allow: "POST" } })
}
