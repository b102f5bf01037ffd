interface Programs {
  bash: string
  typescript: string
  python: string
  go: string
}

interface ProgramInput {
  /** The name of the programs' files, without an ending. */
  name: string
  /** A request, as `POST /v1/decisions` takes it. */
  request: unknown
  baseUrl: string
}

const indented = (text: string, by: number): string => text.replaceAll("\n", `\n${" ".repeat(by)}`)

/** JSON is TypeScript. Names that need no quotes lose them. */
const inTypescript = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:")

function inPython(value: unknown, depth = 0): string {
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  if (value === null || typeof value === "boolean") return value === null ? "None" : value ? "True" : "False"
  if (typeof value !== "object") return JSON.stringify(value)
  const lines = Array.isArray(value)
    ? value.map((item) => inPython(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${inPython(item, depth + 1)}`)
  const pad = "    ".repeat(depth)
  return `${open}\n${lines.map((line) => `${pad}    ${line},\n`).join("")}${pad}${close}`
}

const curlOf = ({ request, baseUrl }: ProgramInput): string => `curl ${baseUrl}/v1/decisions \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${indented(JSON.stringify(request, null, 2).replaceAll("'", `'\\''`), 2)}'`

const typescriptOf = ({
  name,
  request,
  baseUrl,
}: ProgramInput): string => `// Run: node ${name}.mts (Node 22.18 or newer), or npx tsx ${name}.mts (Node 20)
const response = await fetch("${baseUrl}/v1/decisions", {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.SVC_API_KEY}\`,
    "content-type": "application/json",
  },
  body: JSON.stringify(${indented(inTypescript(request), 2)}),
  signal: AbortSignal.timeout(130_000),
})
const decision: any = await response.json()
if (!response.ok) throw new Error(\`\${decision.error.code}: \${decision.error.message}\`)
console.log(JSON.stringify(decision, null, 2))`

const pythonOf = ({ name, request, baseUrl }: ProgramInput): string => `# Run: python3 ${name}.py
import json
import os
import urllib.request

request = urllib.request.Request(
    "${baseUrl}/v1/decisions",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["SVC_API_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps(${inPython(request, 1)}).encode(),
)
with urllib.request.urlopen(request, timeout=130) as response:
    print(json.dumps(json.load(response), indent=2))`

/** A raw string of Go cannot contain a backtick. */
const inGo = (text: string): string => `\`${text.replaceAll("`", '` + "`" + `')}\``

const goOf = ({ name, request, baseUrl }: ProgramInput): string => `// Run: go run ${name}.go
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const body = ${inGo(JSON.stringify(request, null, 2))}

func main() {
	request, err := http.NewRequest("POST", "${baseUrl}/v1/decisions", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 130 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	if response.StatusCode != http.StatusOK {
		fmt.Fprintln(os.Stderr, string(answer))
		os.Exit(1)
	}
	fmt.Println(string(answer))
}`

/** Writes a program in each language of the docs that sends one request and prints its answer. */
const programsOf = (input: ProgramInput): Programs => ({
  bash: curlOf(input),
  typescript: typescriptOf(input),
  python: pythonOf(input),
  go: goOf(input),
})

const ENDINGS: Record<keyof Programs, string> = { bash: "sh", typescript: "mts", python: "py", go: "go" }
const FENCE = /^```decision title="([\w-]+)"\n(.*?)\n```$/gms

/** Replaces each `decision` fence, which has the JSON of a request, by programs in all languages. Throws on other JSON. */
export const expandRequests = (markdown: string, baseUrl: string): string =>
  markdown.replace(FENCE, (_, name: string, json: string) =>
    Object.entries(programsOf({ name, request: JSON.parse(json), baseUrl }))
      .map(
        ([language, code]) =>
          `\`\`\`${language} title="${name}.${ENDINGS[language as keyof Programs]}"\n${code}\n\`\`\``,
      )
      .join("\n\n"),
  )
