import { expect, type Page } from "@playwright/test"

export interface Answers {
  answers: {
    wants_refund: { noul: number }
    team: { choice: string; confidence: number; probabilities: Record<string, number> }
    urgency: { score: number; confidence: number; probabilities: Record<string, number> }
  }
}

export const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click()

export async function runAnswered(page: Page): Promise<Answers> {
  const responded = page.waitForResponse("**/playground/decisions")
  await run(page)
  const response = (await (await responded).json()) as Answers
  await expect(page.getByText("Answered", { exact: true })).toBeVisible()
  return response
}

/** Counts the stored runs. Call it only after the first is stored: opening a database that does not exist creates an empty one. */
const countStored = () =>
  new Promise<number>((resolve, reject) => {
    const opening = indexedDB.open("playground")
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const counting = opening.result.transaction("runs").objectStore("runs").count()
      opening.result.close()
      counting.onsuccess = () => resolve(counting.result)
      counting.onerror = () => reject(counting.error)
    }
  })

/** Waits until the browser, which stores a run after it has shown the answers, has stored this many. An earlier run must be stored. */
export const untilStored = (page: Page, runs: number): Promise<void> =>
  expect.poll(() => page.evaluate(countStored)).toBe(runs)

export async function tableOf(page: Page, question: string): Promise<Record<string, string>> {
  const item = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: question }) })
  await item.getByText("Show as a table").click()
  await item.getByRole("table").waitFor()
  const rows = await item.getByRole("row").all()
  const cells = rows.slice(1).map(async (row) => {
    const name = (await row.getByRole("rowheader").textContent()) ?? ""
    return [name, (await row.getByRole("cell").textContent()) ?? ""] as const
  })
  return Object.fromEntries(await Promise.all(cells))
}
