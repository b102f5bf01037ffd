import type { Instrumentation } from "next"
import { REQUEST_ID_HEADER } from "@/lib/shared/request-ids"

/** Next reports an error again for each stage of a response that it ends. */
const logged = new WeakSet<object>()

/** Logs an error of the console once, under the id that its page shows. Next's own line about the error has no id. */
export const onRequestError: Instrumentation.onRequestError = async (cause, { method, headers }) => {
  // biome-ignore lint/style/noProcessEnv: Next replaces it where it bundles this file for a runtime without Node's modules
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { runtime } = await import("@/lib/server/platform/runtime")
    if (cause instanceof Object) {
      if (logged.has(cause)) return
      logged.add(cause)
    }
    const requestId = String(headers[REQUEST_ID_HEADER])
    const fields = { event: "console.request_failed", requestId, method, cause }
    runtime().log.error("A request to the console failed", fields)
  }
}
