import { expect, type Page } from "@playwright/test"

/** A response to the playground's first example. */
export interface Answers {
  answers: {
    wants_refund: { noul: number }
    team: { choice: string; confidence: number; probabilities: Record<string, number> }
    urgency: { score: number; confidence: number; probabilities: Record<string, number> }
  }
}

/** Presses Run. */
export const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click()

/** Runs the request in the playground and returns the response once it is shown. */
export async function runAnswered(page: Page): Promise<Answers> {
  const responded = page.waitForResponse("**/playground/decisions")
  await run(page)
  const response = (await (await responded).json()) as Answers
  await expect(page.getByText("Answered", { exact: true })).toBeVisible()
  return response
}

/** Returns the exact numbers of a question's table, by row. */
export async function tableOf(page: Page, question: string): Promise<Record<string, string>> {
  const item = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: question }) })
  await item.getByText("As a table").click()
  const rows = await item.getByRole("row").all()
  const cells = rows.slice(1).map(async (row) => {
    const name = (await row.getByRole("rowheader").textContent()) ?? ""
    return [name, (await row.getByRole("cell").textContent()) ?? ""] as const
  })
  return Object.fromEntries(await Promise.all(cells))
}
