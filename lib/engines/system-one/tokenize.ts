import { ServiceError } from "../../errors"
import { upstreamFailure } from "./failures"
import { asJsonString } from "./json-string"
import { parseJson } from "./response"
import { Transport } from "./transport"

const CHECK_LIMIT_MS = 5_000
const HEAD = Buffer.from('{"content":')
const TAIL = Buffer.from(',"add_special":false,"parse_special":false}')

/** How many tokens the engine's `POST /tokenize` makes of a text, given as a JSON string; no special tokens. */
export async function tokenLength(transport: Transport, jsonString: Uint8Array, signal: AbortSignal): Promise<number> {
  const body = Buffer.concat([HEAD, jsonString, TAIL])
  const response = await transport.call("POST", "/tokenize", body, signal)
  if (response.status !== 200) throw upstreamFailure(response)
  const answer = parseJson(response.text)
  if (typeof answer !== "object" || answer === null || !("tokens" in answer) || !Array.isArray(answer.tokens))
    throw new ServiceError("upstream_error")
  return answer.tokens.length
}

/** Whether the engine at this address counts tokens. False too when it does not answer within 5 s. */
export async function canTokenize(engineUrl: string, apiKey: string | null): Promise<boolean> {
  const transport = new Transport(engineUrl, apiKey)
  try {
    return (await tokenLength(transport, asJsonString("ping"), AbortSignal.timeout(CHECK_LIMIT_MS))) > 0
  } catch {
    return false
  } finally {
    await transport.close()
  }
}
