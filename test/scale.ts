/** The factor `TEST_SCALE` for the runs of property tests. */
export const testScale = Number(process.env.TEST_SCALE || 1)
