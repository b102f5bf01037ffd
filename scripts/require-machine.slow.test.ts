import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import path from "node:path"
import { expect, inject, test } from "vitest"
import { nodeFolder, OLD_NODE, sdksInstalled } from "@/test/sdks"

// Waits while the file is loaded, because an installation may take longer than a test may.
await sdksInstalled()

const { engines, scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  engines: { node: string }
  scripts: Record<"start" | "operator", string>
}
const OLD = nodeFolder(OLD_NODE)
const PATH = process.env.PATH ?? ""
const program = (name: string) => `node ${path.join(inject("programs"), `${name}.js`)}`

/** Runs a command line of a shell, and returns its exit code and what it printed. */
const outcomeOf = (command: string, searched = PATH) =>
  new Promise((resolve) => {
    const env = { PATH: searched, NODE_ENV: "production" } as const
    const child = execFile("sh", ["-c", command], { env }, (_error, stdout, stderr) =>
      resolve([child.exitCode, stdout, stderr]),
    )
  })

const STARTS = [
  ["npm start", scripts.start],
  ["npm run operator", scripts.operator],
  ["the script of npm start alone", "node scripts/start.mjs"],
  ["a build of the server", program("server")],
  ["a build of the commands", program("operator")],
]

test.each(STARTS)("%s with a Node that is too old ends with one line", async (_name, command) => {
  expect(engines.node).toBe(">=20.19")
  expect(await outcomeOf(command, `${OLD}:${PATH}`)).toEqual([
    1,
    "",
    "Could not start: Node 20.19 or later is required. This is Node 18.20.8\n",
  ])
})

test.each(STARTS)("%s with 64 open files ends with one line", async (_name, command) => {
  expect(await outcomeOf(`ulimit -n 64; ${command}`)).toEqual([
    1,
    "",
    'Could not start: The limit of open files is 64. Raise it to 512 or more, with "ulimit -n" or with LimitNOFILE of systemd\n',
  ])
})
