import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { SlowestFirst } from "./test/slowest-first"

const scale = Number(process.env.TEST_SCALE || 1)

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["{lib,questions,test,lint,scripts}/**/*.test.ts", "{app,components}/**/*.test.{ts,tsx}"],
    globalSetup: ["./test/global-setup.ts"],
    setupFiles: ["./test/no-console-error.ts"],
    pool: "threads",
    // Half of the time the tests wait for timers and PostgreSQL. By default two processors get one worker.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    // For a machine that runs other suites. A test that succeeds at once takes no longer.
    testTimeout: 60_000 * scale,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
