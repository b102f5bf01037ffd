import { z } from "zod"
import { createKey } from "@/lib/server/keys/create-key"
import { listKeys } from "@/lib/server/keys/read-keys"
import { replaceKey } from "@/lib/server/keys/replace-key"
import { restrictKey } from "@/lib/server/keys/restrictions"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import type { Actor } from "@/lib/server/platform/actor"
import { Done } from "./admin-fields"
import { CreatedKeyView, CreateKeyBody, KeyView, ReplaceKeyBody, RestrictKeyBody, viewOfKey } from "./key-fields"
import { type OfAccount, type Operation, operationsOf } from "./operation"

const TAG = { tag: "Keys" } as const
const CHANGES = { ...TAG, right: "keys.manage" } as const

function makeOperations<CallActor extends Actor>({ base, onAccount }: OfAccount<CallActor>): Operation<CallActor>[] {
  const operation = operationsOf<CallActor>()
  return [
    operation({
      ...CHANGES,
      id: "createKey",
      method: "POST",
      path: `${base}/keys`,
      summary: "Create a key",
      description: "Returns the key's secret once. Repeated with the same `Idempotency-Key`, it returns `key` as null.",
      verbs: ["keys/create-key.ts createKey"],
      takesKey: true,
      secret: "key",
      Body: CreateKeyBody,
      Result: CreatedKeyView,
      run: async (call) => {
        const { id, token, masked } = await createKey(call.runtime, await onAccount(call), call.body)
        return { id, masked, key: token }
      },
    }),
    operation({
      ...CHANGES,
      id: "replaceKey",
      method: "POST",
      path: `${base}/keys/{key}/replace`,
      summary: "Replace the secret of a key",
      description: "The old secret works for `overlap_hours` more. Id, name, limit and usage stay.",
      verbs: ["keys/replace-key.ts replaceKey"],
      takesKey: true,
      secret: "key",
      Body: ReplaceKeyBody,
      Result: CreatedKeyView,
      run: async (call) => {
        const input = { id: call.ids.key ?? "", overlapHours: call.body.overlap_hours }
        const { id, token, masked } = await replaceKey(call.runtime, await onAccount(call), input)
        return { id, masked, key: token }
      },
    }),
  ]
}

function changeOperations<CallActor extends Actor>({ base, onAccount }: OfAccount<CallActor>): Operation<CallActor>[] {
  const operation = operationsOf<CallActor>()
  return [
    operation({
      ...CHANGES,
      id: "restrictKey",
      method: "PUT",
      path: `${base}/keys/{key}/restrictions`,
      summary: "Restrict a key",
      description: "An empty list lifts a restriction.",
      verbs: ["keys/restrictions.ts restrictKey"],
      Body: RestrictKeyBody,
      Result: Done,
      run: async (call) => restrictKey(call.runtime, await onAccount(call), { id: call.ids.key ?? "", ...call.body }),
    }),
    operation({
      ...CHANGES,
      id: "revokeKey",
      method: "DELETE",
      path: `${base}/keys/{key}`,
      summary: "Revoke a key",
      description: "Every process refuses it within two seconds. Repeating changes nothing.",
      verbs: ["keys/revoke-key.ts revokeKey"],
      Result: Done,
      run: async (call) => revokeKey(call.runtime, await onAccount(call), { id: call.ids.key ?? "" }),
    }),
  ]
}

/** Returns the operations on the keys of an account. */
export const keyOperations = <CallActor extends Actor>(of: OfAccount<CallActor>): Operation<CallActor>[] => [
  operationsOf<CallActor>()({
    ...TAG,
    right: "keys.read",
    id: "listKeys",
    method: "GET",
    path: `${of.base}/keys`,
    summary: "List the keys of an account",
    description: "Returns every key, newest first, with revoked ones and the playground's.",
    verbs: ["keys/read-keys.ts listKeys"],
    Result: z.strictObject({ data: z.array(KeyView) }),
    run: async (call) => ({ data: (await listKeys(call.runtime, await of.onAccount(call))).map(viewOfKey) }),
  }),
  ...makeOperations(of),
  ...changeOperations(of),
]
