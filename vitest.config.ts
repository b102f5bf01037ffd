import { defineConfig } from "vitest/config"

const scale = Number(process.env.TEST_SCALE || 1)

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["{lib,questions,test,lint,scripts}/**/*.test.ts", "{app,components}/**/*.test.{ts,tsx}"],
    globalSetup: ["./test/global-setup.ts"],
    setupFiles: ["./test/no-console-error.ts"],
    pool: "threads",
    testTimeout: 15_000 * scale,
    hookTimeout: 30_000,
    // The machine may be busy with other suites; a poll that is fulfilled at once takes no longer for it.
    expect: { poll: { timeout: 8_000 } },
  },
})
