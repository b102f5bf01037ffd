import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { transferOwnership } from "@/lib/server/members/transfer-ownership"
import type { UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"

/** Transfers the ownership of an account to a member, who accepts it. */
export async function handOver(owner: UserActor, heir: UserActor): Promise<void> {
  const { id } = await transferOwnership(runtime(), owner, { id: publicId("usr", heir.userId) })
  await acceptInvitation(runtime(), heir, { id })
}
