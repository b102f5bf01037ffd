import { afterEach, describe, expect, it, vi } from "vitest"
import { SystemOneEngine } from "@/lib/server/engines/system-one/system-one-engine"
import { memoryWindows } from "@/lib/server/limits/windows"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { expectDescribed } from "@/test/contract"
import type { Fault } from "@/test/doubles/llama-cpp"
import { type Draft, OWN_BODY_LIMIT, sendFailing, startEngines } from "@/test/failing-request"
import { testService } from "@/test/service"
import { MAX_BODY_BYTES } from "./read-body"

interface Failure {
  name: string
  /** The response to a request that fails in this way alone. */
  answer: string
  change: Partial<Draft>
  /** Failures that cannot occur in the same request. */
  apartFrom?: string[]
}

const tooLong = '{"error":{"code":400,"type":"exceed_context_size_error","message":"too long"}}'
const ofTheCall = (name: string, answer: string, fault: Fault): Failure => ({ name, answer, change: { fault } })
const CALL = [
  ofTheCall("call 400", "400 invalid_request", { kind: "status", status: 400, body: tooLong }),
  ofTheCall("call 429", "429 capacity_exceeded", { kind: "status", status: 429 }),
  ofTheCall("call 502", "502 upstream_error", { kind: "status", status: 500 }),
  ofTheCall("call 503", "503 model_unavailable", { kind: "status", status: 503 }),
  ofTheCall("call 504", "504 upstream_timeout", { kind: "slow", ms: 120_000 }),
]
const callNames = CALL.map(({ name }) => name)
// An id that does not exist has no status, no engine and no limits of its own.
const ofTheModel = ["4 retired model", "4 unavailable model", "4 model's body limit", "4 model's limits", ...callNames]

/** spec.md, "Order of checks", with the parts of steps 4 and 8 in order. */
const FAILURES: Failure[] = [
  {
    name: "1 body over the global limit",
    answer: "413 request_too_large body",
    change: { stateBytes: MAX_BODY_BYTES },
  },
  { name: "2 key", answer: "401 invalid_api_key", change: { keyIsExpired: true } },
  { name: "3 shape", answer: "400 invalid_request temperature", change: { hasUnknownField: true } },
  { name: "4 unknown model", answer: "400 invalid_model model", change: { isUnknown: true }, apartFrom: ofTheModel },
  { name: "4 retired model", answer: "410 model_retired", change: { isRetired: true } },
  { name: "4 unavailable model", answer: "503 model_unavailable", change: { isDown: true } },
  { name: "4 model's body limit", answer: "413 request_too_large body", change: { stateBytes: OWN_BODY_LIMIT } },
  { name: "4 model's limits", answer: "400 invalid_request questions", change: { questions: 3 } },
  { name: "5 rate", answer: "429 rate_limited", change: { windowIsUsedUp: true } },
  { name: "6 key limit", answer: "402 key_limit_reached", change: { keyLimitPico: 1n } },
  { name: "7 balance", answer: "402 insufficient_balance", change: { balancePico: 0n } },
  // A model call has exactly one outcome, so these failures exclude each other.
  ...CALL.map((failure) => ({ ...failure, apartFrom: callNames })),
]

const service = await testService()
// The windows' clock is stopped, so that a window that is used up stays used up.
runtime().rates = memoryWindows(() => 1_000)
const engines = await startEngines()
afterEach(() => {
  vi.restoreAllMocks()
})

async function answerTo(...failures: Failure[]) {
  // Of two body sizes the first one counts: a body over the global limit is over the model's too.
  const changes = failures.map(({ change }) => change).toReversed()
  const { response, engineCalls, costPico } = await sendFailing(service, engines, changes)
  const { error } = (await expectDescribed(response, "/v1/decisions")) as { error: { code: string; param?: string } }
  const answer = [response.status, error.code, error.param].filter(Boolean).join(" ")
  return { answer, engineCalls, costPico, isLimited: response.headers.has("x-ratelimit-limit") }
}

/** True when the failure comes after the key is accepted. Its response then has the rate-limit headers. */
const isAccepted = ({ name }: Failure): boolean => !/^[12]/.test(name)

describe("each failure alone", () => {
  it.each(FAILURES)("$name is answered $answer and costs nothing", async (failure) => {
    if (failure.name === "call 504")
      vi.spyOn(SystemOneEngine.prototype, "answer").mockRejectedValue(new ServiceError("upstream_timeout"))
    const engineCalls = failure.name.startsWith("call") && failure.name !== "call 504" ? 1 : 0
    const answered = { answer: failure.answer, engineCalls, costPico: 0n, isLimited: isAccepted(failure) }
    expect(await answerTo(failure)).toEqual(answered)
  })
})

const pairs = FAILURES.flatMap((first, i) => FAILURES.slice(i + 1).map((second) => ({ first, second })))
const canMeet = ({ first, second }: (typeof pairs)[number]) => !first.apartFrom?.includes(second.name)

describe("of two failures in one request the one that is checked first is answered", () => {
  it("in all 101 pairs that can meet, of 120", () => {
    expect([pairs.length, pairs.filter(canMeet).length]).toEqual([120, 101])
  })

  it.each(pairs.filter(canMeet))("$first.name before $second.name", async ({ first, second }) => {
    const answered = { answer: first.answer, engineCalls: 0, costPico: 0n, isLimited: isAccepted(first) }
    expect(await answerTo(first, second)).toEqual(answered)
  })
})
