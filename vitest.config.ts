import { readdirSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import path from "node:path"
import { defineConfig } from "vitest/config"
import { Sequencer } from "./test/sequencer"

const scale = Number(process.env.TEST_SCALE || 1)

const FOLDERS = ["app", "components", "lib", "lint", "questions", "scripts", "test"]
const TESTS = `{${FOLDERS.join(",")}}/**/*.test.{ts,tsx}`
/** What only `npm run test:slow` runs. */
const SLOW = `{${FOLDERS.join(",")}}/**/*.slow.test.ts`
/** What only `npm run test:engines` runs, because it compiles llama.cpp. A run of a folder must not begin that. */
const ENGINES = `{${FOLDERS.join(",")}}/**/*.engines.test.ts`
/** What only `npm run test:clients` runs, because it installs two gigabytes of other people's packages. */
const CLIENTS = "test/clients/*.clients.test.ts"
/**
 * Calls whose test files need modules of their own. `vi.mock` only replaces modules that are not loaded yet. A replaced statement
 * leaves holds whose release is repeated for a minute. Ids of a process whose clock moved ahead stay ahead.
 */
const ALONE =
  /vi\.mock\(|moveClock\(|setSystemTime\(|interceptPool\(|spyOn\([\w.]*pool, "query"\)|createHoldCalls\(|roundTripsOf\(/
const ISOLATED = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.posix.join(folder, file)),
).filter((file) => /\.test\.tsx?$/.test(file) && ALONE.test(readFileSync(file, "utf8")))

const resolve = { tsconfigPaths: true }
const test = {
  setupFiles: ["./test/no-console-error.ts", "./test/clean-up-files.ts"],
  pool: "threads" as const,
  // Long enough for a machine that runs other suites. A test that succeeds at once takes no longer.
  testTimeout: 60_000 * scale,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
}

/** The first run of Go's compiler takes over a minute, on a machine that runs other suites. */
const slow = { ...test, testTimeout: 300_000 * scale, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } }

export default defineConfig({
  resolve,
  test: {
    globalSetup: ["./test/global-setup.ts"],
    // Half of the time the tests wait for timers and PostgreSQL. By default two processors get one worker.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: Sequencer },
    // Loading the modules anew for each file took half of the processor time. Files that share a worker share its modules. Each
    // project transforms the modules once more.
    projects: [
      {
        resolve,
        test: {
          ...test,
          name: "shared",
          isolate: false,
          include: [TESTS],
          exclude: ["**/node_modules/**", SLOW, ENGINES, CLIENTS, ...ISOLATED],
        },
      },
      { resolve, test: { ...test, name: "isolated", include: ISOLATED } },
      { resolve, test: { ...slow, name: "slow", include: [SLOW], globalSetup: ["./test/install-sdks.ts"] } },
      ...(process.env.TEST_CLIENTS
        ? [
            {
              resolve,
              test: { ...test, name: "clients", include: [CLIENTS], globalSetup: ["./test/clients/install.ts"] },
            },
          ]
        : []),
      ...(process.env.TEST_ENGINES ? [{ resolve, test: { ...test, name: "engines", include: [ENGINES] } }] : []),
    ],
  },
})
