import { SLUGS } from "@/lib/server/docs/slugs"
import { expect, test } from "./support/test"

const GUIDE = SLUGS.filter((slug) => slug !== "index")

test("the home page and the docs work without JavaScript", async ({ browser, service }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(service.url)
  await expect(page.getByRole("heading", { name: "Does the customer ask for money back?" })).toBeVisible()

  for (const slug of GUIDE) {
    const html = await (await page.request.get(`${service.url}/docs/${slug}`)).text()
    expect(html).not.toContain(" style=")
    const markdown = await page.request.get(`${service.url}/docs/${slug}.md`)
    expect(markdown.headers()["content-type"]).toBe("text/markdown; charset=utf-8")
    const [title] = (await markdown.text()).split("\n")
    const heading = /<h1[^>]*>([^<]+)</.exec(html)?.[1]
    expect(heading?.replaceAll("&#x27;", "'")).toBe(title?.slice(2))
  }
  expect((await page.goto(`${service.url}/docs/nothing`))?.status()).toBe(404)
  expect((await page.request.get(`${service.url}/docs/nothing.md`)).status()).toBe(404)
  const index = await (await page.request.get(`${service.url}/llms.txt`)).text()
  for (const slug of GUIDE) expect(index).toContain(`(${service.url}/docs/${slug}.md)`)

  await page.goto(`${service.url}/docs`)
  await page.getByRole("link", { name: "Search the docs" }).click()
  await page.getByRole("searchbox", { name: "Search the docs" }).fill("confidence zebra")
  await page.getByRole("button", { name: "Search", exact: true }).click()
  await expect(page.getByText("No section contains all words of")).toBeVisible()
  await page.getByRole("searchbox", { name: "Search the docs" }).fill("confidence")
  await page.getByRole("button", { name: "Search", exact: true }).click()
  await page.getByRole("link", { name: "Questions and answers › Confidence" }).click()
  await expect(page).toHaveURL(`${service.url}/docs/concepts#confidence`)

  await page.goto(`${service.url}/docs/quickstart`)
  await expect(page.getByText(`curl ${service.url}/v1/decisions`)).toBeVisible()
  await page.locator("label", { hasText: "Python" }).click()
  await expect(page.getByRole("radio", { name: "Python" })).toBeChecked()
  await expect(page.getByText("urllib.request.urlopen")).toBeVisible()
  await expect(page.getByText(`curl ${service.url}/v1/decisions`)).toBeHidden()
  await context.close()
})
