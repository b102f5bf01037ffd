import { beforeAll, expect, it } from "vitest"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { listDeliveries, testEndpoint } from "@/lib/server/webhooks/deliveries"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { queueEvent } from "./queue-event"

beforeAll(async () => void (await testRuntime()))

const createWebhook = async () => {
  const actor = await signUp()
  const { id } = await createEndpoint(runtime(), actor, { url: "https://hooks.example.com/", events: ["alias.moved"] })
  return { actor, id }
}

/** Deletes an endpoint while `work` waits for it, and returns the result of `work`. */
function deleteDuring<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  const values = [parsePublicId("whe", id)]
  return meanwhile(
    work,
    (client) => client.query("SELECT FROM webhook_endpoint WHERE id = $1 FOR UPDATE", values),
    (client) => client.query("DELETE FROM webhook_endpoint WHERE id = $1", values),
  )
}

it("an endpoint that is being deleted gets no event, and the other endpoints get it", async () => {
  const [deleted, other] = [await createWebhook(), await createWebhook()]
  const data = { alias: "svc-decider-latest", from: "a-1", to: "b-1" }
  const queue = () =>
    inTransaction(runtime().pool, (client) =>
      queueEvent(client, { accountId: null, type: "alias.moved", source: "alias:1", data }),
    )
  await deleteDuring(deleted.id, queue)
  expect(await listDeliveries(runtime(), deleted.actor)).toEqual([])
  expect(await listDeliveries(runtime(), other.actor)).toMatchObject([{ type: "alias.moved", state: "waiting" }])
})

it("an endpoint that is being deleted cannot be tested", async () => {
  const { actor, id } = await createWebhook()
  const test = deleteDuring(id, () => testEndpoint(runtime(), actor, { id }).catch(({ code }) => code))
  expect(await test).toBe("not_found")
})
