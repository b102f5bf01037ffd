import { receiveEvent } from "@/lib/server/billing/stripe-events"
import { addressBlock } from "@/lib/server/platform/client-address"
import { runtime } from "@/lib/server/platform/runtime"

const MAX_BYTES = 1_048_576

/** Returns the raw body, over which Stripe signs; null when it is over 1 MiB. */
async function rawBody(request: Request): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function POST(request: Request): Promise<Response> {
  const body = await rawBody(request)
  const client = addressBlock(request.headers.get("x-svc-client") ?? "")
  const status = body ? await receiveEvent(runtime(), body, request.headers.get("stripe-signature"), client) : 413
  return new Response(null, { status })
}
