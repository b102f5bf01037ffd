import { runtime } from "@/lib/server/platform/runtime"

/** True when this request may see the outbox: no mail server is set, and `isLocalOnly` held when it came in. */
export function isOutboxOpen(headers: { get(name: string): string | null }): boolean {
  return !runtime().env.EMAIL_SERVER && headers.get("x-svc-local") === "1"
}
