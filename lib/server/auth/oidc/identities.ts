import type { ClientBase, Pool } from "pg"
import type { Row } from "@/lib/server/platform/db/row"
import { newId } from "@/lib/server/platform/ids"
import type { Person } from "./provider"

/** What identifies a person: the subject alone means nothing at another issuer. */
type Identity = Pick<Person, "issuer" | "subject">

/** Returns the user to whom a person is linked; null without one. */
export async function findLinkedUser(db: Pool | ClientBase, { issuer, subject }: Identity): Promise<string | null> {
  const { rows } = await db.query<Row<"UserIdentity", "user_id">>(
    "SELECT user_id FROM user_identity WHERE issuer = $1 AND subject = $2",
    [issuer, subject],
  )
  return rows[0]?.user_id ?? null
}

/** Links a person to a user, in the transaction of `client`. Returns false when the person is linked to another user. */
export async function linkPerson(client: ClientBase, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  await client.query(
    "INSERT INTO user_identity (id, user_id, issuer, subject) VALUES ($1, $2, $3, $4) ON CONFLICT (issuer, subject) DO NOTHING",
    [newId(), userId, issuer, subject],
  )
  return (await findLinkedUser(client, { issuer, subject })) === userId
}
