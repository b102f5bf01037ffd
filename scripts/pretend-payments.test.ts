import { expect, test } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { pretendPayments } from "./pretend-payments"

test("returns settings for a working double, whatever real settings exist", async () => {
  const environment = { PORT: "3999", STRIPE_SECRET_KEY: "sk_live_real", STRIPE_WEBHOOK_SECRET: "whsec_real" }
  const pretend = await pretendPayments(environment)
  try {
    const env = readEnv({ ...environment, ...pretend.settings })
    expect(env).toMatchObject({ STRIPE_SECRET_KEY: "sk_test_pretend", STRIPE_API_BASE: pretend.url })
    const headers = { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` }
    expect(await (await fetch(`${env.STRIPE_API_BASE}/v1/checkout/sessions`, { headers })).json()).toMatchObject({
      object: "list",
      data: [],
    })
  } finally {
    await pretend.stop()
  }
})

test("is refused in one line when others can reach the service", async () => {
  const open = {
    CONSOLE_URL: "https://decide.example",
    AUTH_SECRET: "x".repeat(32),
    EMAIL_SERVER: "smtp://mail.example",
    EMAIL_FROM: "a@b.example",
  }
  await expect(pretendPayments(open)).rejects.toThrow(
    /^--pretend-payments is for this machine only, and CONSOLE_URL is https:\/\/decide\.example$/,
  )
})
