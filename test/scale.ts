/** How many times more than usual the property tests try, by `TEST_SCALE`. */
export const testScale = Number(process.env.TEST_SCALE || 1)
