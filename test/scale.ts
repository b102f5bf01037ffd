/** The factor for the cases and time limits of long tests, from `TEST_SCALE`. By default 1, for runs of six minutes. */
export const testScale = Number(process.env.TEST_SCALE || 1)
