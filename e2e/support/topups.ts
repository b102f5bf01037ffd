import { expect, type Page } from "@playwright/test"
import { startStripe } from "@/test/doubles/stripe/start-stripe"
import { PRETEND_TEST_KEY, type StripeDouble } from "@/test/doubles/stripe/stripe-double"
import { setPrice } from "./price"
import { Service } from "./service"
import { signIn } from "./sign-in"

const SECRET = "whsec_e2e"

/** Signs in as an operator of the service of `Topups`. */
export const TOPUPS_OPERATOR = "operator@topups.example"

export interface Account {
  balance_usd: string
}

/** A service and the Stripe double that it uses, with 19 % tax and a price of $1,000 per million tokens. */
export class Topups {
  private constructor(
    readonly service: Service,
    readonly double: StripeDouble,
  ) {}

  static async start(): Promise<Topups> {
    const double = await startStripe({ retryDelaysMs: [], taxPercent: 19 })
    const service = await Service.start({
      LOG_LEVEL: "silent",
      OPERATOR_EMAILS: TOPUPS_OPERATOR,
      WELCOME_CREDIT_USD: "0",
      STRIPE_SECRET_KEY: PRETEND_TEST_KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_BASE: double.url,
      STRIPE_AUTOMATIC_TAX: "on",
    })
    double.setWebhook({ to: `${service.url}/api/stripe/webhook`, secrets: [SECRET] })
    await setPrice(service, "1000")
    return new Topups(service, double)
  }

  /** Ends all injected faults, and delivers new events at once. */
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

  async newAccount(email: string): Promise<string> {
    await this.service.operator("account", "create", email)
    return (await this.service.operator<{ key: string }>("key", "create", email, "--name", "Production")).key
  }

  async openTopUp(page: Page, email: string, amountUsd = "25"): Promise<void> {
    await signIn(page, this.service, email, `/billing/top-up?amount=${amountUsd}`)
    await expect(page.getByRole("heading", { name: "Top up" })).toBeVisible()
  }

  async goToCheckout(page: Page): Promise<string> {
    await press(page, "Go to checkout")
    await page.waitForURL(`${this.double.url}/c/pay/**`)
    return new URL(page.url()).pathname.split("/").at(-1) ?? ""
  }
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click()
