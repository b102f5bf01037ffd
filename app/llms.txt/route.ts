import { pageList, readGuide } from "@/lib/server/docs/guide"
import { runtime } from "@/lib/server/platform/runtime"

export async function GET(): Promise<Response> {
  const { CONSOLE_URL, BASE_URL, SERVICE_NAME } = runtime().env
  const [index, ...pages] = await readGuide()
  const text = `# ${SERVICE_NAME}

> ${index?.summary ?? ""} The API is at ${BASE_URL}: POST /v1/decisions and GET /v1/models.

## Docs

${pageList(pages, ({ markdownPath }) => `${CONSOLE_URL}${markdownPath}`)}

## Reference

- [OpenAPI description](${BASE_URL}/openapi.json): every field, limit and error of both endpoints
- [All pages in one](${CONSOLE_URL}/llms-full.txt): the whole docs as one Markdown file
`
  return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } })
}
