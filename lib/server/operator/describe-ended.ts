import type { Restored } from "@/lib/server/backup/restore-target"
import { publicId } from "@/lib/server/platform/ids"

type Ended = Pick<Restored, "ended" | "isEndedAgain">

/** Returns as JSON what ended since a backup; null when the live database could not be read. */
export function endedJson({ ended, isEndedAgain }: Ended): object | null {
  if (ended === null) return null
  return {
    revoked_keys: ended.revokedKeys.map((id) => publicId("key", id)),
    replaced_secrets: ended.replacedSecrets.map(({ id }) => publicId("key", id)),
    ended_accounts: ended.endedAccounts.map(({ id, status }) => ({ id: publicId("acc", id), status })),
    erased_users: ended.erasedUsers.map((id) => publicId("usr", id)),
    applied: isEndedAgain,
  }
}

/** Returns facts about what ended since a backup, and works again unless it was ended again. */
export function describeEnded({ ended, isEndedAgain }: Ended): [string, string][] {
  if (ended === null)
    return [["Ended since", "unknown: the live database cannot be read. Keys revoked since the backup work again"]]
  const { revokedKeys, replacedSecrets, endedAccounts, erasedUsers } = ended
  if (revokedKeys.length + replacedSecrets.length + endedAccounts.length + erasedUsers.length === 0)
    return [["Ended since", "no key, account or user"]]
  const line = (label: string, ids: string[]): [string, string][] => (ids.length > 0 ? [[label, ids.join(", ")]] : [])
  return [
    ...line(
      "Revoked keys",
      revokedKeys.map((id) => publicId("key", id)),
    ),
    ...line(
      "Replaced secrets of keys",
      replacedSecrets.map(({ id }) => publicId("key", id)),
    ),
    ...line(
      "Ended accounts",
      endedAccounts.map(({ id, status }) => `${publicId("acc", id)} (${status})`),
    ),
    ...line(
      "Erased users",
      erasedUsers.map((id) => publicId("usr", id)),
    ),
    [
      "These",
      isEndedAgain
        ? "ended again in the restored database"
        : "work again. To end them, repeat the restore with --reapply and the address of the live database",
    ],
  ]
}
