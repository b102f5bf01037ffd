/**
 * Measures how many outcomes per second `POST /v1/outcomes` stores, without HTTP: a body of 1,000 outcomes, each of another request, on the
 * embedded PostgreSQL. The second column is with alarms on the question. ROUNDS sets the number of alternating rounds.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { setOutcomeAlarms } from "@/lib/server/outcomes/outcome-alarms"
import { storeOutcomes } from "@/lib/server/outcomes/store-outcomes"
import { runtime } from "@/lib/server/platform/runtime"
import { MAX_OUTCOMES, OutcomeRequest } from "@/lib/shared/outcomes/outcome-request"
import { insertModel } from "../test/insert-rows"
import { keepingAccount } from "../test/keeping-account"
import { withRuntime } from "./support/accounts"
import { median } from "./support/load"

const ROUNDS = Number(process.env.ROUNDS || 15)
const IN_FLIGHT = 32

type Account = Awaited<ReturnType<typeof keepingAccount>>

/** Charges a request for each outcome. Returns the body that reports them. */
async function bodyOf({ ask }: Account): Promise<string> {
  const ids: string[] = []
  const charge = async () => {
    while (ids.length < MAX_OUTCOMES) ids.push(await ask())
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, charge))
  const outcomes = ids.slice(0, MAX_OUTCOMES).map((id, at) => ({
    ...{ request_id: id, question: "late", type: "noul", predicted: 0.9, outcome: at % 10 !== 0 },
  }))
  return JSON.stringify({ outcomes })
}

/** Returns how many outcomes per second are stored, parsing included. None of them is stored before. */
async function perSecond({ actor }: Account, body: string): Promise<number> {
  await runtime().pool.query("DELETE FROM outcome WHERE account_id = $1", [actor.accountId])
  const startedAt = performance.now()
  await storeOutcomes(runtime(), actor, OutcomeRequest.parse(JSON.parse(body)))
  return MAX_OUTCOMES / ((performance.now() - startedAt) / 1_000)
}

const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
try {
  await withRuntime(dataDir, async () => {
    await insertModel("m")
    const [bare, watched] = [await keepingAccount(), await keepingAccount()]
    const rule = { from: 0.9, below: 0.1, targetAbove: 0.2, targetBelow: 0.2 }
    await setOutcomeAlarms(runtime(), watched.actor, { question: "late", type: "noul", model: "m", rule })
    const [ofBare, ofWatched] = [await bodyOf(bare), await bodyOf(watched)]
    const rates: { bare: number[]; watched: number[] } = { bare: [], watched: [] }
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const [one, other] = [await perSecond(bare, ofBare), await perSecond(watched, ofWatched)]
      if (round === 0) continue
      rates.bare.push(one)
      rates.watched.push(other)
    }
    const show = (values: number[]) => median(values).toFixed(0)
    console.log(`Outcomes stored per second, one body after the other, median of ${ROUNDS} alternating rounds:`)
    console.log(`  without alarms ${show(rates.bare)}   with three alarms ${show(rates.watched)}`)
  })
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
