import { beforeEach, vi } from "vitest"
import { actorOfCookies } from "@/lib/server/auth/actor-of-cookies"
import { handleAuthRequest } from "@/lib/server/auth/auth-routes"
import { readSignInState, type SignInState } from "@/lib/server/auth/sign-in-state"
import { listOutbox, type OutboxMessage } from "@/lib/server/mail/outbox"
import type { UserActor } from "@/lib/server/platform/actor"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { afterFile } from "./after-file"
import { testRuntime } from "./database"
import { tempFolder } from "./temp-folder"

export const ORIGIN = "http://localhost:3000"

export interface Link {
  token: string
  email: string
  next: string
}

interface Sent {
  headers?: Record<string, string>
  cookie?: string
}

/** Installs a runtime with an outbox of its own. `printed` returns what it wrote to standard output. */
export async function testSignIn(): Promise<{ app: Runtime; printed: () => string[] }> {
  const stdout = vi.spyOn(process.stdout, "write")
  beforeEach(() => {
    stdout.mockReset().mockReturnValue(true)
  })
  afterFile(() => stdout.mockRestore())
  const app = await testRuntime({ DATA_DIR: tempFolder(), WELCOME_CREDIT_USD: "1" })
  return { app, printed: () => stdout.mock.calls.map(([text]) => String(text)) }
}

export function post(route: string, fields: Record<string, string>, { headers, cookie }: Sent = {}): Promise<Response> {
  const request = new Request(`${ORIGIN}/api/auth/${route}`, {
    method: "POST",
    headers: { origin: ORIGIN, ...(cookie ? { cookie } : {}), ...headers },
    body: new URLSearchParams(fields),
  })
  return handleAuthRequest(runtime(), route, request)
}

export const mailTo = async (email: string): Promise<OutboxMessage | undefined> =>
  (await listOutbox(runtime())).find(({ to }) => to === email)

export async function newLink(email: string, next = ""): Promise<Link> {
  await post("signin/email", { email, next })
  const message = await mailTo(email.toLowerCase())
  const fragment = new URLSearchParams(new URL(message?.link ?? "").hash.slice(1))
  return { token: fragment.get("t") ?? "", email: fragment.get("e") ?? "", next: fragment.get("n") ?? "" }
}

export const confirm = (link: Link, sent?: Sent): Promise<Response> => post("callback/email", { ...link }, sent)

export const sessionOf = (response: Response): string | undefined =>
  /^svcd-session=([^;]+)/.exec(response.headers.getSetCookie().join("\n"))?.[1]

export function stateOf(response: Response): SignInState {
  const text = response.headers.getSetCookie().find((cookie) => cookie.startsWith("svcd-sign-in="))
  return readSignInState(text?.slice("svcd-sign-in=".length).split(";")[0])
}

export const whoIs = (token: string | undefined): Promise<UserActor | null> =>
  actorOfCookies(runtime(), `svcd-session=${token}`, null)

export const backdateLinks = (email: string, by: string) =>
  runtime().pool.query("UPDATE sign_in_token SET created_at = created_at - $2::interval WHERE email = $1", [email, by])
