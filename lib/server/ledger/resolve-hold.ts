import { runtime } from "@/lib/server/platform/runtime"
import { Coalescer } from "./coalescer"

/** What the charge row keeps of a request beside its tokens: no content. */
export interface ChargeFacts {
  tokens: number
  latencyMs: number
  nouls: number
  choices: number
  scores: number
}

/** 'exceeds' and 'unknown' are of the call; the others are the state the hold now has. */
export type Resolution = "captured" | "voided" | "expired" | "held" | "exceeds" | "unknown"

export interface Capture {
  holdId: string
  facts: ChargeFacts
}

async function captureOne({ holdId, facts }: Capture): Promise<Resolution> {
  const { rows } = await runtime().pool.query<{ state: Resolution }>({
    name: "capture",
    text: "SELECT capture($1, $2, $3, $4, $5, $6) AS state",
    values: [holdId, facts.tokens, facts.latencyMs, facts.nouls, facts.choices, facts.scores],
  })
  return rows[0]?.state ?? "unknown"
}

async function captureMany(captures: Capture[]): Promise<Resolution[]> {
  const { rows } = await runtime().pool.query<{ state: Resolution }>({
    name: "captures",
    text: "SELECT state FROM capture_holds($1, $2, $3, $4, $5, $6)",
    values: [
      captures.map(({ holdId }) => holdId),
      captures.map(({ facts }) => facts.tokens),
      captures.map(({ facts }) => facts.latencyMs),
      captures.map(({ facts }) => facts.nouls),
      captures.map(({ facts }) => facts.choices),
      captures.map(({ facts }) => facts.scores),
    ],
  })
  return rows.map(({ state }) => state)
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    captures: Coalescer<Capture, Resolution>
  }
}

/** The captures of one process on their way to the database. */
export const createCaptureCalls = () => new Coalescer({ one: captureOne, many: captureMany })

/**
 * Turns a hold into its charge: releases it, charges tokens × price and writes the ledger row in one durable transaction,
 * which requests that come together share. Idempotent: the state the hold already has is answered again.
 */
export const capture = (holdId: string, facts: ChargeFacts): Promise<Resolution> =>
  runtime().captures.ask({ holdId, facts })

/** Lets a hold go without a charge. 'expired' only works on a hold whose time is over. Idempotent. */
export async function release(holdId: string, how: "voided" | "expired" = "voided"): Promise<Resolution> {
  const { rows } = await runtime().pool.query<{ state: Resolution }>({
    name: "release",
    text: "SELECT release($1, $2) AS state",
    values: [holdId, how],
  })
  return rows[0]?.state ?? "unknown"
}
