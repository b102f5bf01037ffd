import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Browser, BrowserContext, Page } from "@playwright/test"
import { publicId } from "@/lib/server/platform/ids"
import type { PagePath } from "@/lib/shared/pages"
import { OWNER } from "@/scripts/seed/demo-account"
import { Service } from "./service"

/** Returns the last part of the first link whose address begins so. */
async function lastPart(page: Page, start: string): Promise<string> {
  const href = await page.locator(`main a[href^="${start}"]`).first().getAttribute("href")
  return href?.split("/").at(-1) ?? ""
}

/** A service with the account that `npm run seed` makes. Its owner is an operator too. */
export class DemoShop {
  private constructor(
    readonly service: Service,
    /** The cookies of the owner, whose session shows the seeded account. */
    readonly signedIn: Awaited<ReturnType<BrowserContext["storageState"]>>,
    private readonly keyId: string,
    private readonly requestId: string,
    private readonly accountId: string,
  ) {}

  static async start(browser: Browser): Promise<DemoShop> {
    const service = await Service.start({ OPERATOR_EMAILS: OWNER })
    await promisify(execFile)(process.execPath, ["scripts/seed.mjs", "--anyway"], { env: service.environment })
    const token = await service.createSession(OWNER)
    await service.sql("UPDATE session SET account_id = (SELECT id FROM account WHERE name = 'Demo shop')")
    const context = await browser.newContext()
    await context.addCookies([{ name: "svcd-session", value: token, url: service.url, httpOnly: true }])
    const page = await context.newPage()
    await page.goto(`${service.url}/keys`)
    const keyId = await lastPart(page, "/keys/key_")
    await page.goto(`${service.url}/requests`)
    const requestId = await lastPart(page, "/requests/req_")
    const [account] = await service.sql<{ id: string }>("SELECT id FROM account WHERE name = 'Demo shop'")
    const signedIn = await context.storageState()
    await context.close()
    return new DemoShop(service, signedIn, keyId, requestId, publicId("acc", account?.id ?? ""))
  }

  /** Returns a page's address, with ids of the seeded account. */
  addressOf(path: PagePath): string {
    const id = path.startsWith("/keys") ? this.keyId : path.startsWith("/requests") ? this.requestId : this.accountId
    return path.replace("[key]", this.keyId).replace("[req]", this.requestId).replace("[id]", id)
  }

  destroy(): Promise<void> {
    return this.service.destroy()
  }
}
