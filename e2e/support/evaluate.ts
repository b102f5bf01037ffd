import { expect, type Page } from "@playwright/test"
import type { Service } from "./service"
import { newEmail, signIn } from "./sign-in"

const progress = (page: Page) => page.getByRole("progressbar", { name: "Rows done" })
export const doneRows = async (page: Page) => Number(await progress(page).getAttribute("value"))
export const finished = (page: Page) =>
  expect(page.getByRole("heading", { name: "Finished" })).toBeVisible({ timeout: 120_000 })

/** Signs in with credit. */
export async function signInToEvaluate(
  service: Service,
  page: Page,
  creditUsd: string,
  path = "/evaluate",
): Promise<string> {
  const email = newEmail("evaluate")
  await service.operator("account", "create", email)
  await service.operator("account", "credit", email, creditUsd, "--note", "test")
  await signIn(page, service, email, path)
  return email
}

export const SECOND_MODEL = "svc-lexical-second-1"

/** Adds a second model with a price, and waits until the API and the console's process know it. */
export async function addSecondModel(service: Service): Promise<void> {
  await service.sql(
    "INSERT INTO model (id, kind, engine, price_pico) VALUES ($1, 'pinned', 'lexical', 1000000000) ON CONFLICT DO NOTHING",
    [SECOND_MODEL],
  )
  for (const path of ["/v1/models", "/models"])
    await expect.poll(async () => (await fetch(service.url + path)).text()).toContain(SECOND_MODEL)
}

/** Returns an amount of USD with all twelve decimals in pico-dollars. */
export const picoOf = (usd: string): bigint => BigInt(usd.replace(".", ""))

/**
 * Holds the answers of a run back, so that a test can act in the middle of it on a machine of any speed. The server has charged
 * the held rows. Returns a function that lets the page read some more answers, by default all.
 */
export async function holdAnswers(page: Page): Promise<(rows?: number) => void> {
  let free = 0
  const held: (() => void)[] = []
  await page.route("**/evaluate/decisions", async (route) => {
    const response = await route.fetch()
    while (free === 0) await new Promise<void>((resolve) => held.push(resolve))
    free -= 1
    // A page that is reloaded meanwhile has no request left to answer.
    await route.fulfill({ response }).catch(() => undefined)
  })
  return (rows = Number.POSITIVE_INFINITY) => {
    free += rows
    for (const goOn of held.splice(0)) goOn()
  }
}

/** Holds back the scripts of workers that the page starts from now on. Returns a function that lets them load. */
export async function holdWorkers(page: Page): Promise<() => void> {
  let letLoad = () => {}
  const loads = new Promise<void>((resolve) => {
    letLoad = resolve
  })
  await page.route("**/turbopack-worker-*.js", async (route) => {
    await loads
    await route.continue()
  })
  return letLoad
}

interface StoredRun {
  pinnedId: string
  status: string
  totals: { answered: number; tokens: number; costUsd: string }
  /** What a robustness check repeats; a run has none. */
  robustness?: { kind: string }
}

/** Returns the runs as this browser stores them, oldest first. */
export const storedRuns = (page: Page) =>
  page.evaluate(async () => {
    const request = indexedDB.open("evaluate")
    await new Promise((resolve) => request.addEventListener("success", resolve))
    const all = request.result.transaction("runs").objectStore("runs").getAll()
    await new Promise((resolve) => all.addEventListener("success", resolve))
    request.result.close()
    return all.result as StoredRun[]
  })

/** Returns what the ledger charged an account. */
export async function chargedTo(service: Service, email: string) {
  const [charged] = await service.sql<{ requests: number; tokens: number; pico: string }>(
    `SELECT count(*)::int AS requests, sum(tokens)::int AS tokens, sum(-amount_pico)::text AS pico
     FROM ledger_entry JOIN member m USING (account_id) JOIN app_user u ON u.id = m.user_id
     WHERE u.email = $1 AND kind = 'charge'`,
    [email],
  )
  return charged
}
