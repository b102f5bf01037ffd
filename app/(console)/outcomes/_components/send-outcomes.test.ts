import { expect, test, vi } from "vitest"
import type { FileOutcome } from "@/lib/shared/outcomes/outcomes-file"
import { sendOutcomes } from "./send-outcomes"

/** Two parts: each outcome has about 360 bytes. */
const OUTCOMES = Array.from({ length: 200 }, (_, at): FileOutcome => {
  const question = "q".repeat(256)
  return { line: at + 2, outcome: { request_id: "req_1", question, type: "noul", predicted: 0.5, outcome: true } }
})
const stored = async ({ outcomes }: { outcomes: unknown[] }) =>
  ({ ok: true, data: { stored: outcomes.length } }) as const

test("a large file is sent in parts with the share, and reports its progress", async () => {
  const send = vi.fn(stored)
  const sent: number[] = []
  expect(await sendOutcomes(OUTCOMES, 0.05, send, (count) => sent.push(count))).toBeNull()
  const sizes = send.mock.calls.map(([{ outcomes }]) => outcomes.length)
  expect(sizes).toHaveLength(2)
  expect(send.mock.calls[1]?.[0]).toMatchObject({ sampled_share: 0.05 })
  expect(sent).toEqual([sizes[0], 200])
})

test("an error names the line of the file, and how many outcomes are stored", async () => {
  const error = { code: "invalid_request", message: "It is unknown.", param: "outcomes.3.request_id" }
  const send = vi.fn().mockImplementationOnce(stored).mockResolvedValueOnce({ ok: false, error })
  const result = await sendOutcomes(OUTCOMES, undefined, send, () => {})
  const before = send.mock.calls[0]?.[0].outcomes.length
  expect(send.mock.calls[0]?.[0]).not.toHaveProperty("sampled_share")
  expect(result?.message).toBe(
    `Line ${before + 5}: It is unknown. The first ${before} outcomes of the file are stored. Uploading it again replaces them.`,
  )
})

test("a part is sent again after a second while the account is over its rate", async () => {
  vi.useFakeTimers()
  try {
    const limited = { ok: false, error: { code: "rate_limited", message: "Too many requests." } }
    const send = vi.fn(stored).mockResolvedValueOnce(limited as never)
    const sending = sendOutcomes(OUTCOMES.slice(0, 1), undefined, send, () => {})
    await vi.advanceTimersByTimeAsync(999)
    expect(send).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await sending).toBeNull()
    expect(send).toHaveBeenCalledTimes(2)
  } finally {
    vi.useRealTimers()
  }
})
