/** The factor for the runs and time limits of long tests, from `TEST_SCALE`. Default: 1. */
export const testScale = Number(process.env.TEST_SCALE || 1)
