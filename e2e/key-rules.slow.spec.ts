import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

test("an owner sets the start and the maximum of new keys, and a key above it is refused", async ({
  page,
  service,
}) => {
  await signIn(page, service, newEmail("key-rules"), "/settings")
  await page.getByRole("textbox", { name: "A new key starts with this limit, in USD" }).fill("2")
  await page.getByRole("textbox", { name: "Highest limit of a new key, in USD" }).fill("1")
  await page.getByRole("button", { name: "Save limits of new keys" }).click()
  await expect(page.getByText("Enter at most the highest limit of a new key.")).toBeVisible()
  await page.getByRole("textbox", { name: "Highest limit of a new key, in USD" }).fill("10")
  await page.getByRole("button", { name: "Save limits of new keys" }).click()
  await expect(page.getByText("Saved.")).toBeVisible()

  await page.goto(`${service.url}/keys?create=1`)
  const dialog = page.getByRole("dialog")
  await expect(dialog.getByRole("textbox", { name: "Amount in USD" })).toHaveValue("2.00")
  await expect(dialog.getByRole("radio", { name: "None" })).toHaveCount(0)
  await dialog.getByRole("textbox", { name: "Name" }).fill("Production")
  await dialog.getByRole("textbox", { name: "Amount in USD" }).fill("11")
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByRole("group", { name: "Spend limit" })).toContainText(
    "needs a spend limit of at most $10.00",
  )
  await dialog.getByRole("textbox", { name: "Amount in USD" }).fill("10")
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByText("Copy it now. You won't be able to see it again.")).toBeVisible()
})
