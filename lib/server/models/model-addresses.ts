import type { ClientBase } from "pg"
import type { Row } from "@/lib/server/platform/db/row"

type AddressRow = Row<"ModelAddress", "url" | "is_draining">

/** Locks a model, so that its addresses change one at a time, and returns them in their order. */
export async function lockAddresses(client: ClientBase, modelId: string): Promise<AddressRow[]> {
  await client.query("SELECT FROM model WHERE id = $1 FOR NO KEY UPDATE", [modelId])
  const { rows } = await client.query<AddressRow>(
    "SELECT url, is_draining FROM model_address WHERE model_id = $1 ORDER BY created_at, url",
    [modelId],
  )
  return rows
}

/** Adds an address of a model, or ends its drain. */
export const addAddress = (client: ClientBase, modelId: string, url: string) =>
  client.query(
    `INSERT INTO model_address (model_id, url) VALUES ($1, $2)
     ON CONFLICT (model_id, url) DO UPDATE SET is_draining = false`,
    [modelId, url],
  )

export const removeAddress = (client: ClientBase, modelId: string, url: string) =>
  client.query("DELETE FROM model_address WHERE model_id = $1 AND url = $2", [modelId, url])

export const drainAddress = (client: ClientBase, modelId: string, url: string) =>
  client.query("UPDATE model_address SET is_draining = true WHERE model_id = $1 AND url = $2", [modelId, url])

/** Makes an address the only one of a model. */
export async function replaceAddresses(client: ClientBase, modelId: string, url: string): Promise<void> {
  await client.query("DELETE FROM model_address WHERE model_id = $1 AND url <> $2", [modelId, url])
  await addAddress(client, modelId, url)
}

/** Keeps the column that processes of the previous version read. */
export const keepFirstAddress = (client: ClientBase, modelId: string) =>
  client.query(
    `UPDATE model SET engine_url = (
       SELECT url FROM model_address WHERE model_id = $1 ORDER BY is_draining, created_at, url LIMIT 1
     ) WHERE id = $1`,
    [modelId],
  )
