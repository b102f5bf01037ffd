import { expect, test } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { dayOf } from "@/lib/shared/time"
import { charge, grantTests, newPayer, type Payer, place } from "@/test/grants"
import { ownerOf } from "@/test/sign-up"
import { getStatement } from "./get-statement"

grantTests()

async function send(payer: Payer, tokens: number, ...tags: string[]): Promise<void> {
  const id = newId()
  await place(payer, id, tokens, tags)
  expect(await charge(payer, id, tokens)).toBe("captured")
}

async function linesOf({ accountId }: Payer): Promise<unknown[]> {
  const month = dayOf(new Date()).slice(0, 7)
  const { byTag } = await getStatement(runtime(), ownerOf(accountId), { month })
  return byTag.map(({ name, decisions, tokens, amountUsd }) => [name, decisions, tokens, amountUsd])
}

test("a statement lists six tags; of more, the five most expensive and one line for the others", async () => {
  const payer = await newPayer()
  const five = [
    ["team=a", 2, 90, "-0.000090000000"],
    ["team=b", 1, 80, "-0.000080000000"],
    ["team=c", 1, 70, "-0.000070000000"],
    ["team=d", 1, 60, "-0.000060000000"],
    ["team=e", 1, 50, "-0.000050000000"],
  ]
  await send(payer, 20, "team=f")
  for (const [tokens, tag] of [
    [50, "team=e"],
    [60, "team=d"],
    [70, "team=c"],
    [80, "team=b"],
    [45, "team=a"],
    [45, "team=a"],
  ] as const)
    await send(payer, tokens, tag)
  expect(await linesOf(payer)).toEqual([...five, ["team=f", 1, 20, "-0.000020000000"]])
  await send(payer, 10, "env=prod", "team=f")
  expect(await linesOf(payer)).toEqual([...five, ["2 others", 3, 40, "-0.000040000000"]])
  await runtime().pool.query("SELECT roll_up_usage($1, 1000)", [payer.accountId])
  expect(await linesOf(payer)).toEqual([...five, ["2 others", 3, 40, "-0.000040000000"]])
})
