import type { NextRequest } from "next/server"
import { handleAuthRequest } from "@/lib/server/auth/auth-routes"
import { returnFromProvider } from "@/lib/server/auth/oidc/oidc-routes"
import { runtime } from "@/lib/server/platform/runtime"

type Context = { params: Promise<{ nextauth: string[] }> }

/** Handles the console's forms for sign-in, confirmations, sign-out and switching the account, such as POST /api/auth/signin/email. */
export async function POST(request: NextRequest, { params }: Context): Promise<Response> {
  return handleAuthRequest(runtime(), (await params).nextauth.join("/"), request)
}

/** Handles the browser's return from the OpenID provider. For another path, responds with 405 and the allowed method. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  if ((await params).nextauth.join("/") === "callback/oidc") return returnFromProvider(runtime(), request)
  return new Response("Method not allowed", { status: 405, headers: { allow: "POST" } })
}
