import { vi } from "vitest"
import { addCascade } from "@/lib/server/models/add-cascade"
import { addModel } from "@/lib/server/models/add-model"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import type { DecisionBody } from "./doubles/decision-model"
import { type LlamaCppDouble, startLlamaCpp } from "./doubles/llama-cpp"

export const SMALL = "svc-small-1"
export const BIG = "svc-big-1"

/** pico-USD per token of every cascade here. Its parts cost nothing. */
export const CASCADE_PRICE = 7_000n

/** Begins the instructions of each question that the big model answers unlike the small one. */
export const ASKED = "Is it so:"

const isNumbers = (value: unknown): value is Record<string, number> => typeof value === "object" && value !== null

/** Returns the answers with the probabilities of their options in reverse order. */
export function reversed(body: DecisionBody): DecisionBody {
  for (const answer of Object.values(body.answers)) {
    if (typeof answer.noul === "number") answer.noul = 1 - answer.noul
    if (!isNumbers(answer.probabilities)) continue
    const names = Object.keys(answer.probabilities)
    const values = Object.values(answer.probabilities).reverse()
    answer.probabilities = Object.fromEntries(names.map((name, i) => [name, values[i]]))
    if (answer.type === "choice") answer.choice = names[values.indexOf(Math.max(...values))]
    else answer.score = values.reduce((sum, value, i) => sum + i * value, 0)
  }
  return body
}

/** Starts two engines that answer differently, and adds a model on each. Resolves once both can be called. */
export async function startParts(): Promise<{ small: LlamaCppDouble; big: LlamaCppDouble }> {
  const [small, big] = await Promise.all([startLlamaCpp({ noise: 0 }), startLlamaCpp({ noise: 0 })])
  big.fault = { kind: "edited", edit: reversed, only: ASKED }
  const settings = { engineModel: "kev-4b", engine: "system-one" as const, tokenizerFolder: null, bothOrders: false }
  for (const [id, { url }] of [
    [SMALL, small],
    [BIG, big],
  ] as const)
    await addModel(runtime(), OPERATOR, { ...settings, id, engineUrl: url, pricePico: pico(0) })
  await vi.waitFor(
    async () => {
      await loadCatalogue(runtime())
      const states = [SMALL, BIG].map((id) => runtime().engines.availability(id).available)
      const counters = [SMALL, BIG].map((id) => runtime().catalogue.find(id)?.tokenizer)
      if (states.includes(false) || counters.includes(null)) throw new Error("the parts cannot be called yet")
    },
    { timeout: 120_000 },
  )
  return { small, big }
}

/** Adds a cascade of both parts, and returns its id. */
export async function newCascade(id: string, below: number): Promise<string> {
  await addCascade(runtime(), OPERATOR, { id, smallId: SMALL, bigId: BIG, below, pricePico: pico(CASCADE_PRICE) })
  await loadCatalogue(runtime())
  return id
}

type Asked = Record<string, unknown>

/** Returns the state and the names of the questions of each request for an answer to a client that an engine got. */
export const askedOf = ({ requests }: LlamaCppDouble): { state: unknown; names: string[] }[] =>
  requests
    .filter(({ path, body }) => path === "/v1/systemone" && body.includes(ASKED))
    .map(({ body }) => {
      const { state, questions } = JSON.parse(body) as { state: unknown; questions: Asked }
      return { state, names: Object.keys(questions) }
    })
