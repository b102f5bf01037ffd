import type { IncomingMessage } from "node:http"
import { StripeRefusal } from "./errors"
import type { StripeDouble } from "./stripe-double"

const COMMANDS = [
  "pay",
  "fail",
  "saveCard",
  "setCard",
  "payLater",
  "settleLater",
  "expire",
  "refund",
  "succeedRefund",
  "failRefund",
  "dispute",
  "disputeFundsWithdrawn",
  "disputeWon",
  "disputeLost",
  "setTaxRate",
  "setWebhook",
  "setDelivery",
  "deliver",
  "flush",
  "idle",
  "failNext",
  "releaseRequests",
  "totals",
] as const satisfies (keyof StripeDouble)[]

/**
 * Runs a command of another process: `POST /_double/refund` with a JSON list of arguments. It requires the content type of
 * JSON, which a form on another site cannot send.
 */
export async function control(
  double: StripeDouble,
  request: IncomingMessage,
  path: string,
  body: string,
): Promise<{ status: number; result: unknown }> {
  const name = COMMANDS.find((command) => path === `/_double/${command}`)
  const isJson = request.headers["content-type"]?.startsWith("application/json")
  if (!name || request.method !== "POST" || !isJson) return { status: 404, result: { error: "no such command" } }
  try {
    const command = double[name] as (...input: unknown[]) => unknown
    return { status: 200, result: await command.apply(double, body === "" ? [] : JSON.parse(body)) }
  } catch (error) {
    if (error instanceof StripeRefusal) return { status: 400, result: { error: error.error } }
    throw error
  }
}
