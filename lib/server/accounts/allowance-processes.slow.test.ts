import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import * as readline from "node:readline"
import { afterAll, expect, inject, it } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { DECEMBER, entriesOf, OF_DECEMBER, OF_NOVEMBER, set, spend, startMonth } from "@/test/allowance-fixture"
import { query } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { printFigure } from "@/test/figures"
import { brokenChecks } from "@/test/ledger-state"
import { signUp } from "@/test/sign-up"
import { createTenant, setClock } from "@/test/tenant"
import { waitsForLock } from "@/test/waits-for-lock"

const { databaseUrl } = await testRuntime({ WELCOME_CREDIT_USD: "0" })
await createTenant([])

const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
})

/** Starts a process that runs the job on demand. Its runs resolve to how long they took in milliseconds. */
async function startGranter() {
  const program = path.join(inject("programs"), "allowance-process.js")
  const child = spawn(process.execPath, [program, databaseUrl], { stdio: ["pipe", "pipe", "inherit"] })
  children.add(child)
  const exited = once(child, "close").then(() => children.delete(child))
  const lines = readline.createInterface({ input: child.stdout })
  await once(lines, "line")
  const run = async () => {
    const line = once(lines, "line")
    child.stdin.write("\n")
    return Number((await line)[0])
  }
  const kill = () => {
    child.kill("SIGKILL")
    return exited
  }
  return { child, run, kill }
}

type Granter = Awaited<ReturnType<typeof startGranter>>

/** Runs the job in a process, which is killed once it waits for the lock of an account. Returns how many it credited for December. */
async function killAt(granter: Granter, { accountId }: UserActor): Promise<number> {
  return inTransaction(runtime().pool, async (client) => {
    await client.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [accountId])
    void granter.run()
    await waitsForLock()
    await granter.kill()
    return (await query("SELECT FROM allowance WHERE credited_for = '2026-12-01'")).rowCount ?? 0
  })
}

it("40 accounts get each of three months once from two processes at once, one of which is killed within a month", async () => {
  const domain = await startMonth()
  const people: UserActor[] = []
  for (let i = 0; i < 40; i++) people.push(await signUp(`person-${i}@${domain}`))
  const [spender, twentyFirst] = [people[0], people[20]] as [UserActor, UserActor]
  await set(domain, 20n)
  const granters = await Promise.all([startGranter(), startGranter(), startGranter()])
  const [first, second, third] = granters
  const november = await Promise.all([first.run(), second.run()])
  for (const person of people) expect(await entriesOf(person)).toEqual([OF_NOVEMBER])

  await spend(spender, 7)
  await setClock(DECEMBER)
  expect(await killAt(first, twentyFirst)).toBe(20)
  const december = await Promise.all([second.run(), third.run()])
  await setClock("2027-01-01T00:00:20Z")
  const january = await Promise.all([second.run(), third.run()])

  const rest = [
    OF_DECEMBER,
    "debit -20 Unused allowance of November 2026",
    "credit 20 Allowance for January 2027",
    "debit -20 Unused allowance of December 2026",
  ]
  expect(await entriesOf(spender)).toEqual([
    OF_NOVEMBER,
    ...rest.with(1, "debit -13 Unused allowance of November 2026"),
  ])
  for (const person of people.slice(1)) expect(await entriesOf(person)).toEqual([OF_NOVEMBER, ...rest])
  expect(await brokenChecks()).toEqual([])
  printFigure("credited 40 accounts in two processes, ms", { november, december, january })
})
