import { headers } from "next/headers"
import { forbidden, redirect } from "next/navigation"
import { cache } from "react"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { SHOWN_ACCOUNT } from "@/lib/shared/accounts/shown-account"
import { PAGES, type PageRow, type SessionPath } from "@/lib/shared/pages"
import { actorOfCookies } from "./actor-of-cookies"
import { openPath, signInPath } from "./return-path"
import { isFromOtherAccount } from "./shown-account"

/**
 * Returns the signed-in user, or null. Queries the database once per request. Reads the header as the playground's routes do:
 * Next's `cookies()` would choose another one of two cookies with the same name.
 */
export const findSession = cache(async (): Promise<UserActor | null> => {
  const sent = await headers()
  return actorOfCookies(runtime(), sent.get("cookie") ?? undefined, sent.get("x-svc-client"))
})

/**
 * Returns the signed-in user for a page. Without a session it redirects to sign-in, which leads back to `returnTo`, by default the
 * page. A tab that shows another account than the session is redirected to a page that offers both, since its frame would show the
 * wrong one. Responds with 403, or a redirect, when the user's role lacks the right of the page's row in `PAGES`. `account` is the
 * account, `acc_…`, that the address names: browsers send no header with downloads and native forms.
 */
export async function requireSession(
  path: SessionPath,
  returnTo: string = path,
  account: unknown = null,
): Promise<UserActor> {
  const actor = (await findSession()) ?? redirect(signInPath(returnTo))
  const named = typeof account === "string" ? parsePublicId("acc", account) : null
  const other = [(await headers()).get(SHOWN_ACCOUNT), named].find((shown) => isFromOtherAccount(actor, shown))
  if (other) redirect(openPath(other, returnTo))
  const { right = "account.read", elsewhere }: PageRow = PAGES[path]
  if (hasRight(actor, right)) return actor
  return elsewhere ? redirect(elsewhere) : forbidden()
}

/** Does the same for a download, whose address names the account of the page that links to it. See `downloadPath`. */
export const requireDownload = (request: Request, path: SessionPath): Promise<UserActor> =>
  requireSession(path, path, new URL(request.url).searchParams.get("account"))
