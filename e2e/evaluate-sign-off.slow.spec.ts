import { execFile } from "node:child_process"
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expectAccessible, NARROW } from "./support/axe"
import { finished, signInToEvaluate } from "./support/evaluate"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ topups }) => {
  service = topups.service
})

/** 300 rows of banking77. See its README for the licence. */
const FILE = path.resolve("e2e/fixture/banking77-extract.csv")

test("a public labelled set goes from its file to a record that the exported test verifies", async ({ page }) => {
  const email = await signInToEvaluate(service, page, "900")
  await page.getByLabel("Rows from a file").setInputFiles(FILE)
  await page.getByRole("tab", { name: "Questions" }).click()
  await page.getByRole("button", { name: "Add a question for “refund”" }).click()
  await page.getByRole("textbox", { name: "Instructions" }).fill("Does the customer ask about a refund?")
  await page.getByRole("tab", { name: "Run" }).click()
  await page.getByRole("button", { name: /^Run \d+ rows$/ }).click()
  await finished(page)
  await page.getByRole("button", { name: "See the results" }).click()

  await page.getByText("One error target", { exact: true }).click()
  await page.getByRole("button", { name: /^Use / }).click()
  await page.getByRole("button", { name: "Accept this threshold" }).click()
  await page.getByRole("tab", { name: "Sign-off" }).click()
  await page.getByRole("button", { name: "Make the record" }).click()
  const record = page.getByRole("article", { name: "Sign-off record" })
  await expect(record).toContainText(email)
  await expect(record).toContainText("banking77-extract.csv")
  const sent: (string | null)[] = []
  page.on("request", (request) => request.method() === "POST" && sent.push(request.postData()))
  await page.getByRole("button", { name: "Sign with this installation’s key" }).click()
  await expect(page.getByRole("status").getByText("The record is signed.")).toBeVisible()
  await expect(record).toContainText("Signature of this installation (Ed25519)")
  expect(sent).toEqual([expect.stringMatching(/^\[\{"sha256":"[0-9a-f]{64}"\}\]$/)])
  await expectAccessible(page, NARROW)

  const folder = await mkdtemp(path.join(tmpdir(), "svcd-sign-off-"))
  const saved = async (button: string, files: number) => {
    const downloads: string[] = []
    page.on("download", async (download) => {
      const file = path.join(folder, download.suggestedFilename())
      await download.saveAs(file)
      downloads.push(file)
    })
    await page.getByRole("button", { name: button }).click()
    await expect.poll(() => downloads.length).toBe(files)
    page.removeAllListeners("download")
    return downloads
  }
  const [file = ""] = await saved("Save record as JSON", 1)
  const signed = JSON.parse(await readFile(file, "utf8"))
  expect(signed.record).toMatchObject({ person: email, set: { rows: 300 }, version: 1 })
  expect(signed.record.hashes.rows).toMatch(/^[0-9a-f]{64}$/)
  const { publicKey } = signed.signature
  const listed = async () => (await (await fetch(`${service.url}/status.json`)).json()).signing_keys
  await expect.poll(listed).toMatchObject([{ public_key: publicKey, retired_at: null }])

  await page.getByRole("tab", { name: "Results" }).click()
  await page.getByRole("button", { name: "Export as a test" }).click()
  await saved("Save the test and its data", 2)
  const verify = () =>
    new Promise<{ code: number; stdout: string }>((resolve) => {
      const args = [path.resolve("node_modules/tsx/dist/cli.mjs"), "evaluation.test.ts", "verify", file]
      execFile(process.execPath, args, { cwd: folder }, (error, stdout) =>
        resolve({ code: error ? Number(error.code) : 0, stdout }),
      )
    })
  const { code, stdout } = await verify()
  expect(stdout.split("\n").filter((line) => !line.startsWith("ok"))).toEqual([""])
  expect(stdout).toContain(`ok   the key ${publicKey} is one of the service`)
  expect(code).toBe(0)
})
