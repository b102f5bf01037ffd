import { expect, type Page } from "@playwright/test"
import { startStripe } from "@/test/doubles/stripe/start-stripe"
import { PRETEND_TEST_KEY, type StripeDouble } from "@/test/doubles/stripe/stripe-double"
import { MODEL } from "./requests"
import { Service } from "./service"
import { signInHere } from "./sign-in"

const SECRET = "whsec_e2e"

export interface Account {
  balance_usd: string
}

/** The service and a Stripe double that know each other, with a tax of 19 % and decisions that cost something. */
export class Topups {
  private constructor(
    readonly service: Service,
    readonly double: StripeDouble,
  ) {}

  static async start(): Promise<Topups> {
    const double = await startStripe({ retryDelaysMs: [], taxPercent: 19 })
    const service = await Service.start({
      LOG_LEVEL: "silent",
      WELCOME_CREDIT_USD: "0",
      STRIPE_SECRET_KEY: PRETEND_TEST_KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_BASE: double.url,
      STRIPE_AUTOMATIC_TAX: "on",
    })
    double.setWebhook({ to: `${service.url}/api/stripe/webhook`, secrets: [SECRET] })
    await service.operator("model", "price", MODEL, "1000")
    return new Topups(service, double)
  }

  /** All is well again with Stripe and its events. */
  calm(): void {
    this.double.setDelivery("now")
    this.double.faults.clear()
  }

  async destroy(): Promise<void> {
    await this.service.destroy()
    await this.double.stop()
  }

  async balanceOf(email: string): Promise<string> {
    return Number((await this.service.operator<Account>("account", "show", email)).balance_usd).toFixed(2)
  }

  /** An account without a cent, with a key. */
  async newAccount(email: string): Promise<string> {
    await this.service.operator("account", "create", email)
    return (await this.service.operator<{ key: string }>("key", "create", email, "--name", "Production")).key
  }

  /** Signed in, on the top-up page with this amount chosen. */
  async openTopUp(page: Page, email: string, amountUsd = "25"): Promise<void> {
    await page.goto(`${this.service.url}/billing/top-up?amount=${amountUsd}`)
    await signInHere(page, this.service, email)
    await expect(page.getByRole("heading", { name: "Top up" })).toBeVisible()
  }

  /** Leaves for the checkout and answers the id of its session. */
  async goToCheckout(page: Page): Promise<string> {
    // Before the page's script runs a press does nothing, and a second press is never a second purchase.
    await expect(async () => {
      await page.getByRole("button", { name: "Go to checkout" }).click({ timeout: 2_000 })
      await page.waitForURL(`${this.double.url}/c/pay/**`, { timeout: 4_000 })
    }).toPass({ timeout: 30_000 })
    return new URL(page.url()).pathname.split("/").at(-1) ?? ""
  }
}

/** Presses the button with exactly this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click()
